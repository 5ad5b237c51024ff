"""What one person did for a project, in figures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean, median

from django.db.models import Count, Q, QuerySet

from foveate.app.annotate.models import Project, Task
from foveate.app.annotate.services.standing import all_standing
from foveate.app.review.models import Measured
from foveate.app.review.services.flagged import Entry, Work
from foveate.quality.checks import CheckSettings


@dataclass(frozen=True)
class Figures:
    """A person's work in a few numbers; None where there is nothing to take it of.

    Attributes:
        sent: Submissions in which something could be drawn.
        seconds: Median for a task.
        points: Median of an outline.
        gold: Mean IoU with gold answers.
        gold_met: Gold questions that were met.
        gold_missed: Those of them that were missed.
        peers: Mean IoU with the others.
        flagged: Batches with a flag.
        open: Those of them that nobody has looked at.
        batches: All.
    """

    sent: int
    seconds: float | None
    points: float | None
    gold: float | None
    gold_met: int
    gold_missed: int
    peers: float | None
    flagged: int
    open: int
    batches: int


def figures_of(work: Work, entries: Iterable[Entry], settings: CheckSettings) -> Figures:
    """Returns a person's figures."""
    done, all_entries = work.done, list(entries)
    golds = [one for one in done if one.gold_same is not None]
    points = [one.points for one in done if one.points is not None]
    gold = [one.gold for one in golds if one.gold is not None]
    peers = [one.peers for one in done if one.peers is not None]
    return Figures(
        sent=len(done),
        seconds=median(one.seconds for one in done) if done else None,
        points=median(points) if points else None,
        gold=fmean(gold) if gold else None,
        gold_met=len(golds),
        gold_missed=sum(one.missed(settings.gold_threshold) for one in golds),
        peers=fmean(peers) if peers else None,
        flagged=sum(bool(entry.batch.flags) for entry in all_entries),
        open=sum(bool(entry.open) for entry in all_entries),
        batches=len(all_entries),
    )


def gold_counts(project: Project, tasks: Iterable[Task], threshold: float) -> dict[int, tuple[int, int]]:
    """Returns how often gold questions were met, and missed, by their numbers.

    Args:
        project: The project.
        tasks: Of which of its tasks.
        threshold: A question is missed where the IoU is not above this.
    """
    missed = Q(gold_same=False) | Q(gold__lte=threshold)
    rows = Measured.objects.filter(project=project, task__in=[task.pk for task in tasks], gold_same__isnull=False)
    counts = rows.order_by().values("task").annotate(met=Count("pk"), missed=Count("pk", filter=missed))
    return {task: (met, bad) for task, met, bad in counts.values_list("task", "met", "missed")}


def answered(project: Project) -> QuerySet[Task]:
    """Returns the tasks on whose answer a decision stands, and that are no gold questions, by their keys."""
    decided = all_standing(project).order_by().values("task")
    return project.tasks.filter(gold=False, pk__in=decided).order_by("key")
