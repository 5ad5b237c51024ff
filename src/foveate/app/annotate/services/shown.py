"""What an assignment tells the person who does it: its task, photo and draft; no target, and nobody else's work."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from foveate.app.annotate.models import Assignment, Submission, Task
from foveate.app.annotate.services import hooks
from foveate.app.annotate.services.drafts import as_details, newest_of
from foveate.app.annotate.services.photos import photo_of


def assignment_details(assignment: Assignment) -> dict[str, Any]:
    """Returns an assignment as the API tells it (`design/annotation.md`)."""
    task = assignment.task
    return {
        "id": assignment.pk,
        "state": assignment.state,
        "leased_until": assignment.leased_until,
        "now": timezone.now(),
        "task": {
            "key": task.key,
            "project": task.project.slug,
            "stage": assignment.stage,
            "question": task.question,
            "answer": answer_shown(assignment),
            "image_name": task.image_name,
            "size_hw": (task.height, task.width),
            "photo": photo_of(task),
        },
        "draft": as_details(newest_of(assignment)) or None,
        "shown": {"box": box_to_verify(task)} if assignment.stage == "verify" else None,
    }


def answer_shown(assignment: Assignment) -> str:
    """Returns the answer that a person is told: in a box collection, whoever draws finds it themselves."""
    task = assignment.task
    hidden = assignment.stage == "box" and task.project.kind == "box_collection"
    return "" if hidden else task.answer


def box_to_verify(task: Task) -> list[float] | None:
    """Returns the newest box that was drawn for a task; the photo's own, where that was the answer."""
    boxes = hooks.keeping_places(Submission.objects.filter(assignment__task=task, assignment__stage="box"))
    drawn = boxes.order_by("-pk").first()
    if drawn is None:
        return None
    if drawn.work.get("outcome") == "whole_image":
        return [0, 0, task.width, task.height]
    box: list[float] | None = drawn.work.get("box")
    return box
