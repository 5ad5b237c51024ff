"""Submissions as files have them, read from the database."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from foveate.annotation.submissions import Submission as Record
from foveate.annotation.work import WORK
from foveate.app.annotate.models import Adjudication, Project, Submission
from foveate.app.annotate.projects import kind_of
from foveate.app.annotate.services import hooks
from foveate.app.annotate.services.standing import all_standing
from foveate.errors import InputError

_CHUNK = 2_000


def record_of(sent: Submission, *, set_aside: bool = False) -> Record:
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
        set_aside=set_aside,
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
        rule=decision.rule,
        gold=task.gold,
    )


def all_records(project: Project, *, everything: bool = False) -> list[Record]:
    """Returns what was sent for a project, in the order of sending, and what was decided after it.

    Args:
        project: The project.
        everything: Also what an organiser has set aside, so marked.

    Raises:
        InputError: Nothing was.
    """
    found = list(records_of(project, everything=everything))
    if not found:
        raise InputError(f"project {project.slug}", "nothing was sent for it yet", "Export it when somebody has.")
    return found


def records_of(
    project: Project, *, everything: bool = False, people: Collection[int] | None = None
) -> Iterator[Record]:
    """Yields what was sent for a project, in the order of sending, then the decisions; in bounded memory.

    Args:
        project: The project.
        everything: Also what an organiser has set aside, so marked.
        people: Only what people of these numbers sent; None for all.
    """
    sent = Submission.objects.filter(assignment__task__project=project).order_by("sent_at", "pk")
    if people is not None:
        sent = sent.filter(assignment__annotator__in=people)
    count = hooks.counting(sent)
    aside = set(sent.exclude(pk__in=count.values("pk")).values_list("pk", flat=True)) if everything else set()
    rows = (sent if everything else count).select_related("assignment__annotator", "assignment__task__project")
    for one in rows.iterator(chunk_size=_CHUNK):
        yield record_of(one, set_aside=one.pk in aside)
    decided = all_standing(project).select_related("decided_by", "task__project")
    yield from map(record_of_decision, decided.iterator(chunk_size=_CHUNK))
