"""What becomes of a draft that a browser wants to save: saved, in conflict with another tab, or too late."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Lease = Literal["held", "free", "gone"]
# Of a task that is being done: so many of the newest versions, and so many of those before that say most.
RECENT = 100
EARLIER = 150
OTHER_TABS = 50


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


@dataclass(frozen=True)
class Kept:
    """What of a saved version tells whether it is to be kept.

    Attributes:
        version: Its number.
        tab: The tab that saved it.
        saved_at: When.
    """

    version: int
    tab: str
    saved_at: datetime


def dispensable(versions: Sequence[Kept]) -> list[int]:
    """Returns the numbers of the versions that can go while a task is being done.

    The `RECENT` newest stay. Of those before, the newest `OTHER_TABS` after which another tab went on stay, since that
    is what `overwrite` replaces, and of each minute the newest, `EARLIER` minutes at most.

    Args:
        versions: All that there are, the oldest first.
    """
    earlier = versions[:-RECENT]
    replaced = [one for one, after in zip(versions, versions[1:], strict=False) if one.tab != after.tab]
    of_minutes = {one.saved_at.replace(second=0, microsecond=0): one for one in earlier}
    newest_first = sorted(of_minutes.values(), key=lambda one: one.version, reverse=True)
    replaced_earlier = [one for one in replaced if one.version <= earlier[-1].version] if earlier else []
    stay = {one.version for one in (*replaced_earlier[-OTHER_TABS:], *newest_first[:EARLIER])}
    return [one.version for one in earlier if one.version not in stay]
