"""What becomes of a draft that a browser wants to save: saved, in conflict with another tab, or too late."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Lease = Literal["held", "free", "gone"]


@dataclass(frozen=True)
class Saved:
    """It is saved.

    Attributes:
        version: Its number.
        takes_again: Whether the place, whose lease was over and which nobody had taken, is taken again.
    """

    version: int
    takes_again: bool = False


@dataclass(frozen=True)
class Conflict:
    """It builds on another version than the newest, and the person has not chosen to keep it nevertheless.

    Attributes:
        version: The newest.
    """

    version: int


@dataclass(frozen=True)
class LeaseOver:
    """The task went to another person; what there is of the draft stays."""


def decide(newest: int, base: int, *, overwrite: bool, lease: Lease) -> Saved | Conflict | LeaseOver:
    """Returns what becomes of a draft.

    Args:
        newest: The number of the newest version, 0 where there is none.
        base: The version that the draft was made from, 0 for none.
        overwrite: Whether the person has seen the newest version and keeps theirs.
        lease: `held`, `free` (over, but nobody has taken the place) or `gone`.
    """
    if lease == "gone":
        return LeaseOver()
    if base != newest and not overwrite:
        return Conflict(newest)
    return Saved(newest + 1, takes_again=lease == "free")
