"""Places on a leaderboard, from rows alone: what is not shown decides nothing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import numpy as np
from numpy.typing import NDArray

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


@dataclass(frozen=True, slots=True)
class Standing:
    """Who stands where, as columns, best first.

    Attributes:
        index: int64 (T,): which of the entries it is, one a team.
        place: int64 (T,), from 1.
        shared: bool (T,): whether others have the same place.
    """

    index: NDArray[np.int64]
    place: NDArray[np.int64]
    shared: NDArray[np.bool_]


def rank(entries: Iterable[Candidate], rule: Rule) -> list[Place]:
    """Returns the places of teams by what they sent before the end, best first; the order of `entries` does not matter.

    Places are those of competitions (1, 2, 2, 4). With `ties = earlier` none is shared: of equal values the entry that
    was sent earlier is first.
    """
    return _ranked([one for one in entries if one.counts and not one.after_end], rule)


def rank_after_end(entries: Iterable[Candidate], rule: Rule) -> list[Place]:
    """Returns the places by what was sent after the end, apart from those of `rank`."""
    return _ranked([one for one in entries if one.counts and one.after_end], rule)


def standing(teams: NDArray[np.int64], values: NDArray[np.float64], chosen: NDArray[np.bool_], rule: Rule) -> Standing:
    """Returns who stands where, by columns of entries that all count, **in the order in which they were sent**.

    It is what `rank` says, for ten thousand entries in milliseconds.

    Args:
        teams: int64 (N,): whose they are.
        values: float64 (N,): as they are shown; all finite.
        chosen: bool (N,): whether its team has chosen it.
        rule: By what is ranked.
    """
    # Stable, so that of equal values the earlier entry is first.
    best_first = np.argsort(-values if rule.better == "higher" else values, kind="stable")
    counts = np.zeros(len(teams), dtype=bool)
    counts[_that_count(teams, best_first, chosen, rule)] = True
    index = best_first[counts[best_first]]
    place = np.arange(1, len(index) + 1, dtype=np.int64)
    if rule.ties == "earlier" or not len(index):
        return Standing(index, place, np.zeros(len(index), dtype=bool))
    new = np.concatenate([[True], values[index][1:] != values[index][:-1], [True]])
    return Standing(index, np.maximum.accumulate(np.where(new[:-1], place, 0)), ~(new[:-1] & new[1:]))


def _that_count(
    teams: NDArray[np.int64], best_first: NDArray[np.int64], chosen: NDArray[np.bool_], rule: Rule
) -> NDArray[np.int64]:
    """Returns which entry of each team ranks."""
    order = best_first
    if rule.counts == "newest":
        order = np.arange(len(teams), dtype=np.int64)[::-1]
    elif rule.counts == "chosen":
        order = order[(chosen | ~np.isin(teams, teams[chosen]))[order]]
    _teams, first = np.unique(teams[order], return_index=True)
    return order[first]


def _ranked(entries: Sequence[Candidate], rule: Rule) -> list[Place]:
    sent = sorted(entries, key=lambda one: (one.sent_at, one.number))
    found = standing(
        np.array([one.team for one in sent], dtype=np.int64),
        np.array([one.value for one in sent], dtype=np.float64),
        np.array([one.chosen for one in sent], dtype=bool),
        rule,
    )
    told = zip(found.index.tolist(), found.place.tolist(), found.shared.tolist(), strict=True)
    return [Place(place, sent[index], shared) for index, place, shared in told]
