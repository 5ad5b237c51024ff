"""How a task goes on when somebody has sent something: another person, another stage, done, or set aside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from foveate.annotation.kinds import Kind, ProjectSettings, Stage
from foveate.annotation.work import Work


@dataclass(frozen=True)
class Step:
    """Where a task stands.

    Attributes:
        state: As of a task.
        stage: The stage that it is in, the last one where it is over.
        wanted: How many submissions of that stage are wanted in all, those there are among them.
        why: Why it was set aside.
        question: The question, where a stage before has written it.
        answer: The answer, likewise.
    """

    state: Literal["open", "done", "set_aside"]
    stage: Stage
    wanted: int
    why: str = ""
    question: str | None = None
    answer: str | None = None


def next_step(kind: Kind, settings: ProjectSettings, sent: Sequence[Work]) -> Step:
    """Returns where a task stands after all that was sent for it, in the order of sending; at first nothing."""
    raise NotImplementedError
