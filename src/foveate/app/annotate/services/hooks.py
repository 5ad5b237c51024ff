"""Doors for the apps that build on Annotate: each puts its functions in when Django starts (`AppConfig.ready`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.db.models import QuerySet
from django.utils.functional import Promise

from foveate.annotation.work import Work
from foveate.app.accounts.models import User
from foveate.app.annotate.models import Assignment, Project, Submission, Task
from foveate.app.refused import RefusedError
from foveate.evaluation.suspects import Suspected

# Asked in the transaction of sending, before a submission is taken in; what is returned is told to the person, and what
# was written meanwhile stays. The assignment is locked, with its task and project.
BEFORE_TAKING: list[Callable[[Assignment, Work], RefusedError | None]] = []
# Told in the same transaction, once it was.
AFTER_TAKING: list[Callable[[Submission], None]] = []
# Asked where a person goes on when nothing is left to lend.
NEXT_PAGE: list[Callable[[User, Project], str | None]] = []
# Why a person gets no more tasks of a project for now, as it is told to that person; None where they do. What they have
# begun they may finish.
HELD: list[Callable[[User, Project], str | Promise | None]] = []
# Told of a project that was just made with the labels that it is to mend, in the transaction that makes it.
MADE_OF_SUSPECTS: list[Callable[[Project, Sequence[Suspected]], None]] = []
# The numbers of submissions that do not count, as a query: all that make no target, or (`again`) only those whose place
# is free for another person.
NOT_COUNTED: list[Callable[[bool], QuerySet[Any, Any]]] = []
# Why a task may not become a gold question, or none again; None where it may.
GOLD_FIXED: list[Callable[[Task], str | None]] = []

# Told in the transaction in which it changed which submissions of a task count; the task is locked.
COUNTED_ANEW: list[Callable[[Task], None]] = []


def held(person: User, project: Project) -> str | Promise | None:
    """Returns why a person gets no more tasks of a project for now; None where they do."""
    return next((why for hook in HELD if (why := hook(person, project)) is not None), None)


def gold_fixed(task: Task) -> str | None:
    """Returns why a task may not become a gold question, or none again; None where it may."""
    return next((why for hook in GOLD_FIXED if (why := hook(task)) is not None), None)


def counting(sent: QuerySet[Submission]) -> QuerySet[Submission]:
    """Returns those submissions that count for the target."""
    for gone in NOT_COUNTED:
        sent = sent.exclude(pk__in=gone(False))
    return sent


def counted_anew(task: Task) -> None:
    """Tells everybody who keeps something of a task's submissions that others of them count."""
    for hook in COUNTED_ANEW:
        hook(task)


def keeping_places(sent: QuerySet[Submission]) -> QuerySet[Submission]:
    """Returns those submissions whose place is not free for another person."""
    for gone in NOT_COUNTED:
        sent = sent.exclude(pk__in=gone(True))
    return sent
