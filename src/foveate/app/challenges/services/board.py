"""Leaderboards: when they have changed, who stands where, and what is shown of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, NamedTuple

from django.db.models import Count, F, Max, QuerySet

from foveate.app.challenges.models import Challenge, Entry, Phase, Team
from foveate.app.challenges.services import finding
from foveate.app.challenges.services.kept import Kept
from foveate.challenges import definition as said
from foveate.challenges.disclosure import How, Shown, Who, as_shown, how_much, is_nameless, names_of, shown
from foveate.challenges.ranking import Candidate, Place, Rule, rank, rank_after_end
from foveate.errors import UsageError, did_you_mean
from foveate.evaluation.metric_names import metrics_named

Status = Literal["ranked", "listed", "disqualified"]


@dataclass(frozen=True, slots=True)
class Row:
    """A team on a board.

    Attributes:
        team: Its number.
        name: What others read.
        own_name: What the team itself and the organisers read.
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
    own_name: str
    status: Status
    place: int | None = None
    shared: bool = False
    entries: int = 0
    entry: int | None = None
    number: int | None = None
    sent_at: datetime | None = None
    method: str = ""


@dataclass(frozen=True)
class Board:
    """The rows of a phase, all of them, without their scores.

    Attributes:
        phase: The phase.
        defined: What its folder says of it.
        challenge: What its folder says of the challenge.
        now: The moment of which it is.
        who: Who looks.
        how: How much is shown.
        nameless: Whether teams are called by their aliases.
        rows: Best first; then those without a place, by name.
        after_end: Those of an open benchmark, after its end.
    """

    phase: Phase
    defined: said.Phase
    challenge: said.Challenge
    now: datetime
    who: Who
    how: How
    nameless: bool
    rows: Sequence[Row]
    after_end: Sequence[Row] = ()

    @property
    def metrics(self) -> Sequence[str]:
        """The phase's metrics, the main one first."""
        return list(names_of(self.defined))


@dataclass(frozen=True)
class Told:
    """A row with what is shown of its scores."""

    row: Row
    shown: Shown
    links: Sequence[str] = ()


@dataclass(frozen=True)
class Compared:
    """A row that is no team's: what it is called, where its values are from, and its values."""

    name: str
    source: str
    published: bool
    shown: Shown


_COLUMNS = ("pk", "team_id", "number", "sent_at", "main", "chosen", "after_end", "method")
_OF_TEAM = ("name", "alias", "disqualified_at")
_TEAM, _LATE = _COLUMNS.index("team_id"), _COLUMNS.index("after_end")
_kept: Kept[tuple[tuple[Row, ...], tuple[Row, ...]]] = Kept(64)


def touch(phase: Phase) -> None:
    """Says that something has changed that a phase's board shows."""
    Phase.objects.filter(pk=phase.pk).update(version=F("version") + 1)


def phase_named(challenge: Challenge, name: str | None, now: datetime) -> Phase:
    """Returns the phase of a name; without one that which began last, else the first.

    Raises:
        UsageError: There is none.
    """
    phases = list(challenge.phases.filter(removed=False).order_by("position").select_related("challenge"))
    begun = [row for row in phases if row.start is None or row.start <= now]
    wanted = [row for row in phases if row.name == name] if name is not None else (begun[-1:] or phases[:1])
    if not wanted:
        known = [row.name for row in phases]
        raise UsageError(
            f"phase {name or ''}".strip(), f"{challenge.slug} has none of this name", did_you_mean(name or "", known)
        )
    return wanted[0]


def board(phase: Phase, now: datetime, who: Who) -> Board:
    """Returns the board of a phase as somebody sees it."""
    defined, challenge = finding.phase_said(phase), finding.definition(phase.challenge)
    how = how_much(defined, challenge, now, who)
    empty = Board(phase, defined, challenge, now, who, how, is_nameless(challenge, now), ())
    counted = _scored(phase).aggregate(n=Count("pk"), newest=Max("ended_at"))
    public = how_much(defined, challenge, now, "other")
    key = (phase.pk, phase.challenge.made_at, phase.version, *counted.values(), who == "organiser", empty.nameless)
    rule = (how, public, defined.scores, defined.targets, defined.main, defined.counts, defined.ties)
    rows, after_end = _kept.of((*key, *rule), lambda: _rows(empty))
    return replace(empty, rows=rows, after_end=after_end)


def told(board: Board, rows: Sequence[Row], *, after_end: bool = False) -> list[Told]:
    """Returns rows of a board with what is shown of their scores."""
    wanted = [row.entry for row in rows if row.entry is not None]
    found = Entry.objects.filter(pk__in=wanted).only("scores", "links").in_bulk() if wanted else {}
    return [_told(board, row, found.get(row.entry or 0), after_end) for row in rows]


def compared(board: Board) -> list[Compared]:
    """Returns the rows that are no team's, by name; a paper's values are known to all, so they are always shown."""
    return [
        Compared(
            row.name,
            row.source,
            row.published,
            shown(
                row.scores,
                board.defined,
                board.challenge,
                board.now,
                "organiser" if row.published else board.who,
            ),
        )
        for row in board.phase.references.order_by("name")
    ]


