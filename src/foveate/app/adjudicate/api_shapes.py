"""What goes in and out of the API of adjudication."""

from __future__ import annotations

from typing import Any, Literal

from ninja import Schema
from pydantic import ConfigDict, Field

from foveate.annotation.work import WITHOUT_NUL, Work
from foveate.app.annotate.api_shapes import TaskOut

_LARGEST = 2**62


class _In(Schema):
    model_config = ConfigDict(extra="forbid")


class DecisionIn(_In):
    """A decision, with the newest one that was seen (`base`, 0 for none)."""

    how: Literal["picked", "mended", "rejected", "given"]
    base: int = Field(ge=0, le=_LARGEST)
    work: Work | None = None
    picked: int | None = Field(None, ge=1, le=_LARGEST)
    target: int = Field(0, ge=0, le=1_000)
    note: str = Field("", max_length=2_000, pattern=WITHOUT_NUL)
    rule: str = Field("", max_length=100, pattern=WITHOUT_NUL)


class UndoIn(_In):
    """Which decision is taken back: the newest that was seen."""

    base: int = Field(ge=1, le=_LARGEST)


class GoldIn(_In):
    """Whether a task is to be a gold question."""

    gold: bool


class CandidateOut(Schema):
    """A region that can be chosen; `work` is None where it cannot, and `note` says why. `rule`: what made it."""

    letter: str
    how: Literal["picked", "given", "mended"]
    number: int | None
    work: dict[str, Any] | None
    rings: list[list[tuple[float, float]]]
    said: str
    who: str
    note: str
    rule: str
    share: float | None


class BetweenOut(Schema):
    """How alike two submissions are (None where one has no region), and why they differ: a word, and a sentence."""

    first: str
    second: str
    alike: float | None
    why: str
    said: str


class DecisionOut(Schema):
    """A decision."""

    id: int
    how: str
    work: dict[str, Any]
    picked: int | None
    note: str
    rule: str
    decided_by: str
    decided_at: str


class SignOut(Schema):
    """A sign of an audit: its name, what it says of any label, and of this one."""

    name: str
    said: str
    why: str


class SuspicionOut(Schema):
    """Why the data set's own target looks wrong, by an audit."""

    rank: int
    suspicion: float | None
    verdict: str
    signs: list[SignOut]


class AdjudicationOut(Schema):
    """A task with all that can be chosen, what stands now, and the `base` of a decision."""

    id: int
    task: TaskOut
    gold: bool
    base: int
    standing: DecisionOut | None
    candidates: list[CandidateOut]
    between: list[BetweenOut]
    problem: str
    suspicion: SuspicionOut | None


class DecidedOut(Schema):
    """A row that was added, and the task that comes next; None where none is left."""

    decision: DecisionOut
    base: int
    next: int | None


class GoldOut(Schema):
    """Whether a task is a gold question."""

    gold: bool


class NextOut(Schema):
    """The task that comes next."""

    task: int
