"""The page of tricky cases, a case with its history, and how organisers write them."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from foveate.app.accounts.models import User
from foveate.app.accounts.roles import has_role, person_of, role_required
from foveate.app.annotate.models import Project
from foveate.app.annotate.pictures import picture_with
from foveate.app.annotate.services.access import is_in, not_found
from foveate.app.annotate.texts import as_html
from foveate.app.annotate.views._pages import annotators_trail, organisers_trail
from foveate.app.refused import RefusedError
from foveate.app.talk.cases import cases_of, look, looked_at, move, shape_to_show, why_not_shown, write
from foveate.app.talk.forms import CaseForm
from foveate.app.talk.models import Case, CaseVersion
from foveate.app.talk.threads import thread_for

Trail = list[tuple[str, str]]
_ACTS = ("up", "down", "withdraw", "restore")


@require_safe
@role_required("annotator", "organiser")
def cases(request: HttpRequest, slug: str) -> HttpResponse:
    """Shows a project's tricky cases; what is new since the person last looked is marked."""
    person = person_of(request)
    project = _project(person, slug)
    since = looked_at(project, person)
    found = cases_of(project, since)
    organises = has_role(person, "organiser")
    values = {
        "project": project,
        "cases": [(one, as_html(one.now.text)) for one in found],
        "organises": organises,
        "withdrawn": _withdrawn(project) if organises else [],
        "trail": _trail(person, project),
    }
    answer = render(request, "talk/cases.html", values)
    if request.method == "GET":
        look(project, person)
    return answer


@require_safe
@role_required("annotator", "organiser")
def case(request: HttpRequest, slug: str, case: int) -> HttpResponse:
    """Shows a case with all that it ever said, the newest first."""
    person = person_of(request)
    project = _project(person, slug)
    found = get_object_or_404(Case, pk=case, project=project)
    if found.withdrawn_at is not None and not has_role(person, "organiser"):
        raise not_found()
    versions = found.versions.select_related("made_by", "task__project").order_by("-number")
    values = {
        "project": project,
        "case": found,
        "versions": [(one, as_html(one.text)) for one in versions],
        "organises": has_role(person, "organiser"),
        "trail": [*_trail(person, project), (reverse("talk:cases", args=[slug]), _("Tricky cases"))],
    }
    return render(request, "talk/case.html", values)


@require_safe
@role_required("annotator", "organiser", secret=True)
def picture(request: HttpRequest, slug: str, case: int, number: int) -> HttpResponse:
    """Answers with the example of a version: the photo with what was drawn; only as long as it gives nothing away."""
    found = get_object_or_404(Case, pk=case, project=_project(person_of(request), slug))
    version = get_object_or_404(found.versions.select_related("task__project"), number=number)
    if version.task is None or why_not_shown(version.task):
        raise not_found()
    shape = shape_to_show(version.task)
    if shape is None:  # pragma: no cover - `why_not_shown` has looked
        raise not_found()
    answer = HttpResponse(picture_with(version.task, shape), content_type="image/png")
    # Not kept: it may have to go.
    answer["Cache-Control"] = "private, no-store"
    return answer


@require_http_methods(["GET", "HEAD", "POST"])
@role_required("organiser")
def write_case(request: HttpRequest, slug: str, case: int | None = None) -> HttpResponse:
    """Writes a case, or changes one: what it said before is kept."""
    project = get_object_or_404(Project, slug=slug)
    found = None if case is None else get_object_or_404(Case, pk=case, project=project)
    form = CaseForm(project, request.POST or None, initial=_begin(request, project, found))
    preview = None
    if request.method == "POST" and form.is_valid():
        if "preview" in request.POST:
            preview = as_html(form.cleaned_data["text"])
        else:
            write(project, form.words(), person_of(request), found, request=request)
            messages.success(request, _("The case is written. Whoever works on the project sees it as new."))
            return redirect("talk:cases", slug)
    trail = [*organisers_trail(project), (reverse("talk:cases", args=[slug]), _("Tricky cases"))]
    values = {"project": project, "case": found, "form": form, "preview": preview, "trail": trail}
    return render(request, "talk/write_case.html", values, status=422 if form.errors else 200)


@require_POST
@role_required("organiser")
def move_case(request: HttpRequest, slug: str, case: int) -> HttpResponse:
    """Moves a case up or down, withdraws it or puts it back."""
    found = get_object_or_404(Case.objects.select_related("project"), pk=case, project__slug=slug)
    act = request.POST.get("act", "")
    if act not in _ACTS:
        raise not_found()
    move(found, act, request=request)
    said = {"withdraw": _("The case is withdrawn."), "restore": _("The case is back, at the end.")}
    messages.success(request, said.get(act, _("The case is moved.")))
    return redirect("talk:cases", slug)


def _project(person: User, slug: str) -> Project:
    project = Project.objects.filter(slug=slug).first()
    if project is None or not (is_in(person, project) or has_role(person, "organiser")):
        raise not_found()
    return project


def _withdrawn(project: Project) -> list[CaseVersion]:
    gone = project.cases.exclude(withdrawn_at=None).order_by("pk")
    return [case.versions.latest("number") for case in gone]


def _trail(person: User, project: Project) -> Trail:
    return organisers_trail(project) if has_role(person, "organiser") else annotators_trail()


def _begin(request: HttpRequest, project: Project, case: Case | None) -> dict[str, str]:
    """Returns what the form begins with: what the case says now, or what was written in a thread."""
    if case is not None:
        now = case.versions.select_related("task").latest("number")
        return {"title": now.title, "text": now.text, "task": now.task.key if now.task else ""}
    number = request.GET.get("thread", "")
    if not number.isdecimal() or len(number) > 18:
        return {}
    try:
        thread = thread_for(person_of(request), int(number))
    except RefusedError:
        return {}
    if thread.project_id != project.pk:
        return {}
    texts = list(thread.messages.order_by("pk").values_list("text", "by_organiser"))
    answers = [text for text, by_organiser in texts if by_organiser]
    asked = next((text for text, by_organiser in texts if not by_organiser), "")
    task = thread.assignment.task if thread.assignment else None
    shown = task.key if task is not None and not why_not_shown(task) else ""
    quoted = "\n".join(f"> {line}" for line in asked.splitlines())
    first = asked.strip().splitlines()[0][:200] if asked.strip() else ""
    return {"title": first, "text": "\n\n".join(filter(None, [quoted, *answers[-1:]])), "task": shown}
