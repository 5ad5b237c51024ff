"""Which decision stands as the answer of a task (`design/quality.md`)."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Max, QuerySet

from foveate.app.annotate.models import Adjudication, Project, Task


def standing(task: Task) -> Adjudication | None:
    """Returns the newest decision of a task; None where there is none, or it was taken back."""
    newest = newest_of(task)
    return None if newest is None or newest.how == "undone" else newest


def standing_of(tasks: Iterable[int]) -> dict[int, Adjudication]:
    """Returns the decisions that stand for tasks, by the tasks' numbers; of the others none is there."""
    newest = {one.task_id: one for one in Adjudication.objects.filter(task__in=list(tasks)).order_by("pk")}
    return {number: one for number, one in newest.items() if one.how != "undone"}


def newest_of(task: Task) -> Adjudication | None:
    """Returns the newest row of a task, one that takes a decision back among them."""
    return task.adjudications.select_related("decided_by").order_by("-pk").first()


def all_standing(project: Project) -> QuerySet[Adjudication]:
    """Returns the decisions that stand in a project, one a task at most, in the order of deciding."""
    newest = Adjudication.objects.filter(task__project=project).order_by().values("task").annotate(newest=Max("pk"))
    found = Adjudication.objects.filter(pk__in=newest.values("newest")).exclude(how="undone")
    return found.order_by("decided_at", "pk")
