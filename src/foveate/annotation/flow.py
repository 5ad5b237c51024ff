"""How a task goes on when somebody has sent something: another person, another stage, done, or set aside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

from foveate.annotation.kinds import Kind, ProjectSettings, Stage, first_stage
from foveate.annotation.work import AskWork, BoxWork, VerifyWork, Work


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
    """Returns where a task stands after all that was sent for it, in the order of sending; at first nothing.

    What was sent for another stage than the task was in then changes nothing, and neither does what came after its end.
    """
    if kind == "box_collection":
        return _collected(settings, sent)
    stage = first_stage(kind, settings)
    count = sum(work.stage == stage for work in sent)
    return Step("done" if count >= settings.submissions else "open", stage, max(count, settings.submissions))


@dataclass
class _Photo:
    """A photo of a box collection while its history is read."""

    settings: ProjectSettings
    stage: Stage = "ask"
    state: Literal["open", "done", "set_aside"] = "open"
    why: str = ""
    question: str | None = None
    answer: str | None = None
    nothing: int = 0
    wrong: int = 0

    def take(self, work: Work) -> None:
        if self.state != "open" or work.stage != self.stage:
            return
        if isinstance(work, AskWork):
            self._asked(work)
        elif isinstance(work, BoxWork):
            self._drawn(work)
        else:
            self._verified(cast(VerifyWork, work))  # The last of the three stages that a photo can be in.

    def _asked(self, work: AskWork) -> None:
        if work.outcome == "asked":
            self.question, self.answer, self.stage = work.question, work.answer or None, "box"
            return
        self.nothing += 1
        if self.nothing >= self.settings.submissions:
            self._set_aside("nothing")

    def _drawn(self, work: BoxWork) -> None:
        if work.outcome in ("box", "whole_image"):
            self.stage = "verify"
        else:
            self._set_aside("cannot_draw")

    def _verified(self, work: VerifyWork) -> None:
        if work.outcome == "right":
            self.state = "done"
        elif work.outcome != "box_wrong":
            self._set_aside(work.outcome or "not_verified")
        elif self.wrong >= self.settings.most_redraws:
            self._set_aside("box_wrong")
        else:
            self.wrong += 1
            self.stage = "box"

    def _set_aside(self, why: str) -> None:
        self.state, self.why = "set_aside", why


def _collected(settings: ProjectSettings, sent: Sequence[Work]) -> Step:
    photo = _Photo(settings)
    for work in sent:
        photo.take(work)
    # One person at a time: the next one needs what the one before has made of the photo.
    wanted = sum(work.stage == photo.stage for work in sent) + (photo.state == "open")
    return Step(photo.state, photo.stage, wanted, photo.why, photo.question, photo.answer)
