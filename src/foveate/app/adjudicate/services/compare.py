"""Counting how alike the submissions of a task are, when one comes in and anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from django.db.models import Avg, Exists, Min, OuterRef, QuerySet

from foveate.annotation.judged import DRAWING_STAGES, said_by
from foveate.annotation.work import WORK
from foveate.app.adjudicate.models import APART_IN_STEPS, NOTHING_TO_COMPARE, Pair, TaskAgreement
from foveate.app.annotate.models import Adjudication, Project, Submission, Task
from foveate.app.annotate.services import hooks
from foveate.app.annotate.services.standing import standing
from foveate.app.annotate.services.transactions import at_once
from foveate.quality.judgements import Said
from foveate.quality.pairs import compared
from foveate.quality.steps import first_difference

# Tasks for more people than a project can ask for, as those of a trial, are not compared: each that comes in would be
# compared with all before it, so that sending took the longer the more people there are.
MOST_PEOPLE = 50


@dataclass(frozen=True)
class Sent:
    """A submission in which something could be drawn, and what it says."""

    submission: Submission
    said: Said


def drawings_of(task: Task | OuterRef) -> QuerySet[Submission]:
    """Returns all submissions of a task in which something could be drawn, whether or not they count.

    Args:
        task: The task, or in a query what names it.
    """
    return Submission.objects.filter(assignment__task=task, assignment__stage__in=DRAWING_STAGES)


def judged(task: Task) -> list[Sent]:
    """Returns the submissions of a task that count and could draw something, in the order in which they came."""
    sent = hooks.counting(drawings_of(task))
    size_hw = (task.height, task.width)
    found = []
    for one in sent.order_by("pk").select_related("assignment__annotator"):
        said = said_by(WORK.validate_python(one.work), size_hw)
        if said is not None:
            found.append(Sent(one, said))
    return found


def taken_in(submission: Submission) -> None:
    """Compares a submission that has just come in with those before it, in the transaction that takes it in.

    Not where it is of a gold question: hundreds do each, and sending would take longer, which tells that it is gold.
    Nor where the task is for more than `MOST_PEOPLE`.
    """
    task = submission.assignment.task
    if submission.assignment.stage not in DRAWING_STAGES or not _is_compared(task):
        return
    sent = judged(task)
    new = [one for one in sent if one.submission.pk == submission.pk]
    before = [one for one in sent if one.submission.pk < submission.pk]
    _pair(task, [(old, one) for old in before for one in new])
    _write(task, sent)


def decided(instance: Adjudication, **_: Any) -> None:
    """Keeps in mind whether a decision stands, whoever has written its row."""
    TaskAgreement.objects.filter(task=instance.task_id).update(decided=instance.how != "undone")


def not_compared(project: Project) -> QuerySet[Task]:
    """Returns the tasks that have submissions and were never compared: of before this page was there, or once gold."""
    return _to_compare(project).filter(agreement__isnull=True)


def left_out(project: Project) -> QuerySet[Task]:
    """Returns the tasks that are never compared, since they are for more than `MOST_PEOPLE`; gold is not told."""
    return project.tasks.filter(gold=False, wanted__gt=MOST_PEOPLE)


def rebuild(project: Project, *, anew: bool, limit: int | None = None, tick: Callable[[], None] = lambda: None) -> int:
    """Compares the tasks of a project, each in a transaction of its own; returns how many.

    Args:
        project: The project.
        anew: Whether all of them, but gold questions and tasks for more than `MOST_PEOPLE`; or only those that
            never were.
        limit: Of how many at most.
        tick: Called after each.
    """
    tasks = _to_compare(project) if anew else not_compared(project)
    numbers = list(tasks.values_list("pk", flat=True)[:limit])
    for number in numbers:
        at_once(lambda number=number: compare_anew(_locked(number)))  # type: ignore[misc]
        tick()
    return len(numbers)


def compare_anew(task: Task) -> None:
    """Compares all submissions of a task that count; the task must be locked, so that no pair is counted twice."""
    if not _is_compared(task):
        return  # As in `taken_in`.
    sent = judged(task)
    Pair.objects.filter(task=task).delete()
    _pair(task, list(combinations(sent, 2)))
    _write(task, sent)


def _is_compared(task: Task) -> bool:
    return not task.gold and task.wanted <= MOST_PEOPLE


def _to_compare(project: Project) -> QuerySet[Task]:
    return project.tasks.filter(Exists(drawings_of(OuterRef("pk"))), gold=False, wanted__lte=MOST_PEOPLE).order_by("pk")


def _locked(number: int) -> Task:
    return Task.objects.select_for_update(of=("self",), no_key=True).get(pk=number)


def _pair(task: Task, pairs: Sequence[tuple[Sent, Sent]]) -> None:
    size_hw = (task.height, task.width)
    Pair.objects.bulk_create(
        Pair(
            project_id=task.project_id,
            task=task,
            first=one.submission,
            second=other.submission,
            alike=compared(one.said.shape, other.said.shape, size_hw)[0],
        )
        for one, other in pairs
        if one.said.shape is not None and other.said.shape is not None
    )


def _write(task: Task, sent: Sequence[Sent]) -> None:
    differ = first_difference([one.said for one in sent])
    found = Pair.objects.filter(task=task).aggregate(least=Min("alike"), mean=Avg("alike"))
    least = found["least"]
    rank = APART_IN_STEPS if differ else NOTHING_TO_COMPARE if least is None else least
    values = {
        "project_id": task.project_id,
        "people": len(sent),
        "drawn": sum(one.said.shape is not None for one in sent),
        "differ": differ,
        "rank": rank,
        "decided": standing(task) is not None,
        **found,
    }
    TaskAgreement.objects.update_or_create(task=task, defaults=values)
