"""An organiser's pages: the projects, a new one, one with all that is known of it, and what is done to it."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from foveate.app.accounts.roles import person_of, role_required
from foveate.app.annotate import words
from foveate.app.annotate.forms import NewProjectForm
from foveate.app.annotate.links import PROJECT, grouped
from foveate.app.annotate.models import Project, Submission
from foveate.app.annotate.parts import nested, part_of
from foveate.app.annotate.progress import Progress, people_of, progress_of, progress_of_all
from foveate.app.annotate.projects import ACTS, act, acts_for, create, delete, settings_of
from foveate.app.annotate.views._pages import organisers_trail
from foveate.app.annotate.waiting import next_act
from foveate.errors import FoveateError, UsageError

_RECENT = 12
_ASIDE = 20
_ORDER = ("open", "paused", "draft", "closed")


@require_safe
@role_required("organiser")
def projects(request: HttpRequest) -> HttpResponse:
    """Lists all projects with how far they are, those first in which something happens."""
    found = sorted(Project.objects.order_by("-made_at", "slug"), key=lambda project: _ORDER.index(project.state))
    progress = progress_of_all(found)
    rows = [(project, progress[project.pk], parts) for project, parts in nested(found)]
    return render(request, "annotate/projects.html", {"rows": rows})


@require_http_methods(["GET", "HEAD", "POST"])
@role_required("organiser")
def new(request: HttpRequest) -> HttpResponse:
    """Makes a project."""
    form = NewProjectForm(request.POST, request.FILES) if request.method == "POST" else NewProjectForm()
    if request.method == "POST" and form.is_valid():
        try:
            project, tasks = create(form.plan(), person_of(request), request=request)
        except FoveateError as error:
            listed = "audit" if form.cleaned_data["suspects"] else "ids"
            form.add_error(listed if error.where == "ids" else "dataset", str(error))
        else:
            done = _("The project is made, with %(n)d tasks. Open it when it is ready.")
            messages.success(request, done % {"n": len(tasks.rows)})
            return redirect("annotate:project", project.slug)
    values = {"form": form, "trail": organisers_trail()}
    return render(request, "annotate/new.html", values, status=422 if form.errors else 200)


@require_safe
@role_required("organiser")
def project(request: HttpRequest, slug: str) -> HttpResponse:
    """Shows a project: how far it is, who did what, what was set aside and what came in last."""
    found = get_object_or_404(Project.objects.select_related("made_by"), slug=slug)
    sent = Submission.objects.filter(assignment__task__project=found).order_by("-pk")
    part, progress = part_of(found), progress_of(found)
    values = {
        "project": found,
        "settings": settings_of(found),
        "part": part,
        "tasks": found.tasks.count() if part else progress.tasks,
        "progress": progress,
        "pages": grouped(PROJECT, person_of(request), found, part.name if part else None),
        "next": None if part else _next(found, progress),
        "people": people_of(found),
        "acts": [(name, words.ACTS[name]) for name in acts_for(found)],
        "aside": found.tasks.filter(state="set_aside").order_by("position")[:_ASIDE],
        "recent": sent.select_related("assignment__task", "assignment__annotator")[:_RECENT],
        "trail": organisers_trail(),
    }
    return render(request, "annotate/project.html", values)


def _next(project: Project, progress: Progress) -> tuple[str, str | Promise] | None:
    """Returns address and name of what comes next for a project; None while it runs, and where it is to be opened."""
    if project.state == "draft" or (project.state == "paused" and progress.over < progress.tasks):
        return None
    act = next_act(project)
    if act is None and progress.sent and (project.state == "closed" or progress.over == progress.tasks):
        return reverse("annotate:export", args=[project.slug]), _("Export")
    return act


@require_http_methods(["GET", "HEAD", "POST"])
@role_required("organiser")
def change(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """Asks whether a project is to be opened, paused or closed, and does it."""
    found = get_object_or_404(Project, slug=slug)
    if name not in ACTS:
        raise Http404
    if request.method == "POST":
        try:
            messages.success(request, str(words.AFTER[act(found, name, request=request).state]))
        except UsageError as error:
            messages.error(request, str(error))
        return redirect("annotate:project", slug)
    values = {
        "project": found,
        "name": name,
        "word": words.ACTS[name],
        "asked": words.ASKED[name],
        "progress": progress_of(found),
        "possible": name in acts_for(found),
        "trail": organisers_trail(found),
    }
    return render(request, "annotate/change.html", values)


@require_http_methods(["GET", "HEAD", "POST"])
@role_required("organiser")
def remove(request: HttpRequest, slug: str) -> HttpResponse:
    """Asks whether a draft is to be deleted, and does it."""
    found = get_object_or_404(Project, slug=slug)
    if request.method == "POST":
        try:
            delete(found, request=request)
        except FoveateError as error:
            messages.error(request, str(error))
            return redirect("annotate:project", slug)
        messages.success(request, _("The draft is deleted."))
        return redirect("annotate:projects")
    values = {"project": found, "possible": found.state == "draft", "trail": organisers_trail(found)}
    return render(request, "annotate/remove.html", values)
