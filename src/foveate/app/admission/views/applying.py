"""A candidate's page: where I stand, what is asked, what comes next."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from foveate.app.accounts.models import User
from foveate.app.accounts.roles import person_of, role_required
from foveate.app.admission.forms import DeclarationForm
from foveate.app.admission.models import Admission, Candidate
from foveate.app.admission.services import people
from foveate.app.admission.services.standings import (
    admission_of,
    candidate_of,
    settings_of,
    standing_of,
    trial_sent,
    verdict_of,
)
from foveate.app.annotate.models import Project
from foveate.app.annotate.services.going_on import next_page
from foveate.app.annotate.views._pages import annotators_trail
from foveate.app.refused import RefusedError
from foveate.quality.requirements import Requirements, Verdict

STEPS = ("requirements", "qualification", "trial", "waiting")


@dataclass(frozen=True)
class Step:
    """One of the steps, as the list shows it."""

    name: str
    done: bool
    now: bool


@require_safe
@role_required("annotator")
def mine(request: HttpRequest, slug: str) -> HttpResponse:
    """Shows a person where they stand in an admission."""
    person, admission = person_of(request), _admission(slug)
    candidate = candidate_of(admission, person)
    if candidate is None and not people.may_apply(person, admission):
        raise Http404
    return _page(request, person, admission, candidate, None)


@require_POST
@role_required("annotator")
def apply(request: HttpRequest, slug: str) -> HttpResponse:
    """Takes what a person says of themselves."""
    person, admission = person_of(request), _admission(slug)
    asked = settings_of(admission).requirements
    candidate = candidate_of(admission, person)
    if candidate is None and not people.may_apply(person, admission):
        raise Http404
    form = _form(asked, request)
    if not form.is_valid():
        return _page(request, person, admission, candidate, form)
    try:
        people.apply(person, admission, form.record())
    except RefusedError as refused:
        messages.error(request, f"{refused.message} {refused.remedy}".strip())
    return redirect("admission:mine", admission.project.slug)


@require_POST
@role_required("annotator")
def go_on(request: HttpRequest, slug: str) -> HttpResponse:
    """Lends a candidate the next task of the qualification or the trial, what they have given back among them."""
    person, admission = person_of(request), _admission(slug)
    candidate = candidate_of(admission, person)
    if candidate is None:
        raise Http404
    project = {"qualification": admission.qualification, "trial": admission.trial}.get(candidate.state)
    if project is None:
        return redirect("admission:mine", admission.project.slug)
    if project.state != "open":
        messages.info(request, _("It is paused just now. Come back later."))
        return redirect("admission:mine", admission.project.slug)
    people.take_up(person, admission)
    return redirect(next_page(person, project))


def _admission(slug: str) -> Admission:
    """Returns the admission of a project; a qualification's and a trial's short name lead to it too."""
    admission = admission_of(get_object_or_404(Project, slug=slug))
    if admission is None:
        raise Http404
    return admission


def _form(asked: Requirements, request: HttpRequest | None = None) -> DeclarationForm:
    if not asked.by_declaration:
        asked = Requirements(least_tasks=None, least_share=None, regions=())
    return DeclarationForm(asked, request.POST if request is not None else None)


def _page(
    request: HttpRequest,
    person: User,
    admission: Admission,
    candidate: Candidate | None,
    form: DeclarationForm | None,
) -> HttpResponse:
    settings = settings_of(admission)
    may_apply = people.may_apply(person, admission)
    verdict: Verdict | None = verdict_of(admission, candidate) if candidate and candidate.applied_at else None
    standing = standing_of(admission, candidate) if candidate else None
    trial_tasks = admission.trial.tasks.count() if admission.trial else 0
    values = {
        "admission": admission,
        "project": admission.project,
        "candidate": candidate,
        "state": candidate.state if candidate else "requirements",
        "steps": _steps(admission, candidate),
        "form": (form or _form(settings.requirements)) if may_apply else None,
        "asked": settings.requirements,
        "percent": None if settings.requirements.least_share is None else settings.requirements.least_share * 100,
        "settings": settings,
        "unmet": verdict is not None and not verdict.met,
        "standing": standing,
        "failed": sum(standing.failed.values()) if standing else 0,
        "questions": len(standing.passed) + len(standing.left) if standing else 0,
        "trial_tasks": trial_tasks,
        "trial_sent": trial_sent(admission, person) if candidate else 0,
        "trail": annotators_trail(),
    }
    return render(request, "admission/mine.html", values, status=422 if form is not None and form.errors else 200)


def _steps(admission: Admission, candidate: Candidate | None) -> list[Step]:
    names = [name for name in STEPS if name != "trial" or admission.trial]
    if candidate is None:
        return [Step(name, False, name == "requirements") for name in names]
    done = {
        "requirements": candidate.met_at is not None,
        "qualification": candidate.qualified_at is not None,
        "trial": candidate.finished_at is not None,
        "waiting": candidate.state in ("admitted", "refused"),
    }
    return [Step(name, done[name], name == candidate.state) for name in names]
