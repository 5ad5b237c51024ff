"""How many entries a team may still send: a pure count of what it has sent, by days of UTC."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from foveate.challenges.definition import Limits

UNDER_WAY = ("waiting", "checking", "queued", "running", "scoring")


@dataclass(frozen=True)
class Sent:
    """What is counted of an entry: its state, when it was sent, and whether it was scored before it was withdrawn."""

    state: str
    at: datetime
    scored: bool = False


@dataclass(frozen=True)
class Left:
    """How many entries are left, None for any number; days are of UTC, and `next_day` is when the next begins."""

    valid_today: int | None
    valid_in_all: int | None
    all_today: int | None
    all_in_all: int | None
    at_once: int
    next_day: datetime


def left(limits: Limits, sent: Iterable[Sent], now: datetime) -> Left:
    """Returns what is left of the limits of a phase for a team, of all it has sent there."""
    today = now.astimezone(UTC).date()
    rows = list(sent)
    valid = [one for one in rows if one.state in UNDER_WAY or one.state == "scored" or _withdrawn_late(one)]
    every = valid + [one for one in rows if one.state == "failed"]

    def still(most: int | None, counted: list[Sent], *, day: bool) -> int | None:
        n = sum(1 for one in counted if not day or one.at.astimezone(UTC).date() == today)
        return None if most is None else max(0, most - n)

    return Left(
        still(limits.valid_a_day, valid, day=True),
        still(limits.valid_in_all, valid, day=False),
        still(limits.all_a_day, every, day=True),
        still(limits.all_in_all, every, day=False),
        max(0, limits.at_once - sum(one.state in UNDER_WAY for one in rows)),
        datetime.combine(today + timedelta(days=1), time(), UTC),
    )


def refusal(left: Left) -> str | None:
    """Returns the name of the limit that keeps a team from sending now: `at_once`, `in_all`, `today`; None for none."""
    if 0 in (left.valid_in_all, left.all_in_all):
        return "in_all"
    if 0 in (left.valid_today, left.all_today):
        return "today"
    return "at_once" if left.at_once == 0 else None


def _withdrawn_late(one: Sent) -> bool:
    return one.state == "withdrawn" and one.scored
