"""Places on a leaderboard, from rows alone: what is not shown decides nothing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from foveate.challenges.definition import Counts, Ties


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entry as ranking sees it.

    Attributes:
        key: Of the entry.
        team: Of its team.
        number: Of the entry in its phase, for what was sent in the same moment.
        sent_at: When it counts.
        value: Its main metric as it is shown; None without one.
        state: Only what is `scored` ranks.
        public: Private entries do not rank, and move no place.
        chosen: Whether its team has chosen it.
        after_end: Whether it was sent after the end; these are ranked apart.
        disqualified: Whether its team is.
    """

    key: int
    team: int
    number: int
    sent_at: datetime
    value: float | None
    state: str = "scored"
    public: bool = True
    chosen: bool = False
    after_end: bool = False
    disqualified: bool = False

    @property
    def counts(self) -> bool:
        """Whether it can have a place."""
        value = self.value
        seen = self.state == "scored" and self.public and not self.disqualified
        return seen and value is not None and math.isfinite(value)


@dataclass(frozen=True, slots=True)
class Place:
    """A place; `shared` says whether others have the same."""

    place: int
    candidate: Candidate
    shared: bool


@dataclass(frozen=True, slots=True)
class Rule:
    """By what is ranked: which values are better, which entry of a team counts, and what becomes of equal values."""

    better: Literal["higher", "lower"] = "higher"
    counts: Counts = "best"
    ties: Ties = "earlier"


def rank(entries: Iterable[Candidate], rule: Rule) -> list[Place]:
    """Returns the places of teams by what they sent before the end, best first; the order of `entries` does not matter.

    Places are those of competitions (1, 2, 2, 4). With `ties = earlier` none is shared: of equal values the entry that
    was sent earlier is first.
    """
    return _ranked([one for one in entries if one.counts and not one.after_end], rule)


def rank_after_end(entries: Iterable[Candidate], rule: Rule) -> list[Place]:
    """Returns the places by what was sent after the end, apart from those of `rank`."""
    return _ranked([one for one in entries if one.counts and one.after_end], rule)


def _ranked(entries: Sequence[Candidate], rule: Rule) -> list[Place]:
    teams: dict[int, list[Candidate]] = {}
    for one in entries:
        teams.setdefault(one.team, []).append(one)
    standing = sorted((_that_counts(of, rule) for of in teams.values()), key=lambda one: _order(one, rule))
    if rule.ties == "earlier":
        return [Place(place, one, False) for place, one in enumerate(standing, 1)]
    first: dict[float | None, int] = {}
    shared: dict[float | None, int] = {}
    for place, one in enumerate(standing, 1):
        first.setdefault(one.value, place)
        shared[one.value] = shared.get(one.value, 0) + 1
    return [Place(first[one.value], one, shared[one.value] > 1) for one in standing]


def _that_counts(entries: Sequence[Candidate], rule: Rule) -> Candidate:
    """Returns which entry of a team ranks."""
    if rule.counts == "newest":
        return max(entries, key=lambda one: (one.sent_at, one.number))
    chosen = [one for one in entries if one.chosen] if rule.counts == "chosen" else []
    return min(chosen or entries, key=lambda one: _order(one, rule))


def _order(one: Candidate, rule: Rule) -> tuple[float, datetime, int]:
    value = one.value or 0.0
    return (-value if rule.better == "higher" else value, one.sent_at, one.number)
