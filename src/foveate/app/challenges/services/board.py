"""Leaderboards: when they have changed, who stands where, and what is shown of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F, Max, QuerySet

from foveate.app.challenges.models import Challenge, Entry, Phase, Team
from foveate.app.challenges.services import finding
from foveate.app.challenges.services.board_rows import Row, Rows, View, rows_of
from foveate.app.challenges.services.kept import Kept
from foveate.challenges import definition as said
from foveate.challenges.disclosure import How, Shown, Who, how_much, is_nameless, names_of, shown
from foveate.challenges.ranking import Rule
from foveate.errors import UsageError, did_you_mean
from foveate.evaluation.metric_names import metrics_named


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
    rows: Rows
    after_end: Rows

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


_kept: Kept[tuple[Rows, Rows]] = Kept(64)


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
    nameless = is_nameless(challenge, now)
    counted = _scored(phase).aggregate(n=Count("pk"), newest=Max("ended_at"))
    public = [how_much(defined, challenge, now, "other", after_end=late) for late in (False, True)]
    (by,) = metrics_named([defined.main])
    rule = Rule(by.card.better, defined.counts, defined.ties)
    views = [
        View(phase, rule, "all" if who == "organiser" else much, much, nameless and who != "organiser", late)
        for late, much in zip((False, True), public, strict=True)
    ]
    facts = [(view.how, view.public, view.nameless) for view in views]
    key = (phase.pk, phase.challenge.made_at, phase.version, *counted.values(), rule, defined.main, *facts)
    rows, after_end = _kept.of(key, lambda: (rows_of(views[0]), rows_of(views[1])))
    return Board(phase, defined, challenge, now, who, how, nameless, rows, after_end)


def told(board: Board, rows: Sequence[Row], *, after_end: bool = False) -> list[Told]:
    """Returns rows of a board with what is shown of their scores."""
    wanted = [row.entry for row in rows if row.entry is not None]
    found = Entry.objects.filter(pk__in=wanted).only("scores", "links").in_bulk() if wanted else {}
    return [_told(board, row, found.get(row.entry or 0), after_end) for row in rows]


def compared(board: Board) -> list[Compared]:
    """Returns the rows that are no team's, best first; a paper's values are known to all, so they are always shown.

    Where values are not shown, the names order the rows: an order by what is not seen would tell of it.
    """
    found = [
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
    main = board.defined.main
    (by,) = metrics_named([main])
    sign = -1 if by.card.better == "higher" else 1

    def key(one: Compared) -> tuple[bool, float]:
        value = one.shown.metrics[main].value if main in one.shown.metrics else None
        return value is None, sign * (value or 0.0)

    return sorted(found, key=key)


def best_teams(phase: Phase, n: int, now: datetime) -> list[int]:
    """Returns the numbers of the best teams of a phase, for another that only these may enter."""
    # By what everybody sees, so that nobody is left out by digits that are not shown; of a tie all come in.
    return board(phase, now, "organiser").rows.teams_up_to(n)


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


def searched(rows: Iterable[Row], words: str) -> list[Row]:
    """Returns the rows whose name or method holds some words, as they are read."""
    wanted = words.casefold().split()
    return [row for row in rows if all(word in f"{row.name} {row.method}".casefold() for word in wanted)]
