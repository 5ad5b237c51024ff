"""Drawn tasks for the tests of adjudication. Squares of whole pixels, so that each IoU is a fraction one can tell."""

from __future__ import annotations

import uuid
from typing import Any

from foveate.annotation.work import WORK
from foveate.app.accounts.models import User
from foveate.app.annotate.models import Project, Submission, Task
from foveate.app.annotate.services.lend import Wish, lend
from foveate.app.annotate.services.send import send
from tests.app.annotate.making import annotators, make_project

SEVERAL: dict[str, Any] = {"stage": "grounding", "several_questions": True}
REGIONS: dict[str, Any] = {"stage": "grounding", "several_questions": False, "several_regions": True}
STEPS: dict[str, Any] = {"stage": "grounding", "several_questions": False, "several_regions": False}
CANNOT: dict[str, Any] = {**STEPS, "outcome": "cannot_draw", "reason": "blurred"}
WHOLE: dict[str, Any] = {**STEPS, "outcome": "whole_image"}


def ring(x0: float, y0: float, x1: float, y1: float) -> list[list[float]]:
    """Returns the corners of a rectangle."""
    return [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]


def square(x0: float, y0: float, x1: float, y1: float, **more: Any) -> dict[str, Any]:
    """Returns a finished grounding: a rectangle."""
    return {**STEPS, "outcome": "polygon", "polygon": ring(x0, y0, x1, y1), "closed": True, **more}


def drawn(person: User, project: Project, work: dict[str, Any]) -> Submission:
    """Lends somebody the next task and sends a work for it."""
    lent = lend(person, project, Wish(stage=work["stage"]) if project.kind == "box_collection" else None)
    assert lent is not None
    return send(person, lent.assignment.pk, uuid.uuid4(), WORK.validate_python(work)).submission


def project_of(made_by: User, *tasks: list[dict[str, Any]], **settings: Any) -> tuple[Project, list[Task]]:
    """Makes a project in which each task was drawn by as many people as it has works, all by the same people."""
    most = max(map(len, tasks))
    project = make_project(made_by, tasks=len(tasks), **{"submissions": most, **settings})
    people = annotators(most)
    for person, number in zip(people, range(most), strict=True):
        for works in tasks:
            if number < len(works):
                drawn(person, project, works[number])
    return project, list(project.tasks.order_by("position"))


def sent_for(task: Task) -> list[Submission]:
    """Returns what was sent for a task, in its order."""
    return list(Submission.objects.filter(assignment__task=task).order_by("pk"))
