"""An organiser's page of a project's gold questions: how often they were met and missed, and which there are."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from foveate.app.accounts.roles import role_required
from foveate.app.annotate.models import Project, Task
from foveate.app.annotate.projects import settings_of as project_settings
from foveate.app.annotate.services import gold as golds
from foveate.app.annotate.views._pages import organisers_trail, page_of
from foveate.app.review.services import measure
from foveate.app.review.services.flagged import settings_of
from foveate.app.review.services.people import answered, gold_counts
from foveate.errors import FoveateError

_ANSWERED = 50


@require_http_methods(["GET", "HEAD", "POST"])
@role_required("organiser")
def gold(request: HttpRequest, slug: str) -> HttpResponse:
    """Lists gold questions, and tasks that could be; a button makes a task the one or the other."""
    project = get_object_or_404(Project, slug=slug)
    if request.method == "POST":
        return _mark(request, project)
    left = measure.bring_up(project, measure.PATIENCE)
    threshold = settings_of(project).gold_threshold
    page = page_of(request, project.tasks.filter(gold=True).order_by("key"))
    counts = gold_counts(project, page, threshold)
    could_be = answered(project)
    values = {
        "project": project,
        "page_obj": page,
        "rows": [(task, *counts.get(task.pk, (0, 0))) for task in page],
        "threshold": threshold,
        "every": project_settings(project).gold_every,
        "ordinary": project.tasks.filter(gold=False).exists(),
        "could_be": could_be[:_ANSWERED],
        "more": max(0, could_be.count() - _ANSWERED),
        "left": left,
        "trail": organisers_trail(project),
    }
    return render(request, "review/gold.html", values)


def _mark(request: HttpRequest, project: Project) -> HttpResponse:
    number, wanted = request.POST.get("task", ""), request.POST.get("gold") == "yes"
    task = get_object_or_404(Task, project=project, pk=int(number) if number.isdecimal() and len(number) < 19 else 0)
    try:
        golds.mark(task, wanted, request=request)
    except FoveateError as error:
        messages.error(request, str(error))
    else:
        said = _("%(key)s is a gold question now.") if wanted else _("%(key)s is an ordinary task again.")
        messages.success(request, said % {"key": task.key})
    return redirect("review:gold", project.slug)
