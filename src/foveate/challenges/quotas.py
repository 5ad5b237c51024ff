"""How many entries a team may still send: pure counting, by UTC days."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta

from foveate.challenges.definition import Limits

UNDER_WAY = frozenset({"waiting", "checking", "queued", "running", "scoring"})
_VALID = UNDER_WAY | {"scored"}
_FAILED = frozenset({"failed"})


@dataclass(frozen=True)
class Sent:
    """An entry, as far as limits ask.

    Attributes:
        state: Of `Entry.STATES`.
        at: When it was sent, aware of its zone.
        scored: Whether it was ever scored; one that was withdrawn after that still counts.
    """

    state: str
    at: datetime
    scored: bool = False


@dataclass(frozen=True)
class Left:
    """What a team has left; None for any number, never below 0.

    Attributes:
        valid_today: Entries of today that are scored or may yet be.
        valid_in_all: The same of all days.
        all_today: Entries of today that cost anything: those, and those that failed by their own fault.
        all_in_all: The same of all days.
        at_once: Entries that may be under way beside those that are.
        next_day: When the next day begins, 0:00 UTC.
    """

    valid_today: int | None
    valid_in_all: int | None
    all_today: int | None
    all_in_all: int | None
    at_once: int
    next_day: datetime

    @property
    def may_send(self) -> bool:
        """Whether an entry may be sent now."""
        counts = (self.valid_today, self.valid_in_all, self.all_today, self.all_in_all, self.at_once)
        return all(count is None or count > 0 for count in counts)

    @property
    def today(self) -> int | None:
        """How many entries more may be sent today, however many are under way; None for any number."""
        counts = (self.valid_today, self.valid_in_all, self.all_today, self.all_in_all)
        return min((count for count in counts if count is not None), default=None)


@dataclass(frozen=True)
class Refusal:
    """Why no entry may be sent now.

    Attributes:
        code: For programs: `limit_at_once`, `limit_in_all` or `limit_today`.
        said: One sentence.
        remedy: What to do.
        again_at: From when on one may be sent again; None where no time brings that.
        details: `limit` and `sent`, for programs.
    """

    code: str
    said: str
    remedy: str
    again_at: datetime | None
    details: Mapping[str, int] = field(default_factory=dict)


def left(limits: Limits, sent: Iterable[Sent], now: datetime) -> Left:
    """Returns what a team has left in a phase.

    `refused`, `lost`, and what was withdrawn before it was scored cost nothing.

    Args:
        limits: Of the phase.
        sent: The team's entries in the phase.
        now: Aware of its zone.
    """
    begun = day_of(now)
    entries = list(sent)
    valid = [one.at >= begun for one in entries if _is_valid(one)]
    every = [one.at >= begun for one in entries if _is_valid(one) or one.state in _FAILED]
    under_way = sum(one.state in UNDER_WAY for one in entries)
    return Left(
        _rest(limits.valid_a_day, sum(valid)),
        _rest(limits.valid_in_all, len(valid)),
        _rest(limits.all_a_day, sum(every)),
        _rest(limits.all_in_all, len(every)),
        max(limits.at_once - under_way, 0),
        begun + timedelta(days=1),
    )


def refusal(limits: Limits, sent: Iterable[Sent], now: datetime) -> Refusal | None:
    """Returns why no entry may be sent now, or None where one may.

    What no time mends is told before what a day mends, and that before what the end of another entry mends.
    """
    has = left(limits, sent, now)
    for rest, limit, what in (
        (has.valid_in_all, limits.valid_in_all, "valid entries"),
        (has.all_in_all, limits.all_in_all, "entries, failed ones counted"),
    ):
        if rest == 0:
            said = f"Your team has sent all {limit:,} {what}, that this phase takes of one."
            return Refusal("limit_in_all", said, "Choose among those that are scored.", None, {"limit": limit or 0})
    for rest, limit, what in (
        (has.valid_today, limits.valid_a_day, "valid entries"),
        (has.all_today, limits.all_a_day, "entries, failed ones counted"),
    ):
        if rest == 0:
            said = f"Your team has sent all {limit:,} {what}, that this phase takes of one in a day."
            again = f"The next day begins at {has.next_day:%Y-%m-%d %H:%M} UTC."
            return Refusal("limit_today", said, again, has.next_day, {"limit": limit or 0})
    if has.at_once == 0:
        said = f"{limits.at_once:,} of your team's entries are under way, and more at once are not taken."
        return Refusal("limit_at_once", said, "Wait until one has ended.", None, {"limit": limits.at_once})
    return None


def day_of(now: datetime) -> datetime:
    """Returns when the UTC day of a moment began.

    Example:
        >>> from datetime import timezone
        >>> day_of(datetime(2026, 12, 1, 1, 30, tzinfo=timezone(timedelta(hours=2)))).isoformat()
        '2026-11-30T00:00:00+00:00'
    """
    return datetime.combine(now.astimezone(UTC).date(), time.min, UTC)


def _is_valid(one: Sent) -> bool:
    return one.state in _VALID or (one.state == "withdrawn" and one.scored)


def _rest(limit: int | None, used: int) -> int | None:
    return None if limit is None else max(limit - used, 0)
