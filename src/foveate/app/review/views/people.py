"""An organiser's page about one annotator's work in a project, and the pause."""

from __future__ import annotations

from statistics import fmean, median
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from foveate.app.accounts.models import User
from foveate.app.accounts.roles import person_of, role_required
from foveate.app.annotate import links
from foveate.app.annotate.models import Project, Submission
from foveate.app.annotate.views._pages import organisers_trail
from foveate.app.review import words
from foveate.app.review.charts import chart
from foveate.app.review.forms import WordForm
from foveate.app.review.services import flagged, measure, pauses
from foveate.app.review.services.flagged import Entry, Work, settings_of
from foveate.app.review.services.people import figures_of
from foveate.quality.over_time import drifts, series_of

_LATEST = 10
_MOST_BATCHES = 100


@require_safe
@role_required("organiser")
def annotator(request: HttpRequest, slug: str, pseudonym: UUID) -> HttpResponse:
    """Shows what one person did for a project: figures, how they go over time, flags, and the latest work."""
    project, person = _found(slug, pseudonym)
    left = measure.bring_up(project, measure.PATIENCE)
    work = flagged.work_of(project, person.pk).get(person.pk, Work(person.pk))
    settings = settings_of(project)
    entries = flagged.entries(work, settings, flagged.looked_at(project, person.pk))
    latest = Submission.objects.filter(assignment__annotator=person, assignment__task__project=project)
    values = {
        "project": project,
        "person": person,
        "figures": figures_of(work, entries, settings),
        "charts": _charts(work),
        "batches": [_batch(entry, work) for entry in entries[-_MOST_BATCHES:]][::-1],
        "latest": latest.select_related("assignment__task").order_by("-pk")[:_LATEST],
        "batch_of": settings.batch,
        "paused": pauses.running(person, project),
        "acts": [(reverse(link.url_name, args=[slug, pseudonym]), link.label) for link in links.PERSON],
        "left": left,
        "trail": organisers_trail(project),
    }
    return render(request, "review/annotator.html", values)


@require_POST
@role_required("organiser")
def pause(request: HttpRequest, slug: str, pseudonym: UUID) -> HttpResponse:
    """Pauses a person for a project."""
    project, person = _found(slug, pseudonym)
    form = WordForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("The reason is too long."))
    elif pauses.pause(project, person, form.cleaned_data["word"], person_of(request), request):
        messages.success(request, _("%(name)s gets no more tasks of this project.") % {"name": person.username})
    return redirect("review:annotator", slug, pseudonym)


@require_POST
@role_required("organiser")
def resume(request: HttpRequest, slug: str, pseudonym: UUID) -> HttpResponse:
    """Ends a pause."""
    project, person = _found(slug, pseudonym)
    if pauses.resume(project, person, person_of(request), request):
        messages.success(request, _("%(name)s gets tasks again.") % {"name": person.username})
    return redirect("review:annotator", slug, pseudonym)


def _found(slug: str, pseudonym: UUID) -> tuple[Project, User]:
    project = get_object_or_404(Project, slug=slug)
    people = User.objects.filter(assignments__task__project=project).distinct()
    return project, get_object_or_404(people, pseudonym=pseudonym)


def _charts(work: Work) -> list[dict[str, Any]]:
    series = series_of(work.done)
    found = drifts(series)
    return [
        {
            "label": words.MEASURES[name],
            "svg": chart(values, str(words.MEASURES[name]), share=name in ("gold", "peers")),
            "drift": words.drift_words(name, found[name]),
            "changes": (drift := found[name]) is not None and drift.is_one,
        }
        for name, values in series.items()
    ]


def _batch(entry: Entry, work: Work) -> dict[str, Any]:
    done = work.done[entry.batch.first : entry.batch.first + entry.batch.size]
    points = [one.points for one in done if one.points is not None]
    gold = [one.gold for one in done if one.gold is not None]
    peers = [one.peers for one in done if one.peers is not None]
    return {
        "number": entry.batch.number,
        "size": entry.batch.size,
        "seconds": sum(one.seconds for one in done),
        "points": median(points) if points else None,
        "gold": fmean(gold) if gold else None,
        "peers": fmean(peers) if peers else None,
        "flags": [words.told(flag, entry.batch.size) for flag in entry.batch.flags],
        "open": bool(entry.open),
    }
