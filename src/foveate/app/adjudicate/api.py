"""The API of adjudication, for organisers; for anybody else there is nothing here."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Router
from ninja.responses import Status

from foveate.app.accounts.models import User
from foveate.app.accounts.roles import has_role, person_of
from foveate.app.adjudicate.api_shapes import (
    AdjudicationOut,
    DecidedOut,
    DecisionIn,
    GoldIn,
    GoldOut,
    NextOut,
    UndoIn,
)
from foveate.app.adjudicate.services import candidates as choices
from foveate.app.adjudicate.services import decide as service
from foveate.app.adjudicate.services import suspicion
from foveate.app.adjudicate.services.given import stage_of
from foveate.app.adjudicate.services.mark import mark_gold
from foveate.app.adjudicate.services.queue import Wish, neighbour, rows
from foveate.app.annotate.models import Adjudication, Project, Task
from foveate.app.annotate.services.access import not_found
from foveate.app.annotate.services.photos import photo_of
from foveate.app.annotate.services.standing import newest_of, standing

router = Router(tags=["adjudicate"])


@router.get("/projects/{slug:slug}/adjudications/next", response={200: NextOut, 204: None})
def next_adjudication(request: HttpRequest, slug: str, after: int | None = None) -> Status[Any]:
    """Tells the task that comes next (after the task `after`), least agreement first; 204 where none is left.

    The values of the queue's address choose which: `which`, `below`, `low`, `high`, `decided`, `unfinished`.
    """
    person = person_of(request)
    project = Project.objects.filter(slug=slug).first()
    if project is None or not has_role(person, "organiser"):
        raise not_found()
    wish = Wish.of(request.GET.dict())
    if after is None:
        found = rows(project, wish).values_list("task_id", flat=True).first()
    else:
        found = neighbour(project, wish, _task(person, after, project))
    return Status(204, None) if found is None else Status(200, {"task": found})


@router.get("/tasks/{number}/adjudication", response=AdjudicationOut)
def get_adjudication(request: HttpRequest, number: int) -> dict[str, Any]:
    """Tells what people drew for a task, how alike it is, and what stands as its answer."""
    task = _task(person_of(request), number)
    size_hw = (task.height, task.width)
    found, problem = choices.candidates(task)
    newest = newest_of(task)
    return {
        "id": task.pk,
        "task": task_details(task),
        "gold": task.gold,
        "base": newest.pk if newest else 0,
        "standing": service.as_details(standing(task)),
        "candidates": [choices.as_details(one, size_hw) for one in found],
        "between": [choices.between_details(one) for one in choices.between(task)],
        "problem": problem,
        "suspicion": suspicion.as_details(suspicion.suspicion_of(task)),
    }


@router.post("/tasks/{number}/adjudication", response={201: DecidedOut})
def decide(request: HttpRequest, number: int, decision: DecisionIn) -> Status[Any]:
    """Decides on the answer; answers the task that comes next. The values of the queue's address choose which."""
    wanted = service.Decision(**decision.model_dump(exclude={"work"}), work=decision.work)
    made = service.decide(person_of(request), number, wanted, request=request)
    return Status(201, _decided(request, made))


@router.post("/tasks/{number}/adjudication/undo", response={201: DecidedOut})
def undo_decision(request: HttpRequest, number: int, undone: UndoIn) -> Status[Any]:
    """Takes the decision that stands back, by a row more: the task has no answer again."""
    return Status(201, _decided(request, service.undo(person_of(request), number, undone.base, request=request)))


@router.post("/tasks/{number}/adjudication/gold", response=GoldOut)
def gold(request: HttpRequest, number: int, wanted: GoldIn) -> dict[str, bool]:
    """Makes a task that has an answer a gold question, or none again."""
    return {"gold": mark_gold(person_of(request), number, wanted.gold, request=request).gold}


def task_details(task: Task) -> dict[str, Any]:
    """Returns a task as the drawing page's API tells it."""
    return {
        "key": task.key,
        "project": task.project.slug,
        "stage": stage_of(task),
        "question": task.question,
        "answer": task.answer,
        "image_name": task.image_name,
        "size_hw": (task.height, task.width),
        "photo": photo_of(task),
    }


def _decided(request: HttpRequest, made: Adjudication) -> dict[str, Any]:
    task = made.task
    following = neighbour(task.project, Wish.of(request.GET.dict()), task)
    return {"decision": service.as_details(made), "base": made.pk, "next": following}


def _task(person: User, number: int, project: Project | None = None) -> Task:
    task = service.task_to_decide(person, number) if 0 < number < 2**62 else None
    if task is None or (project is not None and task.project_id != project.pk):
        raise not_found()
    return task
