"""An annotator's pages: what there is to do, what was done, and the instructions."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from foveate.app.accounts.models import User
from foveate.app.accounts.roles import has_role, person_of, role_required
from foveate.app.annotate import small_tasks
from foveate.app.annotate.draw import draw
from foveate.app.annotate.links import MINE, links_for, offers_for, under_headings
from foveate.app.annotate.models import Assignment, Project, Submission
from foveate.app.annotate.pictures import picture_to_judge
from foveate.app.annotate.progress import left_for, left_of, projects_for, sent_by
from foveate.app.annotate.services.access import own_assignment
from foveate.app.annotate.services.going_on import next_page
from foveate.app.annotate.services.hooks import held
from foveate.app.annotate.texts import as_html, instructions_of
from foveate.app.annotate.views._pages import annotators_trail, page_of

STAGE_PAGES = {
    "ask": small_tasks.ask,
    "verify": small_tasks.verify,
    "grounding": draw,
    "box": draw,
    "polygon": draw,
}


@require_safe
@role_required("annotator")
def mine(request: HttpRequest) -> HttpResponse:
    """Shows the projects in which a person may work: what they have begun, how much they did, what is left."""
    person = person_of(request)
    rows = [
        {
            "project": project,
            "sent": sent_by(person, project),
            # Photos to ask about are picked, all else is lent.
            "left": left_of(person, project, but="ask"),
            "photos": 0 if held(person, project) else left_for(person, project).filter(stage="ask").count(),
            "held": held(person, project),
            "begun": begun(person, project),
            "links": links_for(MINE, person, project),
        }
        for project in projects_for(person).order_by("title", "slug")
    ]
    return render(request, "annotate/mine.html", {"rows": rows, "offers": under_headings(offers_for(person))})


@require_POST
@role_required("annotator")
def take(request: HttpRequest, slug: str) -> HttpResponse:
    """Lends a person the next task, or leads to the one that they have."""
    person = person_of(request)
    project = get_object_or_404(projects_for(person), slug=slug)
    address = next_page(person, project)
    if address == reverse("annotate:mine"):
        messages.info(request, _("There is nothing left for you in “%(title)s” just now.") % {"title": project.title})
    return redirect(address)


@require_safe
@role_required("annotator")
def my_submissions(request: HttpRequest) -> HttpResponse:
    """Lists what a person has sent."""
    sent = Submission.objects.filter(assignment__annotator=person_of(request))
    sent = sent.select_related("assignment__task__project").order_by("-sent_at", "-pk")
    return render(
        request, "annotate/my_submissions.html", {"page_obj": page_of(request, sent), "trail": annotators_trail()}
    )


@require_safe
@role_required("annotator", "organiser")
def instructions(request: HttpRequest, slug: str) -> HttpResponse:
    """Shows a project's instructions to those who may work in it, and to organisers."""
    person = person_of(request)
    allowed = Project.objects.all() if has_role(person, "organiser") else projects_for(person)
    project = get_object_or_404(allowed, slug=slug)
    values = {"project": project, "html": as_html(instructions_of(project)), "trail": annotators_trail()}
    return render(request, "annotate/instructions.html", values)


@require_http_methods(["GET", "HEAD", "POST"])
@role_required("annotator", secret=True)
def work(request: HttpRequest, assignment: int) -> HttpResponse:
    """Shows the page of a task's stage."""
    found = own_assignment(person_of(request), assignment)
    page = STAGE_PAGES.get(found.stage)
    if page is None:
        raise Http404
    return page(request, found)


@require_safe
@role_required("annotator", secret=True)
def shown_picture(request: HttpRequest, assignment: int) -> HttpResponse:
    """Answers with the photo of a task that a person has, and the box that is to be verified on it."""
    found = own_assignment(person_of(request), assignment)
    answer = HttpResponse(picture_to_judge(found), content_type="image/png")
    answer["Cache-Control"] = "private, max-age=3600"
    return answer


def begun(person: User, project: Project) -> list[Assignment]:
    """Returns what a person has begun in a project, whose lease runs still."""
    rows = Assignment.objects.filter(annotator=person, task__project=project, state="leased")
    return list(rows.filter(leased_until__gt=timezone.now()).select_related("task").order_by("leased_at"))
