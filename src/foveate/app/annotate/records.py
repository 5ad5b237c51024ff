"""Submissions as files have them, read from the database."""

from __future__ import annotations

from collections.abc import Iterator

from foveate.annotation.submissions import Submission as Record
from foveate.annotation.work import WORK
from foveate.app.annotate.models import Project, Submission
from foveate.app.annotate.projects import kind_of
from foveate.errors import InputError

_CHUNK = 2_000


def record_of(sent: Submission) -> Record:
    """Returns a submission as a file has it: of its annotator the pseudonym only."""
    assignment = sent.assignment
    task = assignment.task
    # The question of a box collection was not there when its author looked at the photo.
    shown = assignment.stage != "ask"
    return Record(
        project=task.project.slug,
        kind=kind_of(task.project),
        dataset=task.project.dataset,
        task=task.key,
        image_name=task.image_name,
        size_hw=(task.height, task.width),
        question=task.question if shown else "",
        answer=(task.answer or None) if shown else None,
        annotator=str(assignment.annotator.pseudonym),
        started=assignment.leased_at,
        sent=sent.sent_at,
        work=WORK.validate_python(sent.work),
        gold=task.gold,
    )


def all_records(project: Project) -> list[Record]:
    """Returns all that was sent for a project, in the order of sending.

    Raises:
        InputError: Nothing was.
    """
    found = list(records_of(project))
    if not found:
        raise InputError(f"project {project.slug}", "nothing was sent for it yet", "Export it when somebody has.")
    return found


def records_of(project: Project) -> Iterator[Record]:
    """Yields all that was sent for a project, in the order of sending, in bounded memory."""
    sent = Submission.objects.filter(assignment__task__project=project).order_by("sent_at", "pk")
    rows = sent.select_related("assignment__annotator", "assignment__task__project")
    return map(record_of, rows.iterator(chunk_size=_CHUNK))
