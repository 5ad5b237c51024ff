"""Threads: an annotator's own, and all of them for organisers."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from foveate.app.accounts.models import User
from foveate.app.accounts.roles import has_role, person_of, role_required
from foveate.app.annotate.models import Assignment, Project
from foveate.app.annotate.services.access import is_in, not_found
from foveate.app.annotate.services.photos import address
from foveate.app.annotate.views._pages import organisers_trail, page_of
from foveate.app.talk import threads
from foveate.app.talk.forms import MessageForm
from foveate.app.talk.models import Thread

_STATES = ("open", "closed")


@require_safe
@role_required("annotator", "organiser")
def questions(request: HttpRequest, slug: str | None = None) -> HttpResponse:
    """Lists threads, those with something new first: to organisers all, to an annotator their own."""
    person = person_of(request)
    organises = has_role(person, "organiser")
    rows = threads.all_threads() if organises else threads.own_threads(person)
    project = None
    if slug is not None:
        project = get_object_or_404(Project, slug=slug)
        if not (organises or is_in(person, project) or rows.filter(project=project).exists()):
            raise not_found()
        rows = rows.filter(project=project)
    state = request.GET.get("state", "")
    if state in _STATES:
        rows = rows.filter(state=state)
    values = {
        "project": project,
        "organises": organises,
        "may_ask": project is not None and is_in(person, project),
        "state": state,
        "page_obj": page_of(request, rows),
        "trail": organisers_trail(project) if organises and project else [],
    }
    return render(request, "talk/questions.html", values)


@require_http_methods(["GET", "HEAD", "POST"])
@role_required("annotator")
def ask(request: HttpRequest, slug: str) -> HttpResponse:
    """Takes a question to the organisers, about the task that the person is doing where there is one."""
    person = person_of(request)
    project = get_object_or_404(Project, slug=slug)
    if not is_in(person, project):
        raise not_found()
    number = request.POST.get("about") or request.GET.get("about", "")
    about = _about(person, project, number) if number else threads.assignment_in_hand(person, project)
    return _first_message(request, project, person, about)


@require_http_methods(["GET", "HEAD", "POST"])
@role_required("organiser")
def write_to(request: HttpRequest, slug: str, pseudonym: UUID) -> HttpResponse:
    """Begins a thread with an annotator of a project."""
    project = get_object_or_404(Project, slug=slug)
    annotator = get_object_or_404(User, pseudonym=pseudonym, deleted_at=None)
    worked = Assignment.objects.filter(annotator=annotator, task__project=project).exists()
    if not (worked or is_in(annotator, project)):
        raise not_found()
    return _first_message(request, project, annotator, None)


@require_http_methods(["GET", "HEAD", "POST"])
@role_required("organiser", secret=True)
def write_about(request: HttpRequest, assignment: int) -> HttpResponse:
    """Begins a thread with an annotator, about something that they sent."""
    found = get_object_or_404(Assignment.objects.select_related("task__project", "annotator"), pk=assignment)
    return _first_message(request, found.task.project, found.annotator, found)


@require_http_methods(["GET", "HEAD", "POST"])
@role_required("annotator", "organiser", secret=True)
def thread(request: HttpRequest, thread: int) -> HttpResponse:
    """Shows a thread, and takes an answer; it is closed and opened again here."""
    person = person_of(request)
    found = threads.thread_for(person, thread)
    act = request.POST.get("act", "send")
    form = MessageForm(request.POST if request.method == "POST" and act == "send" else None)
    if request.method == "POST":
        if act in ("close", "open"):
            threads.set_state(found, "closed" if act == "close" else "open")
            messages.success(request, _("It is closed.") if act == "close" else _("It is open again."))
            return redirect("talk:thread", thread)
        if form.is_valid():
            threads.answer(found, person, form.said())
            messages.success(request, _("Your message is sent."))
            return redirect("talk:thread", thread)
    if request.method == "GET":
        threads.see(found, person)
    return render(request, "talk/thread.html", _shown(person, found, form), status=422 if form.errors else 200)


def _about(person: User, project: Project, number: str) -> Assignment:
    if not number.isdecimal() or len(number) > 18:
        raise not_found()
    return threads.assignment_of(person, project, int(number))


def _first_message(request: HttpRequest, project: Project, annotator: User, about: Assignment | None) -> HttpResponse:
    person = person_of(request)
    form = MessageForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        made = threads.begin(project, annotator, person, form.said(), about)
        messages.success(request, _("Your message is sent. The answer is read here; no e-mail is sent."))
        return redirect("talk:thread", made.pk)
    own = person.pk == annotator.pk
    values = {
        "project": project,
        "annotator": None if own else annotator,
        "about": about,
        "photo": address(about.task, "thumb") if about else "",
        "form": form,
        "trail": [(reverse("talk:questions"), _("Questions"))],
    }
    return render(request, "talk/ask.html", values, status=422 if form.errors else 200)


def _shown(person: User, thread: Thread, form: MessageForm) -> dict[str, object]:
    about = thread.assignment
    return {
        "thread": thread,
        "project": thread.project,
        "said": thread.messages.select_related("author").order_by("pk"),
        "about": about,
        "photo": address(about.task, "thumb") if about else "",
        "organises": has_role(person, "organiser"),
        "own": thread.annotator_id == person.pk,
        "form": form,
        "trail": [(reverse("talk:questions"), _("Questions"))],
    }
