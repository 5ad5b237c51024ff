"""How alike the submissions of a project are."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from foveate.app.accounts.roles import role_required
from foveate.app.adjudicate import words
from foveate.app.adjudicate.charts import histogram
from foveate.app.adjudicate.services.coefficients import LEAST_TASKS, Coefficients, coefficients
from foveate.app.adjudicate.services.compare import MOST_PEOPLE, left_out, not_compared, rebuild
from foveate.app.adjudicate.services.figures import figures_of, undecided
from foveate.app.annotate.models import Project
from foveate.app.annotate.views._pages import organisers_trail
from foveate.quality.alpha import Alpha

# So many are compared while a page is waited for; `foveate annotate agreement` has no bound.
_AT_ONCE = 500


@require_safe
@role_required("organiser", secret=True)
def agreement(request: HttpRequest, slug: str) -> HttpResponse:
    """Shows how alike people's drawings are, and in which steps they differ."""
    project = get_object_or_404(Project, slug=slug)
    figures = figures_of(project)
    alphas = coefficients(project) if figures.pairs else None
    values = {
        "project": project,
        "figures": figures,
        "chart": histogram(figures) if figures.pairs else "",
        "bands": figures.bands(),
        "differ": [(code, words.DIFFER[code], n) for code, n in figures.differ.items()],
        "undecided": undecided(project),
        "alphas": alphas,
        "alpha_rows": _alpha_rows(alphas) if alphas else [],
        "not_compared": not_compared(project).count(),
        "too_many": left_out(project).count(),
        "most_people": MOST_PEOPLE,
        "trail": organisers_trail(project),
    }
    return render(request, "adjudicate/agreement.html", values)


def _alpha_rows(found: Coefficients) -> list[dict[str, Any]]:
    every = [("regions", found.alpha), *((step.name, step.alpha) for step in found.steps)]
    return [_alpha_row(name, one) for name, one in every]


def _alpha_row(name: str, found: Alpha) -> dict[str, Any]:
    how = _how(found)
    is_told = how not in ("undefined", "too_few")
    said = str(words.ALPHA_HOW[how]) % {"n": LEAST_TASKS}
    return {"label": words.ALPHA_OF[name], "alpha": found, "is_told": is_told, "how": said}


def _how(alpha: Alpha) -> str:
    if alpha.value is None:
        return "undefined"
    if alpha.tasks < LEAST_TASKS:
        return "too_few"
    return f"{alpha.compared}_sampled" if alpha.sampled else alpha.compared


@require_POST
@role_required("organiser", secret=True)
def compare(request: HttpRequest, slug: str) -> HttpResponse:
    """Compares tasks that never were: those of before this page was there."""
    project = get_object_or_404(Project, slug=slug)
    done = rebuild(project, anew=False, limit=_AT_ONCE)
    messages.success(request, _("Compared: %(n)d tasks.") % {"n": done})
    return redirect("adjudicate:agreement", slug)
