"""Krippendorff's alpha of a project, counted when the page is looked at, with a bound on what that takes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, QuerySet

from foveate.annotation.judged import DRAWING_STAGES, said_by
from foveate.annotation.work import WORK
from foveate.app.annotate.models import Project, Submission
from foveate.app.annotate.services import hooks
from foveate.quality.alpha import Alpha, Effort, alpha
from foveate.quality.drawings import all_boxes
from foveate.quality.judgements import Judgement
from foveate.quality.pairs import pairs_of
from foveate.quality.steps import Step, steps_of

# So many submissions are read while a page is waited for: a second or two (`docs/adjudicate.md`). Outlines are made
# pixels, which is what takes long.
MOST_OUTLINES = 1_000
MOST_BOXES = 8_000
# Of masks so many pairs are compared beyond their tasks; `foveate agreement` draws a million.
_MASK_PAIRS = 20_000
# Of fewer tasks alpha is not told: one task that is other than the rest would move it by more than it says.
LEAST_TASKS = 10
_SEED = 0
_TASK = "assignment__task"


@dataclass(frozen=True)
class Coefficients:
    """What the page of agreement says beyond the pairs.

    Attributes:
        tasks: How many tasks at least two people judged.
        looked_at: How many of them these numbers are of; less than all where the others would take too long.
        alpha: Krippendorff's alpha of the regions.
        steps: Agreement on the steps before a region.
    """

    tasks: int
    looked_at: int
    alpha: Alpha
    steps: Sequence[Step]


def coefficients(project: Project, *, outlines: int = MOST_OUTLINES, boxes: int = MOST_BOXES) -> Coefficients:
    """Returns the coefficients of a project's submissions that count; gold questions are left out, as in the figures.

    Args:
        project: The project.
        outlines: So many submissions are looked at, of tasks drawn by a fixed seed, where outlines are drawn.
        boxes: The same where boxes are.
    """
    sent = _sent(project)
    counts = list(sent.values_list(_TASK).annotate(n=Count("pk")).filter(n__gte=2).order_by(_TASK))
    drawn_as_boxes = not sent.exclude(assignment__stage="box").exists()
    chosen = _drawn(counts, boxes if drawn_as_boxes else outlines)
    judgements = list(_judgements(sent.filter(**{f"{_TASK}__in": chosen})).values())
    exactly = all_boxes([one.said.shape for one in judgements if one.said.shape is not None])
    # One core: others wait for pages too.
    effort = Effort(most_pairs=None if exactly else _MASK_PAIRS, seed=_SEED, workers=1)
    return Coefficients(
        len(counts), len(chosen), alpha(pairs_of(judgements), effort=effort), steps_of(judgements, effort)
    )


def _drawn(counts: Sequence[tuple[int, int]], most: int) -> list[int]:
    """Returns tasks that have no more submissions together than `most`: all, or as many as the seed draws."""
    found, left = [], most
    for task, count in random.Random(_SEED).sample(counts, len(counts)):
        if count > left:
            break
        found.append(task)
        left -= count
    return found


def _sent(project: Project) -> QuerySet[Submission]:
    of_project = Submission.objects.filter(assignment__task__project=project, assignment__task__gold=False)
    return hooks.counting(of_project.filter(assignment__stage__in=DRAWING_STAGES)).order_by()


def _judgements(sent: QuerySet[Submission]) -> dict[tuple[str, str], Judgement]:
    names = (f"{_TASK}__key", f"{_TASK}__height", f"{_TASK}__width", "assignment__annotator__pseudonym", "work")
    found = {}
    for key, height, width, pseudonym, work in sent.order_by("pk").values_list(*names).iterator():
        said = said_by(WORK.validate_python(work), (height, width))
        if said is not None:
            found[key, str(pseudonym)] = Judgement(key, str(pseudonym), (height, width), said)
    return found
