"""People's work for the tests of checks."""

from __future__ import annotations

import uuid
from typing import Any

from django.utils import timezone

from foveate.annotation.work import WORK
from foveate.app.accounts.models import User
from foveate.app.annotate.models import Adjudication, Project, Submission, Task
from foveate.app.annotate.services.gold import mark
from foveate.app.annotate.services.lend import lend
from foveate.app.annotate.services.send import send
from tests.app.annotate.making import outline


def do(person: User, project: Project, *works: dict[str, Any]) -> list[Submission]:
    """Sends works for whatever a person gets."""
    found = []
    for work in works:
        lent = lend(person, project)
        assert lent is not None
        found.append(send(person, lent.assignment.pk, uuid.uuid4(), WORK.validate_python(work)).submission)
    return found


def answer(task: Task, by: User, work: dict[str, Any] | None = None) -> Adjudication:
    """Decides what the answer of a task is."""
    return Adjudication.objects.create(
        task=task, work=work or outline(), how="given", decided_by=by, decided_at=timezone.now()
    )


def golden(project: Project, by: User, *keys: str) -> None:
    """Makes gold questions of tasks."""
    for task in project.tasks.filter(key__in=keys):
        answer(task, by)
        mark(task, True, actor=by)


def said(**more: Any) -> dict[str, Any]:
    """Returns a finished grounding of some seconds, with enough points."""
    points = [[5.0, 5.0], [10.0, 5.0], [15.0, 5.0], [15.0, 15.0], [5.0, 15.0]]
    return {**outline(), "polygon": points, "seconds": 20.0, **more}


def no_drawing(**more: Any) -> dict[str, Any]:
    """Returns a grounding in which nothing can be drawn."""
    work = {"stage": "grounding", "several_questions": False, "several_regions": False, "outcome": "cannot_draw"}
    return {**work, "reason": "blurred", "seconds": 20.0, **more}
