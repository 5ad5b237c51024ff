"""Answers of tasks that a data set gives: its targets, as adjudications."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest
from django.utils import timezone

from foveate.annotation.given import given_work
from foveate.annotation.origin import Origin, opened
from foveate.annotation.work import WORK, Work
from foveate.app.accounts.audit import note
from foveate.app.accounts.models import User
from foveate.app.annotate.models import Adjudication, Project, Task
from foveate.app.annotate.projects import origin_of
from foveate.app.annotate.services.transactions import at_once
from foveate.core.truths import Truth
from foveate.errors import InputError, UsageError, some

_PIECE = 500


def give_adjudications(
    project: Project,
    ids: Sequence[str],
    by: User,
    *,
    origin: Origin | None = None,
    request: HttpRequest | None = None,
) -> list[Task]:
    """Takes a data set's targets as the answers of tasks, all or none, and returns the tasks in the order of the ids.

    Args:
        project: Whose tasks.
        ids: Keys of tasks, which are ids of the data set's samples.
        by: Who decides so.
        origin: Where the targets are; by default the data set that the project was made of.
        request: What was asked; None where the command line did it.

    Raises:
        UsageError: The project is a box collection, whose tasks have no one answer.
        InputError: An id is no task or no sample, or its target cannot be the answer of one (`given_work`).
    """
    if project.kind == "box_collection":
        problem = "it is a box collection, in which each task is several people's work"
        raise UsageError(f"project {project.slug}", problem, "Give answers for grounding or re-annotation.")
    tasks = {task.key: task for task in tasks_of(project, ids)}
    data = opened(origin or origin_of(project))
    truths = {truth.id: truth for truth in data.truths() if truth.id in tasks}
    _refuse_unknown(list(tasks), truths, data.name, "no samples of it")
    works = {
        key: given_work(truths[key], task.stage, (task.height, task.width))  # type: ignore[arg-type]
        for key, task in tasks.items()
    }

    def keep() -> None:
        for key, task in tasks.items():
            give(task, works[key], by)
        note(request, "project.answers_given", project.slug, actor=by, dataset=data.name, tasks=len(works))

    at_once(keep)
    return list(tasks.values())


def give(task: Task, work: Work, by: User) -> Adjudication:
    """Returns a work as the answer of a task that is given, kept from now on.

    It is saved by itself: whoever keeps count of decisions hears of each (`post_save`).
    """
    return Adjudication.objects.create(
        task=task, work=WORK.dump_python(work, mode="json"), how="given", decided_by=by, decided_at=timezone.now()
    )


def tasks_of(project: Project, ids: Sequence[str]) -> list[Task]:
    """Returns the tasks of ids, in their order, each once.

    Raises:
        InputError: An id is no task of the project.
    """
    wanted = list(dict.fromkeys(ids))
    tasks = {key: task for piece in _pieces(wanted) for key, task in _tasks(project, piece)}
    _refuse_unknown(wanted, tasks, f"project {project.slug}", "no tasks of it")
    return [tasks[key] for key in wanted]


def _pieces(keys: Sequence[str]) -> list[Sequence[str]]:
    return [keys[start : start + _PIECE] for start in range(0, len(keys), _PIECE)]


def _tasks(project: Project, keys: Sequence[str]) -> list[tuple[str, Task]]:
    return [(task.key, task) for task in project.tasks.filter(key__in=keys).select_related("project")]


def _refuse_unknown(wanted: Sequence[str], known: dict[str, Task] | dict[str, Truth], where: str, what: str) -> None:
    unknown = [key for key in wanted if key not in known]
    if unknown:
        raise InputError(
            where, f"{len(unknown):,} of {len(wanted):,} ids are {what}: {some(unknown)}", "Look at --ids."
        )
