"""What checks need of submissions, kept as numbers.

It is worked out when an organiser looks, never when an annotator sends: sending must not take longer for a gold
question, and nobody is to wait for a comparison that is of no use to them.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any

from foveate.annotation.judged import DRAWING_STAGES, said_by
from foveate.annotation.work import WORK
from foveate.app.annotate.models import Adjudication, Project, Submission, Task
from foveate.app.annotate.services import hooks
from foveate.app.annotate.services.standing import all_standing, standing_of
from foveate.app.annotate.services.transactions import at_once
from foveate.app.review.models import Measured
from foveate.quality.done import gold_overlap, peer_means, same_answers
from foveate.quality.judgements import Said

# How long a page takes for it; what is left comes with the next page.
PATIENCE = 1.5
_AT_A_TIME = 500
_COMPARED = ["compared", "answer", "gold", "gold_same", "peers"]
# Tasks whose submissions are read and written together.
_TOGETHER = 25


def bring_up(project: Project, patience: float | None) -> int:
    """Measures what is new, and returns how many submissions are still to be measured or compared.

    Args:
        project: Of which project.
        patience: After so many seconds the rest is left for the next time; None for never.
    """
    until = None if patience is None else time.monotonic() + patience
    after = 0
    while (new := _new(project, after)) and not _over(until):
        at_once(lambda new=new: _take_in(project, new))  # type: ignore[misc]
        after = new[-1]["pk"]  # Those before are measured: they need not be looked through again.
    _forget_other_answers(project)
    while (tasks := _uncompared(project)) and not _over(until):
        for start in range(0, len(tasks), _TOGETHER):
            _compare(tasks[start : start + _TOGETHER])
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
    of_project = Submission.objects.filter(assignment__task__project=project, assignment__stage__in=DRAWING_STAGES)
    return of_project.filter(measured__isnull=True)


def _new(project: Project, after: int = 0) -> list[dict[str, Any]]:
    names = ("pk", "work", "seconds", "assignment__annotator", "assignment__task", "assignment__task__gold")
    return list(_unmeasured(project).filter(pk__gt=after).order_by("pk").values(*names)[:_AT_A_TIME])


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
    # Held side by side here: as one query the database looks for the answer anew for each submission.
    stands = dict(all_standing(project).filter(task__gold=True).order_by().values_list("task", "pk"))
    rows = Measured.objects.filter(project=project, compared=True)
    of_gold = rows.filter(task__gold=True).values_list("pk", "task", "answer")
    stale = [number for number, task, answer in of_gold.iterator() if answer != stands.get(task)]
    stale += rows.filter(task__gold=False, answer__isnull=False).values_list("pk", flat=True)
    for start in range(0, len(stale), _AT_A_TIME):
        Measured.objects.filter(pk__in=stale[start : start + _AT_A_TIME]).update(compared=False)


def _uncompared(project: Project) -> list[int]:
    rows = Measured.objects.filter(project=project, compared=False)
    return list(rows.order_by("task").values_list("task", flat=True).distinct()[:_AT_A_TIME])


def _compare(numbers: Sequence[int]) -> None:
    before = _state_of(numbers)
    tasks = Task.objects.in_bulk(numbers)
    answers = standing_of(number for number, task in tasks.items() if task.gold)
    found: dict[int, list[Measured]] = {number: [] for number in tasks}
    rows = Measured.objects.filter(task__in=numbers).select_related("submission").order_by("submission")
    for row in rows:
        found[row.task_id].append(row)
    changed = [row for number, task in tasks.items() for row in _compared(found[number], task, answers, before[1])]

    def keep() -> None:
        Measured.objects.bulk_update(changed, _COMPARED, batch_size=_AT_A_TIME)
        # What came in, or was set aside, while this was worked out has it done again.
        if _state_of(numbers) != before:
            forget(numbers)

    at_once(keep)


def _compared(rows: list[Measured], task: Task, answers: dict[int, Adjudication], count: set[int]) -> list[Measured]:
    """Returns those rows of a task that were compared anew."""
    rows = [row for row in rows if not row.compared] if task.gold else rows
    said = {row.pk: _said(row.submission.work, task) for row in rows}
    for row in rows:
        row.compared, row.answer, row.gold, row.gold_same, row.peers = True, None, None, None, None
    if task.pk in answers:
        _with_gold(rows, said, answers[task.pk], task)
    if not task.gold:
        _with_peers(rows, said, task, count)
    return rows


def _state_of(numbers: Sequence[int]) -> tuple[set[int], set[int]]:
    """Returns which submissions of tasks are measured, and which count."""
    measured = Measured.objects.filter(task__in=numbers).values_list("submission", flat=True)
    count = hooks.counting(Submission.objects.filter(assignment__task__in=numbers))
    return set(measured), set(count.values_list("pk", flat=True))


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
