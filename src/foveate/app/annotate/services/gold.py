"""Which gold question a person gets, and when (`design/quality.md`)."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet

from foveate.annotation.gold_order import by_chance, golds_due
from foveate.annotation.kinds import ProjectSettings
from foveate.app.accounts.models import User
from foveate.app.annotate.models import Assignment, Project, Task


def due(person: User, project: Project) -> Task | None:
    """Returns the gold question that a person gets now; None where an ordinary task is next.

    Where all tasks are gold, as in a qualification, they come by position. Else about one task of `gold_every` is, at
    places and in an order that chance decides for each person, the same each time it is asked.
    """
    gold = project.tasks.filter(gold=True)
    if not project.tasks.filter(gold=False).exists():
        return _not_had(gold, person).order_by("position").first()
    every = ProjectSettings.model_validate(project.settings).gold_every
    if not every:
        return None
    had = Assignment.objects.filter(annotator=person, task__project=project)
    seed = f"{project.pk} {person.pseudonym}"
    if had.filter(task__gold=True).count() >= golds_due(had.filter(task__gold=False).count(), every, seed):
        return None
    left = _not_had(gold, person).values_list("pk", flat=True)
    first = min(left, key=lambda number: by_chance(seed, str(number)), default=None)
    return None if first is None else Task.objects.get(pk=first)


def _not_had(tasks: QuerySet[Task], person: User) -> QuerySet[Task]:
    return tasks.filter(~Exists(Assignment.objects.filter(task=OuterRef("pk"), annotator=person)))
