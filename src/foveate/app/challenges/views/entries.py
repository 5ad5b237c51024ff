"""The pages of entries: a team sends one, lists its own, and follows what becomes of each."""

from __future__ import annotations

from typing import Any

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from foveate.app.accounts.roles import role_required
from foveate.app.annotate.views._pages import page_of
from foveate.app.challenges.entry_forms import WordsForm
from foveate.app.challenges.models import Entry, Phase, Team
from foveate.app.challenges.services import (
    counting,
    entry_acts,
    entry_seen,
    entry_told,
    finding,
    membership,
    queue,
    space,
)
from foveate.app.challenges.views.board import ends
from foveate.app.challenges.views.entry_files import own_file
from foveate.app.challenges.views.entry_words import COSTS, badge_of, problems_of, stage_said
from foveate.app.refused import RefusedError
from foveate.challenges.disclosure import ShownValue, times_100
from foveate.challenges.phases import takes_entries
from foveate.challenges.quotas import UNDER_WAY


@require_safe
@role_required()
def entries(request: HttpRequest, slug: str) -> HttpResponse:
    """Lists the entries of one's team, with what is left of the limits of each phase."""
    challenge = finding.challenge(request, slug)
    team = membership.team_of(request.user, challenge)
    values: dict[str, Any] = {"challenge": challenge, "team": team}
    if team is not None:
        page = page_of(request, entry_seen.of_team(team), 50)
        values |= {
            "page_obj": page,
            "rows": [_row(entry) for entry in page],
            "phases": [_phase(team, phase) for phase in challenge.phases.filter(removed=False).order_by("position")],
            "used": space.used_by(team),
            "room": space.limits().team,
        }
    return render(request, "challenges/entries.html", values)


@require_safe
def entry(request: HttpRequest, slug: str, phase: str, number: int) -> HttpResponse:
    """Shows an entry: to its team and the organisers all of it, to others what is public."""
    row, who = seen(request, slug, phase, number)
    own = who == "team"
    values: dict[str, Any] = {
        "challenge": row.phase.challenge,
        "phase": row.phase,
        "entry": row,
        "who": who,
        "team_name": entry_seen.team_name(row, who),
        "web_links": entry_seen.links_of(row, who),
        "badge": badge_of(row.state),
        "scores": [(name, one, ends(one.low, one.high)) for name, one in _values(row, who).items()],
    }
    if who != "other":
        told = entry_told.own_part(row)
        values |= {
            "told": told,
            "stage": stage_said(told["stage"], row.state),
            "percent": round(100 * told["progress"]),
            "cost": COSTS[told["cost"]],
            "problems": problems_of(row),
            "events": [(one.at, one.said or entry_told.event_said(one.what)) for one in row.events.order_by("pk")],
            "acts": acts_of(row) if own else {},
            "words": WordsForm(initial=_initial(row)) if own else None,
        }
    return render(request, "challenges/entry.html", values)


@require_safe
@role_required()
def file(request: HttpRequest, slug: str, phase: str, number: int) -> FileResponse:
    """Sends the file of an entry as it came, to its team and the organisers."""
    return own_file(*seen(request, slug, phase, number))


def seen(request: HttpRequest, slug: str, name: str, number: int) -> tuple[Entry, entry_seen.Who]:
    """Returns the entry of an address, and as who it is seen.

    Raises:
        Http404: It is not seen.
    """
    phase = finding.phase(finding.challenge(request, slug), name)
    found = entry_seen.entry_for(request.user, phase, number) if number < 2**31 else None
    if found is None:
        raise Http404
    return found


def acts_of(row: Entry) -> dict[str, bool]:
    """Returns what a team can do with an entry now."""
    phase = finding.phase_said(row.phase)
    try:
        entry_acts.check_not_over(row, timezone.now())
    except RefusedError:
        return {}
    alive = row.state in entry_acts.ALIVE
    return {
        "withdraw": alive,
        "choose": alive and row.public and not row.chosen and phase.counts == "chosen",
        "publish": alive and not row.public,
        "hide": alive and row.public,
    }


def _row(row: Entry) -> dict[str, Any]:
    scores = [(name, times_100(one.value, 2)) for name, one in _values(row, "team").items()]
    job = entry_told.job_of(row) if row.state in UNDER_WAY else None
    return {
        "entry": row,
        "badge": badge_of(row.state),
        "score": scores[0] if scores else None,
        "position": queue.position(job) if job is not None else None,
    }


def _values(row: Entry, who: entry_seen.Who) -> dict[str, ShownValue]:
    return entry_seen.shown_values(row, who) or {}


def _phase(team: Team, phase: Phase) -> dict[str, Any]:
    said, now = finding.phase_said(phase), timezone.now()
    left = counting.left_for(team, phase, now)
    return {
        "phase": phase,
        "title": said.title,
        "limits": said.limits,
        "left": left,
        "open": takes_entries(said, now),
        "reproduction": phase.kind == "reproduction",
    }


def _initial(row: Entry) -> dict[str, str]:
    return {
        "method": row.method,
        "description": row.description,
        "links": "\n".join(row.links),
        "note": row.note,
    }
