"""The photos of a box collection, from which a person picks one to ask about."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from foveate.app.accounts.roles import has_role, role_required
from foveate.app.annotate.models import Project, Task
from foveate.app.annotate.pictures import thumbnail_of
from foveate.app.annotate.progress import left_for, projects_for
from foveate.app.annotate.services.lend import Wish, lend
from foveate.app.annotate.views._pages import annotators_trail, page_of, person_of

_PER_PAGE = 24


@require_http_methods(["GET", "HEAD", "POST"])
@role_required("annotator")
def gallery(request: HttpRequest, slug: str) -> HttpResponse:
    """Shows the photos that can be asked about; picking one lends it."""
    person = person_of(request)
    project = get_object_or_404(projects_for(person), slug=slug, kind="box_collection")
    if request.method == "POST":
        return _pick(request, project)
    free = left_for(person, project).filter(stage="ask")
    values = {"project": project, "page_obj": page_of(request, free, _PER_PAGE), "trail": annotators_trail()}
    return render(request, "annotate/gallery.html", values)


def _pick(request: HttpRequest, project: Project) -> HttpResponse:
    number = request.POST.get("task", "")
    if not number.isdecimal():
        raise Http404
    lent = lend(person_of(request), project, Wish(stage="ask", task=int(number)))
    if lent is None:
        messages.info(request, _("Somebody else has just taken that photo. Pick another one."))
        return redirect("annotate:gallery", project.slug)
    if lent.assignment.task.pk != int(number):
        messages.info(request, _("You have begun another task, which comes first. Finish it, or give it back."))
    return redirect("annotate:work", lent.assignment.pk)


@require_safe
@role_required("annotator", "organiser", secret=True)
def thumbnail(request: HttpRequest, pk: int) -> HttpResponse:
    """Answers with a small picture of a task's photo, to the people of its project."""
    person = person_of(request)
    tasks = Task.objects.select_related("project")
    if not has_role(person, "organiser"):
        tasks = tasks.filter(project__in=projects_for(person))
    answer = HttpResponse(thumbnail_of(get_object_or_404(tasks, pk=pk)), content_type="image/jpeg")
    answer["Cache-Control"] = "private, max-age=86400"
    return answer
