"""The page on which regions are drawn; its script does the rest through the API."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from foveate.annotation.reasons import REASONS, WITH_TEXT
from foveate.app.annotate.draw_words import WORDS
from foveate.app.annotate.links import TASK, links_for, notes_beside
from foveate.app.annotate.models import Assignment
from foveate.app.annotate.services import held_back
from foveate.app.annotate.services.shown import answer_shown
from foveate.app.annotate.texts import as_html, instructions_of


def draw(request: HttpRequest, assignment: Assignment) -> HttpResponse:
    """Shows a task's photo to draw on; what is over leads on."""
    if assignment.state in ("submitted", "returned"):
        said = {"submitted": _("You have submitted this task."), "returned": _("You have given this task back.")}
        taken = _("The organiser has paused you here, and this task, which you had not begun, was taken back.")
        messages.info(request, taken if assignment.why == held_back.WHY else said[assignment.state])
        return redirect("annotate:mine")
    context = {
        "assignment": assignment,
        "task": assignment.task,
        "answer": answer_shown(assignment),
        "instructions": as_html(instructions_of(assignment.task.project)),
        "reasons": [(code, _(text), code in WITH_TEXT) for code, text in REASONS.items()],
        "task_links": links_for(TASK, assignment.annotator, assignment.task.project),
        "notes": notes_beside(assignment),
        "words": {name: str(sentence) for name, sentence in WORDS.items()},
        "api": f"{reverse('api:api-root')}assignments/{assignment.pk}",
    }
    return render(request, "annotate/draw.html", context)
