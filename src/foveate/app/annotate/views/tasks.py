"""An organiser's pages of tasks: all of a project, and one with all submissions side by side."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from foveate.app.accounts.roles import role_required
from foveate.app.annotate import words
from foveate.app.annotate.links import SENT
from foveate.app.annotate.models import Project, Submission, Task
from foveate.app.annotate.pictures import picture_of
from foveate.app.annotate.views._pages import organisers_trail, page_of


@require_safe
@role_required("organiser")
def tasks(request: HttpRequest, slug: str) -> HttpResponse:
    """Lists a project's tasks, of one state or stage where that is asked for."""
    project = get_object_or_404(Project, slug=slug)
    state, stage = request.GET.get("state", ""), request.GET.get("stage", "")
    rows = project.tasks.order_by("position")
    if state in dict(Task.STATES):
        rows = rows.filter(state=state)
    if stage in words.STAGES:
        rows = rows.filter(stage=stage)
    values = {
        "project": project,
        "page_obj": page_of(request, rows),
        "states": Task.STATES,
        "stages": words.STAGES,
        "state": state,
        "stage": stage,
        "trail": organisers_trail(project),
    }
    return render(request, "annotate/tasks.html", values)


@require_safe
@role_required("organiser")
def task(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Shows a task with all that was sent for it."""
    found = get_object_or_404(Task.objects.select_related("project"), pk=pk, project__slug=slug)
    sent = Submission.objects.filter(assignment__task=found).select_related("assignment__annotator", "assignment__task")
    lent = found.assignments.exclude(state="submitted").select_related("annotator").order_by("leased_at")
    values = {
        "project": found.project,
        "task": found,
        "submissions": sent.order_by("sent_at", "pk"),
        "lent": lent,
        "sent_links": SENT,
        "trail": organisers_trail(found.project),
    }
    return render(request, "annotate/task.html", values)


@require_safe
@role_required("organiser", secret=True)
def submission_picture(request: HttpRequest, pk: int) -> HttpResponse:
    """Draws what was sent on its photo; `?small` in the size of a list."""
    sent = get_object_or_404(Submission.objects.select_related("assignment__task__project"), pk=pk)
    answer = HttpResponse(picture_of(sent, small="small" in request.GET), content_type="image/png")
    # What was sent never changes.
    answer["Cache-Control"] = "private, max-age=31536000, immutable"
    return answer
