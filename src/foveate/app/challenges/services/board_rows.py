"""The rows of a leaderboard: where each team stands is kept as columns, and only rows that are looked at are made."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeVar, overload

import numpy as np
from django.db.models import Model, QuerySet
from numpy.typing import NDArray

from foveate.app.challenges.models import Entry, Phase, Team
from foveate.challenges.definition import Counts
from foveate.challenges.disclosure import How, all_as_shown
from foveate.challenges.ranking import Rule, Standing, standing

Status = Literal["ranked", "listed", "disqualified"]
M = TypeVar("M", bound=Model)
# Up to so many are asked for by their numbers; all of a phase at once are quicker than more of them.
_BY_NUMBER = 1000


@dataclass(frozen=True, slots=True)
class Row:
    """A team on a board.

    Attributes:
        team: Its number.
        name: What the visitor reads.
        status: `ranked`; `listed` where places are not shown, and where there is no value; `disqualified`.
        place: None without one.
        shared: Whether others have the same place.
        entries: How many public entries of it were scored.
        entry: The number of the row of the entry that counts; None where that is not shown.
        number: The entry's own, in its phase.
        sent_at: When that was sent.
        method: What the team calls it.
    """

    team: int
    name: str
    status: Status
    place: int | None = None
    shared: bool = False
    entries: int = 0
    entry: int | None = None
    number: int | None = None
    sent_at: datetime | None = None
    method: str = ""


@dataclass(frozen=True)
class View:
    """How the rows of a phase are seen.

    Attributes:
        phase: The phase.
        rule: By what is ranked.
        how: How much the visitor sees.
        public: How much everybody sees, by which is ranked.
        nameless: Whether the visitor reads aliases.
        late: Whether it is what was sent after the end.
    """

    phase: Phase
    rule: Rule
    how: How
    public: How
    nameless: bool
    late: bool

    @property
    def names_entries(self) -> bool:
        """Whether a row says which entry counts: which one is the best tells a team of values it is not to know."""
        counts: Counts = self.rule.counts
        return self.how != "rank_only" or counts == "newest"


@dataclass(frozen=True)
class _Columns:
    """Rows as columns: those with a place, best first, and then the others.

    Attributes:
        team: int64 (N,).
        entries: int64 (N,): how many of each were scored.
        out: bool (N,): which teams are disqualified.
        entry: int64 (P,), of those with a place.
        place: int64 (P,).
        shared: bool (P,).
    """

    team: NDArray[np.int64]
    entries: NDArray[np.int64]
    out: NDArray[np.bool_]
    entry: NDArray[np.int64]
    place: NDArray[np.int64]
    shared: NDArray[np.bool_]


class Rows(Sequence[Row]):
    """All rows of a board, best first; then those without a place, disqualified ones first, by name.

    Names, methods and times are read when a row is looked at; once all are, they are kept.
    """

    def __init__(self, view: View, columns: _Columns) -> None:
        self._view = view
        self._columns = columns
        self._all: tuple[Row, ...] | None = None

    def __len__(self) -> int:
        return len(self._columns.team)

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Row]: ...
    def __getitem__(self, at: int | slice) -> Row | Sequence[Row]:
        if self._all is not None:
            return self._all[at]
        wanted = range(len(self))[at]
        if isinstance(wanted, int):
            return self._made([wanted])[0]
        made = self._made(wanted)
        if len(made) == len(self) and wanted.step == 1:
            self._all = made
        return made

    def __iter__(self) -> Any:
        # The usual way asks for one after another, each by itself.
        return iter(self[:])

    def index_of(self, team: int) -> int | None:
        """Returns at which row a team is; None where it is at none."""
        found = np.flatnonzero(self._columns.team == team)
        return int(found[0]) if len(found) else None

    def teams_up_to(self, place: int) -> list[int]:
        """Returns the teams with that place and those before."""
        columns = self._columns
        teams: list[int] = columns.team[: len(columns.place)][columns.place <= place].tolist()
        return teams

    def _made(self, wanted: Sequence[int]) -> tuple[Row, ...]:
        view, columns = self._view, self._columns
        names = _by_number(
            Team.objects.filter(challenge=view.phase.challenge_id),
            [int(columns.team[at]) for at in wanted],
            "alias" if view.nameless else "name",
        )
        entries: Mapping[int, tuple[Any, ...]] = {}
        if view.names_entries:
            keys = [int(columns.entry[at]) for at in wanted if at < len(columns.place)]
            entries = _by_number(Entry.objects.filter(phase=view.phase), keys, "number", "sent_at", "method")
        return tuple(self._row(at, names, entries) for at in wanted)

    def _row(self, at: int, names: Mapping[int, tuple[Any, ...]], entries: Mapping[int, tuple[Any, ...]]) -> Row:
        columns = self._columns
        team, n = int(columns.team[at]), int(columns.entries[at])
        (name,) = names[team]
        if at >= len(columns.place):
            return Row(team, name, "disqualified" if columns.out[at] else "listed", entries=n)
        place, shared, entry = int(columns.place[at]), bool(columns.shared[at]), int(columns.entry[at])
        if entry not in entries:
            return Row(team, name, "ranked", place, shared, n)
        number, sent_at, method = entries[entry]
        return Row(team, name, "ranked", place, shared, n, entry, number, sent_at, method)


def rows_of(view: View) -> Rows:
    """Returns the rows of a phase: of what is scored and public, by what everybody sees of it."""
    found = Entry.objects.filter(phase=view.phase, state="scored", public=True, after_end=view.late)
    # In the order of ranking, which then needs no times. No column that Django would have to turn into something else:
    # that takes longer than all that follows.
    read = list(found.order_by("sent_at", "number").values_list("pk", "team_id", "main"))
    entry, team = (np.array([row[at] for row in read], dtype=np.int64) for at in (0, 1))
    value = all_as_shown(np.array([row[2] for row in read], dtype=np.float64), view.public)
    disqualified = Team.objects.filter(challenge=view.phase.challenge_id, disqualified_at__isnull=False)
    out = np.isin(team, list(disqualified.values_list("pk", flat=True)))
    chosen = np.zeros(len(entry), dtype=bool)
    if view.rule.counts == "chosen":
        chosen = np.isin(entry, list(found.filter(chosen=True).values_list("pk", flat=True)))
    ranks = ~out & ~np.isnan(value) if view.how != "hidden" else np.zeros(len(entry), dtype=bool)
    stands = standing(team[ranks], value[ranks], chosen[ranks], view.rule)
    return Rows(view, _columns(view, team, out, team[ranks][stands.index], entry[ranks][stands.index], stands))


def _columns(
    view: View,
    team: NDArray[np.int64],
    out: NDArray[np.bool_],
    placed: NDArray[np.int64],
    entry: NDArray[np.int64],
    stands: Standing,
) -> _Columns:
    """Returns the rows of teams with a place and of the others, of the team of each entry."""
    teams, n = np.unique(team, return_counts=True)
    is_out = np.isin(teams, team[out])
    others = np.flatnonzero(~np.isin(teams, placed)).tolist()
    if others:
        found = Team.objects.filter(challenge=view.phase.challenge_id)
        names = _by_number(found, teams[others].tolist(), "alias" if view.nameless else "name")
        others.sort(key=lambda at: (not is_out[at], str(names[int(teams[at])][0]).casefold(), teams[at]))
    order = np.concatenate([np.searchsorted(teams, placed), np.array(others, dtype=np.int64)])
    return _Columns(teams[order], n[order], is_out[order], entry, stands.place, stands.shared)


def _by_number(rows: QuerySet[M], numbers: Collection[int], *columns: str) -> dict[int, tuple[Any, ...]]:
    """Returns columns of rows by their numbers; perhaps of more rows than were asked for."""
    found = rows.filter(pk__in=numbers) if len(numbers) <= _BY_NUMBER else rows
    return {key: tuple(values) for key, *values in found.values_list("pk", *columns)} if numbers else {}
