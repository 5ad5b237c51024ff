"""What organisers say of submissions, and what comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from foveate.app.accounts.audit import note
from foveate.app.accounts.models import User
from foveate.app.annotate.models import Project, Submission
from foveate.app.annotate.services import hooks, steps
from foveate.app.annotate.services.access import not_found
from foveate.app.annotate.services.transactions import at_once
from foveate.app.refused import RefusedError
from foveate.app.review.models import Look
from foveate.app.review.services import measure

Verdict = Literal["fine", "redo", "aside"]
_GONE = ("redo", "aside")
_MOST = 200


@dataclass(frozen=True)
class Decision:
    """What an organiser says of submissions.

    Attributes:
        submissions: Their numbers.
        verdict: `fine`; `redo`: it does not count, and another person does the task; `aside`: it does not count.
        word: Why, in the organiser's words.
        rules: For what they were flagged when the organiser looked.
    """

    submissions: Sequence[int]
    verdict: Verdict
    word: str = ""
    rules: Sequence[str] = field(default=())


def not_counted(again: bool) -> QuerySet[Any, Any]:
    """Returns the numbers of submissions that do not count; of those only to be done `again` where that is asked."""
    verdicts = ("redo",) if again else _GONE
    return Look.objects.filter(stands=True, verdict__in=verdicts).values("submission")


def decide(project: Project, decision: Decision, by: User, request: HttpRequest | None = None) -> int:
    """Keeps what an organiser says, lets the tasks go on from it, and returns how many submissions it is about.

    Nothing is deleted: what does not count stays where it is, and may be found fine later.

    Raises:
        RefusedError: A submission is not of this project (404), or there are none or too many (422).
    """
    numbers = sorted(set(decision.submissions))
    if not 0 < len(numbers) <= _MOST:
        said = _("Nothing is chosen.") if not numbers else _("Too many are chosen at once.")
        raise RefusedError(422, "not_valid", said, _("Choose what it is about."))
    at_once(lambda: _decide(project, numbers, decision, by, request))
    return len(numbers)


def _decide(
    project: Project, numbers: Sequence[int], decision: Decision, by: User, request: HttpRequest | None
) -> None:
    found = Submission.objects.filter(pk__in=numbers, assignment__task__project=project)
    task_of = dict(found.values_list("pk", "assignment__task"))
    if len(task_of) != len(numbers):
        raise not_found()
    tasks = [steps.locked(number) for number in sorted(set(task_of.values()))]
    before = Look.objects.filter(submission__in=numbers, stands=True)
    was = dict(before.values_list("submission", "verdict"))
    before.update(stands=False)
    now, word = timezone.now(), decision.word.strip()
    Look.objects.bulk_create(
        Look(
            submission_id=number,
            verdict=decision.verdict,
            word=word,
            rules=sorted(decision.rules),
            decided_by=by,
            decided_at=now,
        )
        for number in numbers
    )
    changed = {task_of[number] for number in numbers if was.get(number, "fine") != decision.verdict}
    for task in tasks:
        if task.pk in changed:
            steps.anew(task)
            for tell in hooks.COUNTED_ANEW:
                tell(task)
    measure.forget(changed)
    told = {"verdict": decision.verdict, "submissions": list(numbers), "rules": sorted(decision.rules)}
    note(request, "work.judged", project.slug, actor=by, **told)
