"""What an organiser may change of a project: settings, members, instructions."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from foveate.app.accounts.audit import note
from foveate.app.accounts.roles import role_required
from foveate.app.annotate.forms import InstructionsForm, ProjectForm
from foveate.app.annotate.models import Project
from foveate.app.annotate.projects import set_settings, settings_of
from foveate.app.annotate.texts import as_html, instructions_of
from foveate.app.annotate.views._pages import organisers_trail
from foveate.errors import UsageError


@require_http_methods(["GET", "HEAD", "POST"])
@role_required("organiser")
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Shows and changes a project's settings and who may work on it."""
    project = get_object_or_404(Project, slug=slug)
    now = {**project.settings, "title": project.title, "everyone": project.everyone, "members": project.members.all()}
    form = ProjectForm(request.POST if request.method == "POST" else None, initial=now)
    if request.method == "POST" and form.is_valid():
        try:
            _keep(request, project, form)
        except UsageError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("The settings are saved."))
            return redirect("annotate:project", slug)
    values = {"project": project, "form": form, "trail": organisers_trail(project)}
    return render(request, "annotate/settings.html", values, status=422 if form.errors else 200)


@transaction.atomic
def _keep(request: HttpRequest, project: Project, form: ProjectForm) -> None:
    # Of two who change it at once, the second's row tells what the first has left.
    project = Project.objects.select_for_update().get(pk=project.pk)
    before, was = _values(project), _members(project)
    set_settings(project, form.settings(settings_of(project).seed))
    project.title, project.everyone = form.cleaned_data["title"], form.cleaned_data["everyone"]
    project.save(update_fields=["title", "everyone"])
    project.members.set(form.cleaned_data["members"])
    after = _values(project)
    changed: dict[str, Any] = {
        name: {"was": before.get(name), "now": now} for name, now in after.items() if before.get(name) != now
    }
    changed.update(_come_and_gone(was, _members(project)))
    if changed:
        note(request, "project.set", project.slug, **changed)


def _values(project: Project) -> dict[str, Any]:
    return {**settings_of(project).model_dump(mode="json"), "title": project.title, "everyone": project.everyone}


def _members(project: Project) -> set[str]:
    # The log names nobody.
    return {str(one) for one in project.members.values_list("pseudonym", flat=True)}


def _come_and_gone(was: set[str], now: set[str]) -> dict[str, Any]:
    return {"members": {"added": sorted(now - was), "removed": sorted(was - now)}} if was != now else {}


@require_http_methods(["GET", "HEAD", "POST"])
@role_required("organiser")
def write_instructions(request: HttpRequest, slug: str) -> HttpResponse:
    """Lets an organiser write instructions; the button "Preview" shows them and saves nothing."""
    project = get_object_or_404(Project, slug=slug)
    begin = {"instructions": instructions_of(project)}
    form = InstructionsForm(request.POST if request.method == "POST" else None, initial=begin)
    preview = ""
    if request.method == "POST" and form.is_valid():
        project.instructions = form.cleaned_data["instructions"].strip()
        if "preview" not in request.POST:
            with transaction.atomic():
                project.save(update_fields=["instructions"])
                note(request, "project.instructed", project.slug)
            messages.success(request, _("The instructions are saved."))
            return redirect("annotate:project", slug)
        preview = as_html(instructions_of(project))
    values = {"project": project, "form": form, "preview": preview, "trail": organisers_trail(project)}
    return render(request, "annotate/write_instructions.html", values)
