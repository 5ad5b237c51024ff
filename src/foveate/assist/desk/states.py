"""What is told of a work at the desk, and why something is not taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from foveate.assist.desk.works import Work
from foveate.errors import InputError, UnavailableError

FailedKind = Literal["refused", "unavailable", "failed", "crashed", "too_long", "too_large", "not_again", "stopped"]


class GoneError(InputError):
    """A photo or a ticket that the desk does not have: forgotten, or never there."""


class FullError(UnavailableError):
    """The desk takes no more for now, from this asker or from anyone."""


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked of the desk: the photo's key, the work, and who asked."""

    key: str
    work: Work
    who: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """It is not its turn yet.

    Attributes:
        turn: 1 is next.
        about_seconds: About how long until it is done, by what such works took lately; None before anything was done.
    """

    turn: int
    about_seconds: float | None


@dataclass(frozen=True, slots=True)
class Working:
    """It is being done, for so many seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Done:
    """It is done.

    Attributes:
        result: What the work returned.
        seconds: How long it took.
    """

    result: Any
    seconds: float


@dataclass(frozen=True, slots=True)
class Failed:
    """It came to nothing.

    Attributes:
        kind: `refused` and `unavailable` as the work itself said (an `UnavailableError` is the latter), `failed` for
            an error of the method, `crashed`, `too_long` and `too_large` where the process was lost, `not_again` for a
            photo that had taken it twice, `stopped` where the desk was closed or its process did not begin.
        where: What is at fault.
        problem: What is wrong, without a full stop.
        remedy: What to do, in full sentences.
    """

    kind: FailedKind
    where: str
    problem: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.where}: {self.problem}. {self.remedy}"


State = Waiting | Working | Done | Failed

_ANOTHER = "Take the photo again, or try another method."
_SAID: dict[FailedKind, tuple[str, str]] = {
    "crashed": ("the method broke down at it", _ANOTHER),
    "too_long": ("the method took too long", _ANOTHER),
    "too_large": ("the method needed too much memory", "Send a smaller photo, or try another method."),
    "not_again": (
        "the method broke down at it twice, so it is not tried again",
        "Take another, or try another method.",
    ),
}


def lost(kind: FailedKind) -> Failed:
    """Returns what is told where a process was lost over a photo, or may not be risked again."""
    return Failed(kind, "the photo", *_SAID[kind])


def stopped(problem: str) -> Failed:
    """Returns what is told where the photo is not at fault."""
    return Failed("stopped", "the desk", problem, "Ask again in a minute.")