def best_teams(phase: Phase, n: int, now: datetime) -> list[int]:
    """Returns the numbers of the best teams of a phase, for another that only these may enter."""
    # By what everybody sees, so that nobody is left out by digits that are not shown; of a tie all come in.
    return [row.team for row in board(phase, now, "organiser").rows if row.place is not None and row.place <= n]


def history(board: Board, team: Team, *, own: bool) -> list[tuple[Entry, Shown]]:
    """Returns a team's scored entries of a phase, the oldest first, with what is shown of their scores.

    Args:
        board: The phase's.
        team: The team.
        own: Whether private entries are seen too: by the team and the organisers.
    """
    entries = Entry.objects.filter(phase=board.phase, team=team, state="scored")
    if not own:
        entries = entries.filter(public=True)
    facts = (board.defined, board.challenge, board.now, board.who)
    return [(one, shown(one.scores, *facts, after_end=one.after_end)) for one in entries.order_by("sent_at", "number")]


def _scored(phase: Phase) -> QuerySet[Entry]:
    return Entry.objects.filter(phase=phase, state="scored", public=True)


def _told(board: Board, row: Row, entry: Entry | None, after_end: bool) -> Told:
    scores = entry.scores if entry is not None else None
    seen = shown(scores, board.defined, board.challenge, board.now, board.who, after_end=after_end)
    # Where a method is published says whose it is.
    nameless = board.nameless and board.who != "organiser"
    links = entry.links if entry is not None and not nameless else []
    return Told(row, seen, [link for link in map(str, links) if link.startswith(("https://", "http://"))])


def _rows(board: Board) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    found = list(_scored(board.phase).values_list(*_COLUMNS))
    # All of the challenge: asking for thousands by their numbers takes longer.
    # Plain values, since ten thousand objects take a third of the time that a board takes.
    rows = Team.objects.filter(challenge=board.phase.challenge).values_list("pk", *_OF_TEAM)
    teams = {number: _Named(number, name, alias, out_at is not None) for number, name, alias, out_at in rows}
    out = {number for number, team in teams.items() if team.out}
    public = {
        late: how_much(board.defined, board.challenge, board.now, "other", after_end=late) for late in (False, True)
    }
    candidates = [
        Candidate(key, team, number, at, as_shown(main, public[late]), "scored", True, chosen, late, team in out)
        for key, team, number, at, main, chosen, late, _method in found
    ]
    (by,) = metrics_named([board.defined.main])
    rule = Rule(by.card.better, board.defined.counts, board.defined.ties)
    made = _Rows(board, teams, found, public)
    return made.of(rank(candidates, rule), late=False), made.of(rank_after_end(candidates, rule), late=True)


class _Named(NamedTuple):
    """What a board says of a team; `out` where it was disqualified."""

    pk: int
    name: str
    alias: str
    out: bool


@dataclass(frozen=True)
class _Rows:
    """Places made rows, as far as they are shown."""

    board: Board
    teams: Mapping[int, _Named]
    found: Sequence[tuple[Any, ...]]
    public: Mapping[bool, How]

    def of(self, places: Sequence[Place], *, late: bool) -> tuple[Row, ...]:
        how = "all" if self.board.who == "organiser" else self.public[late]
        entries: dict[int, int] = {}
        for one in self.found:
            if one[_LATE] == late:
                entries[one[_TEAM]] = entries.get(one[_TEAM], 0) + 1
        methods = {one[0]: one[-1] for one in self.found}
        ranked = [] if how == "hidden" else [self._ranked(place, methods, entries, how) for place in places]
        placed = {row.team for row in ranked}
        others = (self._row(self.teams[team], "listed", entries=n) for team, n in entries.items() if team not in placed)
        return (*ranked, *sorted(others, key=lambda row: (row.status, row.name.casefold(), row.team)))

    def _ranked(self, place: Place, methods: Mapping[int, str], entries: Mapping[int, int], how: How) -> Row:
        one = place.candidate
        # Which of its entries is the best one tells a team about values that it is not to know.
        told: dict[str, Any] = {}
        if how != "rank_only" or self.board.defined.counts == "newest":
            told = {"entry": one.key, "number": one.number, "sent_at": one.sent_at, "method": methods[one.key]}
        place_of = {"place": place.place, "shared": place.shared}
        return self._row(self.teams[one.team], "ranked", entries=entries[one.team], **place_of, **told)

    def _row(self, team: _Named, status: Status, *, entries: int, **more: Any) -> Row:
        nameless = self.board.nameless and self.board.who != "organiser"
        status = "disqualified" if team.out else status
        return Row(team.pk, team.alias if nameless else team.name, team.name, status, entries=entries, **more)


def searched(rows: Iterable[Row], words: str) -> list[Row]:
    """Returns the rows whose name or method holds some words, as they are read."""
    wanted = words.casefold().split()
    return [row for row in rows if all(word in f"{row.name} {row.method}".casefold() for word in wanted)]
