"""What the pages share."""

from __future__ import annotations

from typing import TypeVar

from django.core.paginator import Page, Paginator
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from foveate.app.annotate.models import Project

PER_PAGE = 50
Trail = list[tuple[str, str]]
Row = TypeVar("Row", bound=Model)


def page_of(request: HttpRequest, rows: QuerySet[Row], per_page: int = PER_PAGE) -> Page[Row]:
    """Returns the page that `?page=` names, the nearest where there is none of that number."""
    return Paginator(rows, per_page).get_page(request.GET.get("page"))


def organisers_trail(project: Project | None = None) -> Trail:
    """Returns the way from the organiser's first page to a page below a project."""
    trail = [(reverse("annotate:projects"), _("Projects"))]
    return [*trail, (reverse("annotate:project", args=[project.slug]), project.title)] if project else trail


def annotators_trail() -> Trail:
    """Returns the way from the annotator's first page to a page below it."""
    return [(reverse("annotate:mine"), _("Annotate"))]
