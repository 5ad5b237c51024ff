"""What of the checks waits for an organiser, as far as it is told without measuring anything."""

from __future__ import annotations

from django.db.models import Count, QuerySet
from django.utils.translation import ngettext

from foveate.app.annotate.models import Project
from foveate.app.review.models import Measured
from foveate.app.review.services.flagged import looked_at, queue, work_of

# Flags are worked out anew each time: of a project with more, only its own page tells them.
MOST_MEASURED = 5_000
_ACTIVE = ("open", "paused")


def flagged_batches(projects: QuerySet[Project]) -> dict[int, int]:
    """Returns how many batches have a flag that nobody has looked at, by the numbers of the projects that have any.

    It is of running projects, and of what the page of checks has measured: nothing is measured for it.
    """
    rows = Measured.objects.filter(project__in=projects.filter(state__in=_ACTIVE))
    sizes = dict(rows.values_list("project").annotate(n=Count("pk")).order_by())
    few = Project.objects.filter(pk__in=[number for number, n in sizes.items() if n <= MOST_MEASURED])
    counts = {one.pk: len(queue(one, work_of(one), looked_at(one))[0]) for one in few.order_by("pk")}
    return {number: n for number, n in counts.items() if n}


def so_many_flagged(n: int) -> str:
    """Returns what so many batches are called."""
    return ngettext("%(n)d batch with flags", "%(n)d batches with flags", n) % {"n": n}
