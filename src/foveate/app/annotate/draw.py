"""The page of a task, and the drawing of regions on it."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt

from foveate.annotation.reasons import REASONS, WITH_TEXT
from foveate.app.accounts.roles import person_of, role_required
from foveate.app.annotate.draw_words import WORDS
from foveate.app.annotate.models import Assignment, Project
from foveate.app.annotate.services.access import own_assignment

# HTML in the text is shown as it stands, and links lead nowhere but to pages.
_MARKDOWN = MarkdownIt("js-default")


@role_required("annotator", secret=True)
def work(request: HttpRequest, assignment: int) -> HttpResponse:
    """Shows the page of an assignment's stage to whom it is lent."""
    found = own_assignment(person_of(request), assignment)
    return STAGE_PAGES[found.stage](request, found)


def draw(request: HttpRequest, assignment: Assignment) -> HttpResponse:
    """Shows the photo to draw on; all else goes through the API."""
    if assignment.state in ("submitted", "returned"):
        said = {"submitted": _("You have submitted this task."), "returned": _("You have given this task back.")}
        messages.info(request, said[assignment.state])
        return redirect("home")
    context = {
        "assignment": assignment,
        "task": assignment.task,
        "project": assignment.task.project,
        "instructions": instructions(assignment.task.project),
        "reasons": [(code, _(text), code in WITH_TEXT) for code, text in REASONS.items()],
        "words": {name: str(sentence) for name, sentence in WORDS.items()},
        "api": f"{reverse('api:api-root')}assignments/{assignment.pk}",
    }
    return render(request, "annotate/draw.html", context)


def instructions(project: Project) -> SafeString:
    """Returns what the organiser has written for a project, as HTML in which nothing can run."""
    return mark_safe(_MARKDOWN.render(project.instructions))


# Which page a stage has.
STAGE_PAGES: dict[str, Callable[[HttpRequest, Assignment], HttpResponse]] = {
    "grounding": draw,
    "box": draw,
    "polygon": draw,
}
