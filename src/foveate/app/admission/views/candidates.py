"""An organiser's pages of the people: who applied, how far they are, what each did, and what is decided."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from foveate.app.accounts.roles import person_of, role_required
from foveate.app.admission import words
from foveate.app.admission.forms import DecisionForm, ImportForm
from foveate.app.admission.models import Admission, Candidate
from foveate.app.admission.services import people as acts
from foveate.app.admission.services import reports
from foveate.app.admission.services.standings import settings_of, verdict_of
from foveate.app.annotate.models import Project
from foveate.app.annotate.views._pages import Trail, organisers_trail, page_of
from foveate.app.refused import RefusedError
from foveate.errors import FoveateError, some
from foveate.quality.admissions import PAPER


@require_safe
@role_required("organiser")
def people(request: HttpRequest, slug: str) -> HttpResponse:
    """Shows what came of an admission, and all candidates; where there is none, how to make one."""
    project = get_object_or_404(Project, slug=slug)
    admission = Admission.objects.select_related("project", "qualification", "trial").filter(project=project).first()
    if admission is None:
        return render(request, "admission/none.html", {"project": project, "trail": organisers_trail(project)})
    return _people(request, admission, ImportForm())


@require_POST
@role_required("organiser")
def import_table(request: HttpRequest, slug: str) -> HttpResponse:
    """Takes in a table of earlier work."""
    admission = _admission(slug)
    form = ImportForm(request.POST, request.FILES)
    if not form.is_valid():
        return _people(request, admission, form)
    try:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "table.csv"
            path.write_bytes(form.cleaned_data["table"].read())
            done, rejected = acts.import_records(admission, path, request=request)
    except FoveateError as error:
        form.add_error("table", f"{error.problem[:1].upper()}{error.problem[1:]}. {error.remedy}")
        return _people(request, admission, form)
    said = ngettext("The table was taken in: %(n)d person.", "The table was taken in: %(n)d people.", done)
    messages.success(request, said % {"n": done})
    if rejected:
        count = ngettext("%(n)d row could not be taken:", "%(n)d rows could not be taken:", len(rejected))
        # The rows are of a file of the server's own making.
        told = some([one.replace(str(path), "").lstrip(", ") for one in rejected])
        messages.warning(request, f"{count % {'n': len(rejected)}} {told}")
    return redirect("admission:people", slug)


@require_safe
@role_required("organiser")
def candidate(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Shows what one candidate did."""
    found = _candidate(slug, pk)
    return _one(request, found, DecisionForm(initial={"reason": found.reason}))


@require_POST
@role_required("organiser")
def decide(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Admits a candidate, or does not."""
    found, form = _candidate(slug, pk), DecisionForm(request.POST)
    if not form.is_valid():
        return _one(request, found, form)
    admit, reason = form.cleaned_data["admit"] == "yes", form.cleaned_data["reason"].strip()
    said = _("%(name)s is admitted.") if admit else _("%(name)s is not admitted.")
    done = said % {"name": found.person.shown_name}
    return _acted(request, found, lambda: acts.decide(found, admit, reason, person_of(request), request=request), done)


@require_POST
@role_required("organiser")
def second_chance(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Lets what a candidate has failed count no more."""
    found = _candidate(slug, pk)
    done = _("%(name)s may try again.") % {"name": found.person.shown_name}
    return _acted(request, found, lambda: acts.second_chance(found, person_of(request), request=request), done)


def _acted(request: HttpRequest, found: Candidate, act: Callable[[], object], done: str) -> HttpResponse:
    try:
        act()
    except RefusedError as refused:
        messages.error(request, f"{refused.message} {refused.remedy}".strip())
    else:
        messages.success(request, done)
    return redirect("admission:candidate", found.admission.project.slug, found.pk)


def _admission(slug: str) -> Admission:
    rows = Admission.objects.select_related("project", "qualification", "trial")
    return get_object_or_404(rows, project__slug=slug)


def _candidate(slug: str, pk: int) -> Candidate:
    names = ("admission__project", "admission__qualification", "admission__trial", "person", "decided_by")
    return get_object_or_404(Candidate.objects.select_related(*names), pk=pk, admission__project__slug=slug)


def _trail(admission: Admission) -> Trail:
    return organisers_trail(admission.project)


def _people(request: HttpRequest, admission: Admission, form: ImportForm) -> HttpResponse:
    report = reports.report(admission)
    rows = Candidate.objects.filter(admission=admission).select_related("person").order_by("-pk")
    state = request.GET.get("state", "")
    if state in dict(Candidate.STATES):
        rows = rows.filter(state=state)
    values = {
        "project": admission.project,
        "admission": admission,
        "settings": settings_of(admission),
        "report": report,
        "funnel": [(words.FUNNEL[name], count, PAPER.get(name)) for name, count in report.funnel.items()],
        "page_obj": page_of(request, rows),
        "states": Candidate.STATES,
        "state": state,
        "tones": words.TONES,
        "form": form,
        "trail": _trail(admission),
    }
    return render(request, "admission/people.html", values, status=422 if form.errors else 200)


def _one(request: HttpRequest, found: Candidate, form: DecisionForm) -> HttpResponse:
    admission = found.admission
    standing, questions = reports.attempts_of(found)
    trial = reports.trial_of(found)
    values = {
        "project": admission.project,
        "admission": admission,
        "candidate": found,
        "verdict": [
            (words.REQUIREMENTS[one.name], one, words.SOURCES[one.source])
            for one in verdict_of(admission, found).findings
        ],
        "standing": standing,
        "failed": sum(standing.failed.values()),
        "questions": questions,
        "settings": settings_of(admission),
        "trial": trial.facts if trial else None,
        "beside": trial,
        "trial_tasks": admission.trial.tasks.count() if admission.trial else 0,
        "form": form,
        "forgivable": found.state in ("requirements", "qualification", "failed", "refused"),
        "trail": [*_trail(admission), (reverse("admission:people", args=[admission.project.slug]), _("Admission"))],
    }
    return render(request, "admission/candidate.html", values, status=422 if form.errors else 200)
