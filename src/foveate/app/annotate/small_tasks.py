"""The pages of the two stages that need no canvas: asking a question about a photo, and verifying a box.

They are forms that work without JavaScript. They save and send through the same services as the API.
"""

from __future__ import annotations

import time
import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from pydantic import ValidationError

from foveate.annotation.work import WORK, Work
from foveate.app.accounts.roles import person_of
from foveate.app.annotate import words
from foveate.app.annotate.links import TASK, links_for
from foveate.app.annotate.models import Assignment
from foveate.app.annotate.services.drafts import Draft, newest_of, save
from foveate.app.annotate.services.going_on import after_sending
from foveate.app.annotate.services.photos import address
from foveate.app.annotate.services.send import give_back, send
from foveate.app.annotate.small_forms import AskForm, SmallForm, VerifyForm
from foveate.app.annotate.texts import as_html, instructions_of
from foveate.app.annotate.views._pages import annotators_trail
from foveate.app.refused import RefusedError

# A page that lay open over night is not a night of attention.
_LONGEST_SITTING = 30 * 60


def ask(request: HttpRequest, assignment: Assignment) -> HttpResponse:
    """Shows a photo, and takes a question whose answer is one object of it."""
    return _page(request, assignment, AskForm)


def verify(request: HttpRequest, assignment: Assignment) -> HttpResponse:
    """Shows a photo with a box and its question, and takes whether that is right."""
    return _page(request, assignment, VerifyForm)


def _page(request: HttpRequest, assignment: Assignment, form_class: type[SmallForm]) -> HttpResponse:
    if assignment.state == "submitted":
        messages.info(request, _("This task was sent already."))
        return redirect("annotate:mine")
    if request.method != "POST":
        return _shown(request, assignment, form_class(initial=_begin(assignment)))
    if request.POST.get("act") == "return":
        give_back(person_of(request), assignment.pk, _text(request.POST.get("why", ""))[:200])
        messages.info(request, _("The task is given back. What you wrote is kept."))
        return redirect("annotate:mine")
    form = form_class(request.POST)
    if not form.is_valid():
        return _shown(request, assignment, form)
    try:
        done = _sent if request.POST.get("act") == "send" else _kept
        return done(request, assignment, form)
    except RefusedError as refused:
        return _told(request, assignment, form, refused)


def _text(said: str) -> str:
    # A NUL is no text, and PostgreSQL takes none.
    return said.replace("\0", "")


def _begin(assignment: Assignment) -> dict[str, Any]:
    """Returns what the form begins with: the newest draft, and what only the page needs."""
    newest = newest_of(assignment)
    values = dict(newest.work) if newest else {}
    return {
        **values,
        "base": newest.version if newest else 0,
        "tab": f"form-{uuid.uuid4().hex[:12]}",
        "key": uuid.uuid4(),
        "since": int(time.time()),
        "before": values.get("seconds", 0),
    }


def _work(assignment: Assignment, form: SmallForm) -> Work:
    values = form.cleaned_data
    sitting = min(max(time.time() - values["since"], 0), _LONGEST_SITTING)
    given = {name: values[name] for name in form.of_work}
    seconds = round(values["before"] + sitting, 1)
    try:
        return WORK.validate_python({**given, "stage": assignment.stage, "seconds": seconds})
    except ValidationError as error:
        said = _("The form holds what cannot be taken: %(what)s.") % {"what": error.errors()[0]["msg"]}
        raise RefusedError(422, "not_valid", said, _("Load the page again.")) from error


def _kept(request: HttpRequest, assignment: Assignment, form: SmallForm) -> HttpResponse:
    values = form.cleaned_data
    draft = Draft(values["base"], values["tab"], _work(assignment, form), request.POST.get("act") == "overwrite")
    version, now = save(person_of(request), assignment.pk, draft)
    until = date_format(localtime(now.leased_until), "H:i T")
    messages.success(request, _("Saved. The task is yours until %(until)s.") % {"until": until})
    return redirect(request.path)


def _sent(request: HttpRequest, assignment: Assignment, form: SmallForm) -> HttpResponse:
    person = person_of(request)
    send(person, assignment.pk, form.cleaned_data["key"], _work(assignment, form))
    messages.success(request, _("Sent. Thank you."))
    project = assignment.task.project
    if assignment.stage == "ask":
        return redirect("annotate:gallery", project.slug)
    return redirect(after_sending(person, project))


def _told(request: HttpRequest, assignment: Assignment, form: SmallForm, refused: RefusedError) -> HttpResponse:
    """Says on the same page, at the fields, why it was refused; nothing that was written is lost."""
    if refused.status == 404:
        raise refused
    problems = refused.details.get("problems") or []
    for one in problems:
        field = one["field"] if one["field"] in form.fields else None
        form.add_error(field, f"{_capital(one['problem'])}. {one['remedy']}")
    if not problems:
        form.add_error(None, f"{refused.message} {refused.remedy}")
    conflict = refused.details if refused.code == "draft_conflict" else None
    return _shown(request, assignment, form, conflict, status=refused.status)


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _shown(
    request: HttpRequest,
    assignment: Assignment,
    form: SmallForm,
    conflict: dict[str, Any] | None = None,
    status: int | None = None,
) -> HttpResponse:
    values = {
        "assignment": assignment,
        "task": assignment.task,
        "form": form.ready(),
        "conflict": conflict,
        "picture": _picture(assignment),
        "api": f"{reverse('api:api-root')}assignments/{assignment.pk}",
        "task_links": links_for(TASK, assignment.annotator, assignment.task.project),
        "words": {name: str(sentence) for name, sentence in words.SAVING.items()},
        "instructions": as_html(instructions_of(assignment.task.project)),
        "trail": annotators_trail(),
    }
    wrong = 422 if form.errors else 200
    return render(request, "annotate/small_task.html", values, status=status or wrong)


def _picture(assignment: Assignment) -> str:
    if assignment.stage == "verify":
        return reverse("annotate:shown_picture", args=[assignment.pk])
    return address(assignment.task, "full")
