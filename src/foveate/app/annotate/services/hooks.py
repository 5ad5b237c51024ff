"""Doors for the apps that build on Annotate: each puts its functions in when Django starts (`AppConfig.ready`)."""

from __future__ import annotations

from collections.abc import Callable

from foveate.annotation.work import Work
from foveate.app.accounts.models import User
from foveate.app.annotate.models import Assignment, Project, Submission
from foveate.app.refused import RefusedError

# Asked in the transaction of sending, before a submission is taken in; what is returned is told to the person, and what
# was written meanwhile stays. The assignment is locked, with its task and project.
BEFORE_TAKING: list[Callable[[Assignment, Work], RefusedError | None]] = []
# Told in the same transaction, once it was.
AFTER_TAKING: list[Callable[[Submission], None]] = []
# Asked where a person goes on when nothing is left to lend.
NEXT_PAGE: list[Callable[[User, Project], str | None]] = []
