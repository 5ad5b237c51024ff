"""Submissions as files have them, read from the database."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from foveate.annotation.submissions import Submission as Record
from foveate.annotation.work import WORK
from foveate.app.annotate.models import Adjudication, Project, Submission
from foveate.app.annotate.projects import kind_of
from foveate.app.annotate.services.standing import all_standing
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


def record_of_decision(decision: Adjudication) -> Record:
    """Returns a decision as a file has it: of who decided the pseudonym only."""
    task = decision.task
    return Record(
        project=task.project.slug,
        kind=kind_of(task.project),
        dataset=task.project.dataset,
        task=task.key,
        image_name=task.image_name,
        size_hw=(task.height, task.width),
        question=task.question,
        answer=task.answer or None,
        annotator=str(decision.decided_by.pseudonym),
        sent=decision.decided_at,
        work=WORK.validate_python(decision.work),
        adjudicated=True,
        gold=task.gold,
    )


def all_records(project: Project) -> list[Record]:
    """Returns all that was sent for a project, in the order of sending, and what was decided after it.

    Raises:
        InputError: Nothing was.
    """
    found = list(records_of(project))
    if not found:
        raise InputError(f"project {project.slug}", "nothing was sent for it yet", "Export it when somebody has.")
    return found


def records_of(project: Project) -> Iterator[Record]:
    """Yields all that was sent for a project, in the order of sending, then the decisions; in bounded memory."""
    sent = Submission.objects.filter(assignment__task__project=project).order_by("sent_at", "pk")
    rows = sent.select_related("assignment__annotator", "assignment__task__project")
    decided = all_standing(project).select_related("decided_by", "task__project")
    return chain(
        map(record_of, rows.iterator(chunk_size=_CHUNK)),
        map(record_of_decision, decided.iterator(chunk_size=_CHUNK)),
    )
