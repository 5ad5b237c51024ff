"""Leaderboards: the pages, what they are as CSV and JSON, a team's history, and how sure an order is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from foveate.app.annotate.services.access import not_found
from foveate.app.challenges import charts
from foveate.app.challenges.links import Link
from foveate.app.challenges.models import Challenge, Team
from foveate.app.challenges.services import board as boards
from foveate.app.challenges.services import board_files, finding, membership
from foveate.app.challenges.services import order as orders
from foveate.app.challenges.services.board import Board, Told
from foveate.app.challenges.services.board_rows import Row
from foveate.challenges.disclosure import Shown, times_100
from foveate.challenges.phases import when
from foveate.errors import InputError

PER_PAGE = 100


@dataclass(frozen=True)
class Cell:
    """A value as the page shows it: two decimals, and all that are shown for programs."""

    name: str
    text: str
    exact: str
    interval: str


@dataclass(frozen=True)
class Line:
    """A row as the page shows it."""

    told: Told
    cells: Sequence[Cell]
    mine: bool

    @property
    def row(self) -> Row:
        """The row."""
        return self.told.row


def links(request: HttpRequest, challenge: Challenge) -> Sequence[Link]:
    """Returns the link to the board of the phase that began last, for the row below a challenge's title."""
    if not challenge.phases.filter(removed=False).exists():
        return []
    phase = boards.phase_named(challenge, None, timezone.now())
    url = reverse("challenges:board", args=[challenge.slug, phase.name])
    # The boards of all phases are behind it.
    return [Link(url, _("Leaderboard"), 30, ("board", "board_order", "board_slices", "board_team"))]


def board_of(request: HttpRequest, slug: str, phase: str) -> Board:
    """Returns the board of a phase as the visitor sees it.

    Raises:
        RefusedError: There is no such phase that this visitor may see (404).
    """
    challenge = finding.challenge(request, slug)
    row = finding.phase(challenge, phase)
    return boards.board(row, timezone.now(), "organiser" if finding.may_organise(request.user, challenge) else "other")


@require_safe
def board(request: HttpRequest, slug: str, phase: str) -> HttpResponse:
    """Shows who stands where."""
    found = board_of(request, slug, phase)
    words = request.GET.get("search", "").strip()[:200]
    rows = boards.searched(found.rows, words) if words else found.rows
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    mine = membership.team_of(request.user, found.phase.challenge)
    told = boards.told(found, list(page))
    own = found.rows.index_of(mine.pk) if mine is not None else None
    values = {
        **about(found),
        "page_obj": page,
        "lines": _lines(found, told, mine),
        "after_end": _lines(found, boards.told(found, found.after_end[:PER_PAGE], after_end=True), mine),
        "after_end_more": max(0, len(found.after_end) - PER_PAGE),
        "compared": [(one, _cells(one.shown, found.metrics)) for one in boards.compared(found)],
        "chart": charts.board_chart(told, found.defined.main) if page.number == 1 and not words else None,
        "search": words,
        "own": found.rows[own] if own is not None else None,
        "own_page": own // PER_PAGE + 1 if own is not None else 0,
        "sure": found.how == "all" and when(found.defined, found.now) == "over",
        "waits": any(_waits(one.shown) for one in told),
    }
    return render(request, "challenges/board.html", values)


@require_safe
def as_csv(request: HttpRequest, slug: str, phase: str) -> HttpResponse:
    """Sends the same as CSV."""
    text = board_files.as_csv(board_of(request, slug, phase))
    headers = {"Content-Disposition": f'attachment; filename="{slug}-{phase}-leaderboard.csv"'}
    return HttpResponse(text.encode(), content_type="text/csv; charset=utf-8", headers=headers)


@require_safe
def as_json(request: HttpRequest, slug: str, phase: str) -> HttpResponse:
    """Sends the same as JSON."""
    return JsonResponse(board_files.as_json(board_of(request, slug, phase)))


