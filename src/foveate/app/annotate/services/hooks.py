"""Doors for the apps that build on Annotate: each puts its functions in when Django starts (`AppConfig.ready`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet
from django.utils.functional import Promise

from foveate.annotation.work import Work
from foveate.app.accounts.models import User
from foveate.app.annotate.models import Assignment, Project, Submission, Task
from foveate.app.refused import RefusedError

# Asked in the transaction of sending, before a submission is taken in; what is returned is told to the person, and what
# was written meanwhile stays. The assignment is locked, with its task and project.
BEFORE_TAKING: list[Callable[[Assignment, Work], RefusedError | None]] = []
# Told in the same transaction, once it was.
AFTER_TAKING: list[Callable[[Submission], None]] = []
# Asked where a person goes on when nothing is left to lend.
NEXT_PAGE: list[Callable[[User, Project], str | None]] = []
# Why a person gets no more tasks of a project for now, as it is told to that person; None where they do. What they have
# in hand they may finish.
HELD: list[Callable[[User, Project], str | Promise | None]] = []
# The numbers of submissions that do not count, as a query: all that make no target, or (`again`) only those whose place
# is free for another person.
NOT_COUNTED: list[Callable[[bool], QuerySet[Any, Any]]] = []
# Told in the transaction in which what counts of a task's submissions has changed.
COUNTED_ANEW: list[Callable[[Task], None]] = []


def held(person: User, project: Project) -> str | Promise | None:
    """Returns why a person gets no more tasks of a project for now; None where they do."""
    return next((why for hook in HELD if (why := hook(person, project)) is not None), None)


def counting(sent: QuerySet[Submission]) -> QuerySet[Submission]:
    """Returns those submissions that count for the target."""
    for gone in NOT_COUNTED:
        sent = sent.exclude(pk__in=gone(False))
    return sent


def standing(sent: QuerySet[Submission]) -> QuerySet[Submission]:
    """Returns those submissions whose place is not free for another person."""
    for gone in NOT_COUNTED:
        sent = sent.exclude(pk__in=gone(True))
    return sent
