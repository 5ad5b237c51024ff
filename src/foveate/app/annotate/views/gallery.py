"""The photos of a box collection, from which a person picks one to ask about."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from foveate.app.accounts.roles import person_of, role_required
from foveate.app.annotate.models import Project
from foveate.app.annotate.progress import left_for, projects_for
from foveate.app.annotate.services.hooks import held
from foveate.app.annotate.services.lend import Wish, lend
from foveate.app.annotate.services.photos import address
from foveate.app.annotate.views._pages import annotators_trail, page_of

_PER_PAGE = 24
# No task has one as long, and Python refuses to read one of thousands of digits.
_LONGEST_NUMBER = 19


@require_http_methods(["GET", "HEAD", "POST"])
@role_required("annotator")
def gallery(request: HttpRequest, slug: str) -> HttpResponse:
    """Shows the photos that can be asked about; picking one lends it."""
    person = person_of(request)
    project = get_object_or_404(projects_for(person), slug=slug, kind="box_collection")
    if request.method == "POST":
        return _pick(request, project)
    free = left_for(person, project).filter(stage="ask")
    if held(person, project) is not None:
        free = free.none()
    page = page_of(request, free.select_related("project"), _PER_PAGE)
    photos = [(task, address(task, "thumb")) for task in page]
    values = {"project": project, "page_obj": page, "photos": photos, "trail": annotators_trail()}
    return render(request, "annotate/gallery.html", values)


def _pick(request: HttpRequest, project: Project) -> HttpResponse:
    number = request.POST.get("task", "")
    if not number.isdecimal() or len(number) > _LONGEST_NUMBER:
        raise Http404
    lent = lend(person_of(request), project, Wish(stage="ask", task=int(number)))
    if lent is None:
        messages.info(request, _("Somebody else has just taken that photo. Pick another one."))
        return redirect("annotate:gallery", project.slug)
    if lent.assignment.task.pk != int(number):
        messages.info(request, _("You have begun another task, which comes first. Finish it, or give it back."))
    return redirect("annotate:work", lent.assignment.pk)
