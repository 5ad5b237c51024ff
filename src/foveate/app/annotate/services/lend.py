"""Lending: which task a person gets next."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from foveate.annotation.kinds import ProjectSettings
from foveate.annotation.leases import lease_until
from foveate.app.accounts.models import User
from foveate.app.annotate.models import Assignment, Project, Reach, Task
from foveate.app.annotate.services import expire, gold, hooks, places
from foveate.app.annotate.services.transactions import at_once


@dataclass(frozen=True)
class Wish:
    """What a person would like to have; by default whatever comes next.

    Attributes:
        stage: Only tasks in this stage.
        task: Only this one, which the person has picked.
    """

    stage: str | None = None
    task: int | None = None


@dataclass(frozen=True)
class Lent:
    """A task in somebody's hands.

    Attributes:
        assignment: With its task and project.
        new: Whether it was lent now, not before.
    """

    assignment: Assignment
    new: bool


def lend(person: User, project: Project, wish: Wish | None = None) -> Lent | None:
    """Returns the task that a person has in a project, or lends the next one; None where nothing is left.

    The order is that of positions. A person who has let a lease run out gets the task back with its draft while a place
    is free. Nobody gets a task twice, in whatever stage it is.
    """
    expire.overdue(project, but=person)
    return at_once(lambda: _lend(person, project, wish or Wish()))


def lend_again(assignment: Assignment) -> bool:
    """Lends a task again to whom it was lent before, if a place is free; returns whether it was.

    The assignment must be locked; its state is saved.
    """
    if not assignment.task.gold and not places.take(assignment.task, assignment.stage):
        return False
    assignment.state = "leased"
    assignment.leased_at = timezone.now()
    renew(assignment)
    return True


def renew(assignment: Assignment) -> None:
    """Lets a lease begin anew."""
    settings = ProjectSettings.model_validate(assignment.task.project.settings)
    assignment.leased_until = lease_until(timezone.now(), settings)
    assignment.save(update_fields=["state", "leased_at", "leased_until"])


def _lend(person: User, project: Project, wish: Wish) -> Lent | None:
    # Two tabs of one person come one after the other, so that the second gets what the first has got.
    User.objects.select_for_update(no_key=True).get(pk=person.pk)
    in_hand = Assignment.objects.select_related("task__project").filter(annotator=person, task__project=project)
    mine = _locked(in_hand.filter(state="leased").order_by("pk"))
    if mine is not None:
        renew(mine)
        return Lent(mine, new=False)
    if hooks.held(person, project) is not None:
        return None
    if wish == Wish():
        free = Q(task__state="open", task__stage=F("stage"), task__taken__lt=F("task__wanted"))
        lapsed = in_hand.filter(Q(task__gold=True) | free, state="expired")
        before = _locked(lapsed.order_by("task__position"))
        if before is not None and lend_again(before):
            return Lent(before, new=True)
    return _next(person, project, wish)


def _locked(assignments: QuerySet[Assignment]) -> Assignment | None:
    return assignments.select_for_update(of=("self",), no_key=True).first()


def _next(person: User, project: Project, wish: Wish) -> Lent | None:
    # Also where a stage is wished, or who wishes one would never meet gold.
    due = gold.due(person, project) if wish.task is None else None
    if due is not None and wish.stage in (None, due.stage) and places.stays_gold(due):
        return _lent(due, person, project)
    reach = _reach(person, project) if wish == Wish() else 0
    while True:
        task = _free(person, project, wish, reach).first()
        if task is None and reach == 0:
            return None
        if task is None:
            reach = 0  # The hint may be wrong by a place that became free while it was written.
        elif places.take(task, task.stage):
            break
        # Else somebody else has got it: look again.
    if wish == Wish():
        Reach.objects.update_or_create(project=project, annotator=person, defaults={"position": task.position})
    return _lent(task, person, project)


def _lent(task: Task, person: User, project: Project) -> Lent:
    task.project = project  # It is not joined: that would put the tasks in order after reading them all.
    now = timezone.now()
    assignment = Assignment(task=task, annotator=person, stage=task.stage, leased_at=now, leased_until=now)
    assignment.leased_until = lease_until(now, ProjectSettings.model_validate(project.settings))
    assignment.save(force_insert=True)
    return Lent(assignment, new=True)


def _free(person: User, project: Project, wish: Wish, reach: int) -> QuerySet[Task]:
    had = Assignment.objects.filter(task=OuterRef("pk"), annotator=person)
    free = Task.objects.filter(~Exists(had), project=project, state="open", gold=False, taken__lt=F("wanted"))
    if wish.task is not None:
        # Only photos to ask about are picked; else a task that cannot be had would tell that it is gold.
        free = free.filter(pk=wish.task, stage="ask")
    if wish.stage is not None:
        free = free.filter(stage=wish.stage)
    return free.filter(position__gte=reach).order_by("position")


def _reach(person: User, project: Project) -> int:
    return Reach.objects.filter(project=project, annotator=person).values_list("position", flat=True).first() or 0
