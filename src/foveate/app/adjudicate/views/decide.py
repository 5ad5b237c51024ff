"""The page on which a task is decided about; its script does it through the API, and without one forms do."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from foveate.annotation.reasons import REASONS, WITH_TEXT
from foveate.app.accounts.models import User
from foveate.app.accounts.roles import person_of, role_required
from foveate.app.adjudicate import words
from foveate.app.adjudicate.alike import WHY
from foveate.app.adjudicate.forms import decision_of
from foveate.app.adjudicate.pictures import picture_of_all
from foveate.app.adjudicate.services import decide as service
from foveate.app.adjudicate.services.candidates import between, candidates
from foveate.app.adjudicate.services.given import stage_of
from foveate.app.adjudicate.services.mark import mark_gold
from foveate.app.adjudicate.services.queue import Wish, neighbour, rows
from foveate.app.adjudicate.services.suspicion import as_details, suspicion_of
from foveate.app.annotate.draw_words import WORDS
from foveate.app.annotate.models import Task
from foveate.app.annotate.services.standing import newest_of, standing
from foveate.app.annotate.texts import as_html, instructions_of
from foveate.app.annotate.views._pages import organisers_trail
from foveate.app.refused import RefusedError
from foveate.quality.pairs import LIMITS


@require_http_methods(["GET", "HEAD", "POST"])
@role_required("organiser", secret=True)
def decide(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Shows all that people drew for a task; picks, rejects or takes back."""
    task = get_object_or_404(Task.objects.select_related("project"), pk=pk, project__slug=slug)
    person, status = person_of(request), 200
    service.task_to_decide(person, pk)
    if request.method == "POST":
        try:
            return _done(request, person, task)
        except RefusedError as refused:
            status = refused.status
            messages.error(request, f"{refused.message} {refused.remedy}".strip())
        task.refresh_from_db()
    return render(request, "adjudicate/decide.html", _values(request, person, task), status=status)


@require_safe
@role_required("organiser", secret=True)
def picture(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Draws all that can be chosen on the photo."""
    task = get_object_or_404(Task.objects.select_related("project"), pk=pk, project__slug=slug)
    service.task_to_decide(person_of(request), pk)
    return HttpResponse(picture_of_all(task), content_type="image/png", headers={"Cache-Control": "no-store"})


def _done(request: HttpRequest, person: User, task: Task) -> HttpResponse:
    """Does what a form asks for, and leads on to the next task, or back to this one to be looked at again."""
    act = request.POST.get("act", "")
    here = reverse("adjudicate:decide", args=[task.project.slug, task.pk]) + _wish(request).query()
    if act in ("gold", "ordinary"):
        mark_gold(person, task.pk, act == "gold", request=request)
        return redirect(here)
    if act == "undo":
        service.undo(person, task.pk, _number(request.POST.get("base", "")), request=request)
        messages.success(request, _("The decision is taken back."))
        return redirect(here)
    service.decide(person, task.pk, decision_of(request.POST, stage_of(task)), request=request)
    messages.success(request, _("Decided: %(key)s.") % {"key": task.key})
    return redirect(_address(request, task, neighbour(task.project, _wish(request), task)))


def _values(request: HttpRequest, person: User, task: Task) -> dict[str, Any]:
    wish = _wish(request)
    found, problem = candidates(task)
    newest, latest = newest_of(task), service.own_latest(person, task)
    ahead, back = (neighbour(task.project, wish, task, forward=way) for way in (True, False))
    size_hw = (task.height, task.width)
    return {
        "task": task,
        "project": task.project,
        "wish": wish,
        "left": rows(task.project, wish).count(),
        "candidates": [
            {"one": one, "at": at, "line": at % 6, "dash": (at + at // 6) % 6, "has_region": one.shape is not None}
            for at, one in enumerate(found)
        ],
        "by_rules": any(one.rule for one in found),
        "problem": problem,
        "suspicion": as_details(suspicion_of(task)),
        "same_above": LIMITS.same,
        "between": [(one, WHY[one.why]) for one in between(task)],
        "standing": standing(task),
        "how": words.HOW,
        "base": newest.pk if newest else 0,
        "latest": latest,
        "several": stage_of(task) == "grounding",
        "reasons": [(code, _(text), code in WITH_TEXT) for code, text in REASONS.items()],
        "stage": stage_of(task),
        "size_hw": size_hw,
        "ahead": _address(request, task, ahead) if ahead else "",
        "back": _address(request, task, back) if back else "",
        "queue": _address(request, task, None),
        "instructions": as_html(instructions_of(task.project)),
        "words": {name: str(sentence) for name, sentence in {**WORDS, **words.SAID}.items()},
        "api": reverse("api:api-root"),
        "trail": [
            *organisers_trail(task.project),
            (reverse("adjudicate:queue", args=[task.project.slug]) + wish.query(), _("Adjudicate")),
        ],
    }


def _address(request: HttpRequest, task: Task, number: int | None) -> str:
    slug, query = task.project.slug, _wish(request).query()
    if number is None:
        return reverse("adjudicate:queue", args=[slug]) + query
    return reverse("adjudicate:decide", args=[slug, number]) + query


def _wish(request: HttpRequest) -> Wish:
    return Wish.of(request.GET.dict())


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 19 else 0
