"""Attempts at gold questions, and where somebody stands in an admission: pure, without clock or database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from foveate.quality.gold import THRESHOLD
from foveate.quality.requirements import Requirements

State = Literal["requirements", "qualification", "trial", "waiting", "admitted", "refused", "failed"]
STATES: tuple[State, ...] = get_args(State)
May = Literal["try", "wait", "over", "passed"]
# What an organiser decides may be decided anew; who has failed, or was refused, may get a second chance.
NEXT: Mapping[State, tuple[State, ...]] = {
    "requirements": ("qualification", "admitted", "refused"),
    "qualification": ("trial", "waiting", "failed", "admitted", "refused"),
    "trial": ("waiting", "admitted", "refused"),
    "waiting": ("admitted", "refused"),
    "failed": ("qualification", "admitted", "refused"),
    "refused": ("requirements", "qualification", "trial", "admitted"),
    "admitted": ("refused",),
}
_LONGEST_WAIT = timedelta(days=7)


class AdmissionSettings(BaseModel):
    """What an organiser sets of an admission; kept with it.

    Attributes:
        requirements: What a person must have done before.
        threshold: A region is accepted where its IoU with gold's is greater.
        attempts: How often each gold question may be tried.
        failed_in_all: How many attempts may fail in all; one more, and the person has failed.
        wait_minutes: After a failed attempt, so long until the next one at the same question; 0 for no wait.
        wait_grows: With each further failed attempt at the question, so many times longer.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    requirements: Requirements = Field(default_factory=Requirements)
    threshold: float = Field(THRESHOLD, ge=0, lt=1, allow_inf_nan=False)
    attempts: int = Field(3, ge=1, le=50)
    failed_in_all: int = Field(6, ge=0, le=1000)
    wait_minutes: float = Field(1.0, ge=0, le=24 * 60, allow_inf_nan=False)
    wait_grows: float = Field(2.0, ge=1, le=10, allow_inf_nan=False)


@dataclass(frozen=True, slots=True)
class Try:
    """One attempt at a gold question.

    Attributes:
        question: Its key.
        passed: Whether it was accepted.
        at: When.
        forgiven: Whether it failed before the organiser gave a second chance: then it counts no more.
    """

    question: str
    passed: bool
    at: datetime
    forgiven: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """Where somebody stands in a qualification.

    Attributes:
        passed: The questions that were passed, in the order of the qualification.
        left: The others.
        failed: Failed attempts that count, by question.
        until: The time before which a question is not to be tried again, by question.
        over: Why there are no more attempts: those at one question are used up, or those in all; None while there are.
    """

    passed: tuple[str, ...]
    left: tuple[str, ...]
    failed: Mapping[str, int]
    until: Mapping[str, datetime]
    over: Literal["question", "in_all"] | None

    @property
    def done(self) -> bool:
        """Whether all questions were passed."""
        return not self.left


def standing(tries: Sequence[Try], questions: Sequence[str], settings: AdmissionSettings) -> Standing:
    """Returns where somebody stands after some attempts.

    Args:
        tries: The attempts, in their order.
        questions: The keys of the gold questions, in theirs; attempts at others count in all, but are never passed.
        settings: How many attempts there are, and how long one waits.
    """
    hits = {one.question for one in tries if one.passed}
    failed: dict[str, int] = {}
    until: dict[str, datetime] = {}
    for one in tries:
        if one.passed or one.forgiven:
            continue
        failed[one.question] = failed.get(one.question, 0) + 1
        wait = wait_after(failed[one.question], settings)
        if wait:
            until[one.question] = one.at + wait
    left = tuple(key for key in questions if key not in hits)
    spent = any(failed.get(key, 0) >= settings.attempts for key in left)
    over: Literal["question", "in_all"] | None = "question" if spent else None
    if left and over is None and sum(failed.values()) > settings.failed_in_all:
        over = "in_all"
    return Standing(tuple(key for key in questions if key in hits), left, failed, until, over)


def wait_after(failed: int, settings: AdmissionSettings) -> timedelta:
    """Returns how long somebody waits after so many failed attempts at a question, a week at most.

    Example:
        >>> [wait_after(n, AdmissionSettings()).total_seconds() for n in (1, 2, 3)]
        [60.0, 120.0, 240.0]
    """
    seconds = settings.wait_minutes * 60 * settings.wait_grows ** (failed - 1)
    return min(timedelta(seconds=min(seconds, _LONGEST_WAIT.total_seconds())), _LONGEST_WAIT)


def may_try(where: Standing, question: str, now: datetime) -> May:
    """Returns whether a question may be tried now: `try`, `wait`, `over`, or `passed` where it was passed before."""
    if question in where.passed:
        return "passed"
    if where.over is not None:
        return "over"
    until = where.until.get(question)
    return "wait" if until is not None and now < until else "try"


def attempts_left(where: Standing, question: str, settings: AdmissionSettings) -> int:
    """Returns how many attempts there are at a question: the fewer of its own and of those in all."""
    own = settings.attempts - where.failed.get(question, 0)
    in_all = settings.failed_in_all + 1 - sum(where.failed.values())
    return max(0, min(own, in_all))


def may_become(now: State, then: State) -> bool:
    """Returns whether somebody may come from one state of an admission into another."""
    return then in NEXT[now]
