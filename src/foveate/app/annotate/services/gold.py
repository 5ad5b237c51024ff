"""Which gold question a person gets, and when (`design/quality.md`)."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest

from foveate.annotation.gold_order import by_chance, golds_due
from foveate.annotation.kinds import ProjectSettings
from foveate.app.accounts.audit import note
from foveate.app.accounts.models import User
from foveate.app.annotate.models import Assignment, Project, Task
from foveate.app.annotate.services import hooks, steps
from foveate.app.annotate.services.standing import standing
from foveate.app.annotate.services.transactions import at_once
from foveate.errors import InputError, UsageError


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
    seed = _seed(person, project)
    ordinary, met = _had(person, project)
    if met >= golds_due(ordinary, every, seed):
        return None
    left = _not_had(gold, person).values_list("pk", flat=True)
    first = min(left, key=lambda number: by_chance(seed, str(number)), default=None)
    return None if first is None else Task.objects.get(pk=first)


def to_come(person: User, project: Project, ordinary_left: int) -> int:
    """Returns how many gold questions a person still gets, so that what is left is told as if they were tasks.

    Where all tasks are gold none is told here: there they are counted as the tasks that they are.

    Args:
        person: Who.
        project: Of which project.
        ordinary_left: How many ordinary tasks the person can still get.
    """
    not_had = _not_had(project.tasks.filter(gold=True), person).count()
    # Where all tasks are gold, as in a qualification, they are what is left (`progress.left_for`).
    if not not_had or not project.tasks.filter(gold=False).exists():
        return 0
    every = ProjectSettings.model_validate(project.settings).gold_every
    if not every:
        return 0
    ordinary, met = _had(person, project)
    due = golds_due(ordinary + ordinary_left, every, _seed(person, project))
    return min(not_had, max(0, due - met))


def mark(task: Task, gold: bool, *, request: HttpRequest | None = None, actor: User | None = None) -> Task:
    """Makes a task a gold question, or an ordinary task again, and returns it as it is now.

    A gold question has no places: what was sent for it is kept, and is compared with the answer as all that comes. An
    ordinary task goes on from all that was sent for it.

    Raises:
        UsageError: The project is a box collection, whose tasks have no one answer to be compared with; or the task
            is one of a qualification or a trial, whose gold is fixed, or its answer was shown to everybody.
        InputError: Nobody has decided what the answer is.
    """
    return at_once(lambda: _mark(task.pk, gold, request, actor))


def _mark(number: int, gold: bool, request: HttpRequest | None, actor: User | None) -> Task:
    task = steps.locked(number)
    if task.gold == gold:
        return task
    fixed = hooks.gold_fixed(task)
    if fixed is not None:
        raise UsageError(f"task {task.key}", fixed, "Choose another task.")
    if gold:
        _refuse_without_answer(task)
        Task.objects.filter(pk=number).update(gold=True, state="open", why="", taken=0)
        task.refresh_from_db(fields=["gold", "state", "why", "taken"])
    else:
        task.gold = False
        task.save(update_fields=["gold"])
        steps.anew(task)
        hooks.counted_anew(task)
    note(request, "task.gold" if gold else "task.ordinary", task.project.slug, actor=actor, task=task.key)
    return task


def _refuse_without_answer(task: Task) -> None:
    if task.project.kind == "box_collection":
        problem = "it is a box collection, in which each task is several people's work"
        raise UsageError(f"project {task.project.slug}", problem, "Gold is for grounding and re-annotation.")
    if standing(task) is None:
        raise InputError(f"task {task.key}", "nobody has decided what its answer is", "Adjudicate it first.")


def _had(person: User, project: Project) -> tuple[int, int]:
    """Returns how many ordinary tasks and how many gold questions a person has had."""
    had = Assignment.objects.filter(annotator=person, task__project=project)
    return had.filter(task__gold=False).count(), had.filter(task__gold=True).count()


def _seed(person: User, project: Project) -> str:
    return f"{project.pk} {person.pseudonym}"


def _not_had(tasks: QuerySet[Task], person: User) -> QuerySet[Task]:
    return tasks.filter(~Exists(Assignment.objects.filter(task=OuterRef("pk"), annotator=person)))
