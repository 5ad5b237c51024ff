"""What checks need of submissions, kept as numbers.

It is worked out when an organiser looks, never when an annotator sends: sending must not take longer for a gold
question, and nobody is to wait for a comparison that is of no use to them.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import F, OuterRef, Q, Subquery

from foveate.annotation.judged import said_by
from foveate.annotation.work import WORK
from foveate.app.annotate.models import Adjudication, Project, Submission, Task
from foveate.app.annotate.services import hooks
from foveate.app.annotate.services.transactions import at_once
from foveate.app.review.models import Measured
from foveate.quality.done import gold_overlap, peer_means, same_answers
from foveate.quality.judgements import Said

# Stages in which something is drawn.
DRAWN = ("grounding", "box", "polygon")
# How long a page takes for it; what is left comes with the next page.
PATIENCE = 1.5
_AT_A_TIME = 500


def bring_up(project: Project, patience: float | None = PATIENCE) -> int:
    """Measures what is new, and returns how many submissions are still to be measured or compared.

    Args:
        project: Of which project.
        patience: After so many seconds the rest is left for the next time; None for never.
    """
    until = None if patience is None else time.monotonic() + patience
    while (new := _new(project)) and not _over(until):
        at_once(lambda new=new: _take_in(project, new))  # type: ignore[misc]
    _forget_other_answers(project)
    while (tasks := _uncompared(project)) and not _over(until):
        for number in tasks:
            _compare(number)
            if _over(until):
                break
    measured: int = Measured.objects.filter(project=project, compared=False).count()
    return measured + int(_unmeasured(project).count())


def forget(tasks: Iterable[int]) -> None:
    """Has the submissions of tasks compared anew, since what counts among them has changed."""
    Measured.objects.filter(task__in=list(tasks)).update(compared=False)


def _over(until: float | None) -> bool:
    return until is not None and time.monotonic() > until


def _unmeasured(project: Project) -> Any:
    of_project = Submission.objects.filter(assignment__task__project=project, assignment__stage__in=DRAWN)
    return of_project.filter(measured__isnull=True)


def _new(project: Project) -> list[dict[str, Any]]:
    names = ("pk", "work", "seconds", "assignment__annotator", "assignment__task", "assignment__task__gold")
    return list(_unmeasured(project).order_by("pk").values(*names)[:_AT_A_TIME])


def _take_in(project: Project, new: Sequence[dict[str, Any]]) -> None:
    Measured.objects.bulk_create([_row(project, one) for one in new], ignore_conflicts=True)
    # Of a gold question nobody is compared with others, so that those before stay as they are.
    with_others = {one["assignment__task"] for one in new if not one["assignment__task__gold"]}
    forget(with_others)


def _row(project: Project, one: dict[str, Any]) -> Measured:
    work = one["work"]
    drawn = work.get("outcome") == "polygon"
    return Measured(
        submission_id=one["pk"],
        project=project,
        annotator_id=one["assignment__annotator"],
        task_id=one["assignment__task"],
        seconds=one["seconds"],
        several_questions=work.get("several_questions") is True,
        several_regions=work.get("several_regions") is True,
        cannot_draw=work.get("outcome") == "cannot_draw",
        points=len(work.get("polygon") or ()) if drawn else None,
    )


def _forget_other_answers(project: Project) -> None:
    """Has those compared anew whose gold answer is another since, or has come or gone."""
    newest = Adjudication.objects.filter(task=OuterRef("task")).order_by("-pk").values("pk")[:1]
    rows = Measured.objects.filter(project=project, compared=True)
    other = rows.filter(task__gold=True).annotate(newest=Subquery(newest))
    other = other.filter(
        Q(answer__isnull=True, newest__isnull=False) | (Q(answer__isnull=False) & ~Q(answer=F("newest")))
    )
    stale = [*other.values_list("pk", flat=True), *_no_gold(rows)]
    for start in range(0, len(stale), _AT_A_TIME):
        Measured.objects.filter(pk__in=stale[start : start + _AT_A_TIME]).update(compared=False)


def _no_gold(rows: Any) -> list[int]:
    return list(rows.filter(task__gold=False, answer__isnull=False).values_list("pk", flat=True))


def _uncompared(project: Project) -> list[int]:
    rows = Measured.objects.filter(project=project, compared=False)
    return list(rows.order_by("task").values_list("task", flat=True).distinct()[:_AT_A_TIME])


def _compare(number: int) -> None:
    before, task = _state_of(number), Task.objects.get(pk=number)
    rows = list(Measured.objects.filter(task=number).select_related("submission").order_by("submission"))
    answer = task.adjudications.order_by("-pk").first() if task.gold else None
    if task.gold:
        rows = [row for row in rows if not row.compared]
    said = {row.pk: _said(row.submission.work, task) for row in rows}
    for row in rows:
        row.compared, row.answer, row.gold, row.gold_same, row.peers = True, None, None, None, None
    if answer is not None:
        _with_gold(rows, said, answer, task)
    if not task.gold:
        _with_peers(rows, said, task, set(before[1]))
    fields = ["compared", "answer", "gold", "gold_same", "peers"]

    def keep() -> None:
        Measured.objects.bulk_update(rows, fields, batch_size=_AT_A_TIME)
        # What came in, or was set aside, while this was worked out has it done again.
        if _state_of(number) != before:
            forget([number])

    at_once(keep)


def _state_of(number: int) -> tuple[list[int], list[int]]:
    """Returns which submissions of a task are measured, and which count."""
    measured = Measured.objects.filter(task=number).order_by("submission").values_list("submission", flat=True)
    count = hooks.counting(Submission.objects.filter(assignment__task=number)).order_by("pk")
    return list(measured), list(count.values_list("pk", flat=True))


def _said(work: Any, task: Task) -> Said:
    said = said_by(WORK.validate_python(work), (task.height, task.width))
    return said or Said()


def _with_gold(rows: Sequence[Measured], said: dict[int, Said], answer: Adjudication, task: Task) -> None:
    gold = _said(answer.work, task)
    for row in rows:
        row.answer, row.gold_same = answer.pk, same_answers(said[row.pk], gold)
        row.gold = gold_overlap(said[row.pk], gold, (task.height, task.width))


def _with_peers(rows: Sequence[Measured], said: dict[int, Said], task: Task, count: set[int]) -> None:
    """Compares each with the others who count; one that does not is compared with those, and they not with it."""
    size_hw = (task.height, task.width)
    among = [row for row in rows if row.submission_id in count]
    for row, mean in zip(among, peer_means([said[row.pk].shape for row in among], size_hw), strict=True):
        row.peers = mean
    for row in rows:
        if row.submission_id not in count:
            row.peers = peer_means([said[one.pk].shape for one in (row, *among)], size_hw)[0]
