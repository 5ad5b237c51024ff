"""The tasks that wait for a decision."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from foveate.app.accounts.roles import role_required
from foveate.app.adjudicate import words
from foveate.app.adjudicate.models import TaskAgreement
from foveate.app.adjudicate.services.compare import MOST_PEOPLE, left_out, not_compared
from foveate.app.adjudicate.services.queue import Wish, rows
from foveate.app.annotate.models import Project
from foveate.app.annotate.views._pages import organisers_trail, page_of


@require_safe
@role_required("organiser", secret=True)
def queue(request: HttpRequest, slug: str) -> HttpResponse:
    """Lists the tasks that can be decided about, those first of which people agree least."""
    project = get_object_or_404(Project, slug=slug)
    wish = Wish.of(request.GET.dict())
    found = rows(project, wish)
    known = TaskAgreement.objects.filter(project=project, task__state="done")
    values = {
        "project": project,
        "wish": wish,
        "which": words.WHICH,
        "decided": words.DECIDED,
        "page_obj": page_of(request, found.select_related("task")),
        "first": found.values_list("task_id", flat=True).first(),
        "done": known.count(),
        "left": known.filter(decided=False).count(),
        "not_compared": not_compared(project).count(),
        "too_many": left_out(project).count(),
        "most_people": MOST_PEOPLE,
        "trail": organisers_trail(project),
    }
    return render(request, "adjudicate/queue.html", values)