@require_safe
def team(request: HttpRequest, slug: str, phase: str, team: int) -> HttpResponse:
    """Shows a team's entries over time, as far as they are shown."""
    found = board_of(request, slug, phase)
    row, own = team_seen(request, found, team)
    entries = boards.history(found, row, own=own)
    main = found.defined.main
    values = {
        **about(found),
        "team": row,
        "name": name_of(found, row, own=own),
        "own": own,
        "entries": [(entry, _cells(shown, found.metrics)) for entry, shown in entries],
        "chart": charts.history_chart([(entry.sent_at, shown) for entry, shown in entries], main),
    }
    return render(request, "challenges/board_team.html", values)


@require_safe
def order(request: HttpRequest, slug: str, phase: str) -> HttpResponse:
    """Shows how sure the order of the first rows is, after the end."""
    found = board_of(request, slug, phase)
    if when(found.defined, found.now) != "over" or found.how != "all":
        raise not_found()
    said, problem = None, ""
    try:
        said = orders.order_of_board(found)
    except InputError as error:
        # Where files of the server lie is nobody's business.
        problem = _("Its data are not here any more: %(what)s") % {"what": error.problem}
    names = [row.name for row in found.rows[: orders.MOST_ROWS]]
    values = {**about(found), "problem": problem, "most": orders.MOST_ROWS}
    if said is not None:
        values |= {
            "photos": said.photos,
            "standing": [(names[int(one.name)], times_100(one.value, 2), one, one.within(0.95)) for one in said.rows],
            "neighbours": [
                (
                    names[int(one.better)],
                    names[int(one.worse)],
                    _minus(one.difference),
                    ends(one.low, one.high),
                    one,
                )
                for one in said.neighbours
            ],
        }
    return render(request, "challenges/board_order.html", values)


def team_seen(request: HttpRequest, found: Board, number: int) -> tuple[Team, bool]:
    """Returns a team of a board, and whether the visitor sees all of it: as its member, or as an organiser.

    Raises:
        RefusedError: There is none, or others do not see it (404): it is disqualified, or has no public entry.
    """
    row = Team.objects.filter(challenge=found.phase.challenge, pk=number if number < 2**62 else 0).first()
    if row is None:  # In the words of the other 404, so that it does not tell which teams there are.
        raise not_found()
    mine = membership.team_of(request.user, found.phase.challenge)
    own = found.who == "organiser" or (mine is not None and mine.pk == row.pk)
    seen = any(rows.index_of(row.pk) is not None for rows in (found.rows, found.after_end))
    if not own and (not seen or row.disqualified_at is not None):
        raise not_found()
    return row, own


def name_of(found: Board, team: Team, *, own: bool) -> str:
    """Returns what a visitor reads as a team's name."""
    return team.alias if found.nameless and not own else team.name


def about(found: Board) -> dict[str, Any]:
    """Returns what every page of a board is told."""
    phases = found.phase.challenge.phases.filter(removed=False).order_by("position")
    return {
        "challenge": found.phase.challenge,
        "phase": found.phase,
        "said": found.defined,
        "board": found,
        "metrics": found.metrics,
        "when": when(found.defined, found.now),
        "tabs": [(row, finding.phase_said(row).title) for row in phases],
    }


def _lines(found: Board, told: Sequence[Told], mine: Team | None) -> list[Line]:
    own = mine.pk if mine is not None else 0
    return [Line(one, _cells(one.shown, found.metrics), one.row.team == own) for one in told]


def _cells(shown: Shown, metrics: Sequence[str]) -> list[Cell]:
    found = [(name, shown.metrics.get(name)) for name in metrics]
    return [
        Cell(name, times_100(one.value, 2), one.text, ends(one.low, one.high)) if one else Cell(name, "–", "", "")
        for name, one in found
    ]


def ends(low: float | None, high: float | None) -> str:
    """Returns an interval times 100; nothing where it is not known yet."""
    return "" if low is None or high is None else f"{times_100(low, 2)} – {times_100(high, 2)}".replace("-", "−")


def _minus(value: float) -> str:
    return times_100(value, 2).replace("-", "−")


def _waits(shown: Shown) -> bool:
    return any(one.value is not None and one.low is None for one in shown.metrics.values())
