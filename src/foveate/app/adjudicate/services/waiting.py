"""How many tasks wait for a decision, for an organiser's first page."""

from __future__ import annotations

from django.db.models import Count, QuerySet
from django.utils.translation import ngettext

from foveate.app.adjudicate.models import TaskAgreement
from foveate.app.annotate.models import Project


def to_adjudicate(projects: QuerySet[Project]) -> dict[int, int]:
    """Returns how many done tasks have no decision, by the numbers of the projects that have any.

    Where one person did a task there is nothing to choose between, so that it waits for nobody; the page of decisions
    lists it all the same.
    """
    rows = TaskAgreement.objects.filter(project__in=projects, decided=False, people__gt=1, task__state="done")
    return dict(rows.values_list("project").annotate(n=Count("pk")).order_by())


def so_many_tasks(n: int) -> str:
    """Returns what so many tasks are called."""
    return ngettext("%(n)d task to adjudicate", "%(n)d tasks to adjudicate", n) % {"n": n}
