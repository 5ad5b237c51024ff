"""Places: a task has as many as submissions are wanted; `Task.taken` counts those lent or sent, and is changed here."""

from __future__ import annotations

from django.db.models import F, QuerySet

from foveate.app.annotate.models import Assignment, Reach, Task


def take(task: Task, stage: str) -> bool:
    """Takes a place of a task in a stage, if one is free; returns whether it was.

    The database decides in one statement, so that of many who want the last place one gets it, and nobody waits longer
    than the transactions of those before.
    """
    free = Task.objects.filter(pk=task.pk, state="open", stage=stage, gold=False, taken__lt=F("wanted"))
    return free.update(taken=F("taken") + 1) == 1


def give_up(assignment: Assignment) -> None:
    """Frees the place of an assignment that was lent, and is not any more; gold has none."""
    # A task that has gone on to another stage counts that one's places. Whether it is gold is asked of the database,
    # since it may have become so, or not be any more; who changes that at this moment counts places, and is waited for.
    _locked(Task.objects.filter(pk=assignment.task_id))
    tasks = Task.objects.filter(pk=assignment.task_id, stage=assignment.stage, taken__gt=0, gold=False)
    if tasks.update(taken=F("taken") - 1):
        reopened(assignment.task)


def stays_gold(task: Task) -> bool:
    """Returns whether a task is still a gold question, and has it stay one until the transaction is over.

    Whoever makes an ordinary task of it counts its places, and must see all that was lent before.
    """
    return _locked(Task.objects.filter(pk=task.pk, gold=True))


def _locked(tasks: QuerySet[Task]) -> bool:
    return bool(tasks.select_for_update(of=("self",), no_key=True).values_list("pk", flat=True))


def reopened(task: Task) -> None:
    """Lets those look at a task again who have passed it; not those who have had it, since they never get it again."""
    passed = Reach.objects.filter(project=task.project_id, position__gt=task.position)
    had = Assignment.objects.filter(task=task).values("annotator")
    passed.exclude(annotator__in=had).update(position=task.position)
