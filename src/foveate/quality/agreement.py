"""How far the people who judged the same tasks agree, in one report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from foveate.core.bootstrap import weight_chunks
from foveate.quality.alpha import FRAME, USUAL, Alpha, Effort, Values, alpha, ends
from foveate.quality.judgements import Judgement
from foveate.quality.pairs import BINS, LIMITS, PUBLISHED, Limits, Pairs, edges, histogram, pairs_of
from foveate.quality.regions import Frame, Whole
from foveate.quality.steps import Step, steps_of

WORST = 20


@dataclass(frozen=True, slots=True)
class Person:
    """One annotator beside the others.

    Attributes:
        name: A pseudonym.
        judged: How many tasks they judged.
        drew: In how many of these they drew.
        pairs: How many pairs with others' regions that makes.
        mean: The mean IoU of these; None where there are none.
    """

    name: str
    judged: int
    drew: int
    pairs: int
    mean: float | None


@dataclass(frozen=True, slots=True)
class TaskPairs:
    """One task.

    Attributes:
        task: Its key.
        number: Among all tasks that were judged.
        regions: How many people drew.
        mean: The mean IoU of their pairs.
        least: The least.
        relations: How many pairs there are of each relation, those that there are.
    """

    task: str
    number: int
    regions: int
    mean: float
    least: float
    relations: Mapping[str, int]


@dataclass(frozen=True, eq=False)
class AgreementReport:
    """How far people agree.

    Attributes:
        judged: How many judgements there are.
        tasks: Of how many tasks.
        annotators: By how many people.
        tasks_paired: How many tasks have a pair of regions.
        pairs: The pairs.
        mean: Their mean IoU; None without a pair.
        mean_low: The lower end of its 95 % bootstrap interval over tasks; None where there is none.
        mean_high: The upper end.
        median: Their median IoU.
        bins: How many pairs lie in each of equal ranges from 0 to 1.
        alpha: Krippendorff's alpha of the regions.
        steps: Agreement on the steps before a region.
        people: Each annotator, in the order of their names.
        worst: The tasks on which people agree least, the worst first.
        effort: What was drawn, by which seed.
    """

    judged: int
    tasks: int
    annotators: int
    tasks_paired: int
    pairs: Pairs
    mean: float | None
    mean_low: float | None
    mean_high: float | None
    median: float | None
    bins: Whole
    alpha: Alpha
    steps: Sequence[Step]
    people: Sequence[Person]
    worst: Sequence[TaskPairs]
    effort: Effort

    def ranges(self) -> list[dict[str, Any]]:
        """Returns the five ranges of the published study, with its percent of pairs where it says any."""
        return _ranges(histogram(self.pairs.iou), PUBLISHED)

    def as_dict(self) -> dict[str, Any]:
        """Returns it for JSON; the pairs themselves are a table of their own."""
        return {
            "judgements": self.judged,
            "tasks": self.tasks,
            "annotators": self.annotators,
            "tasks_paired": self.tasks_paired,
            "pairs": len(self.pairs.iou),
            "one_drew": self.pairs.one_drew,
            "neither_drew": self.pairs.neither_drew,
            "iou": {"mean": self.mean, "low": self.mean_low, "high": self.mean_high, "median": self.median},
            "ranges": self.ranges(),
            "histogram": _ranges(self.bins),
            "alpha": self.alpha.as_dict(),
            "steps": [step.as_dict() for step in self.steps],
            "relations": self.pairs.relations(),
            "limits": asdict(self.pairs.limits),
            "people": [asdict(person) for person in self.people],
            "worst": [_told(task) for task in self.worst],
            "seed": self.effort.seed,
            "resamples": self.effort.resamples,
        }


def agreement(
    judgements: Sequence[Judgement],
    *,
    frame: Frame = FRAME,
    bins: int = BINS,
    limits: Limits = LIMITS,
    effort: Effort = USUAL,
    worst: int = WORST,
) -> AgreementReport:
    """Returns how far people agree.

    Args:
        judgements: One of each person and task.
        frame: In which regions of different photos are compared for alpha, as for `foveate.quality.alpha.alpha`.
        bins: Into how many ranges the IoUs of pairs are counted, beside the five of the published study.
        limits: Where one relation of two regions ends and the next begins.
        effort: How much is looked at, and how much is drawn for the intervals.
        worst: How many tasks are listed, at most.

    Raises:
        InputError: A person judged a task twice, or judgements of one task contradict each other on its photo.
    """
    # One core for the products of weights: memory is what they wait for, and their digits are then everywhere the same.
    with threadpool_limits(limits=1, user_api="blas"):
        return _report(judgements, pairs_of(judgements, limits), frame, bins, effort, worst)


def _report(
    judgements: Sequence[Judgement], pairs: Pairs, frame: Frame, bins: int, effort: Effort, worst: int
) -> AgreementReport:
    tasks, means = _means(pairs)
    low, high = _interval(pairs, effort)
    some = len(pairs.iou) > 0
    return AgreementReport(
        judged=len(judgements),
        tasks=len(pairs.regions.tasks),
        annotators=len(pairs.regions.annotators),
        tasks_paired=len(tasks),
        pairs=pairs,
        mean=float(pairs.iou.mean()) if some else None,
        mean_low=low,
        mean_high=high,
        median=float(np.median(pairs.iou)) if some else None,
        bins=histogram(pairs.iou, bins),
        alpha=alpha(pairs, frame, effort),
        steps=steps_of(judgements, effort),
        people=_people(pairs, judgements),
        # Of equals the earlier one first.
        worst=[_task(pairs, int(tasks[n])) for n in np.argsort(means, kind="stable")[:worst]],
        effort=effort,
    )


def _means(pairs: Pairs) -> tuple[Whole, Values]:
    """Returns the tasks that have pairs, and the mean IoU of each."""
    counts = np.bincount(pairs.task, minlength=len(pairs.regions.tasks))
    sums = np.bincount(pairs.task, weights=pairs.iou, minlength=len(pairs.regions.tasks))
    tasks = np.flatnonzero(counts)
    return tasks, sums[tasks] / counts[tasks]


def _interval(pairs: Pairs, effort: Effort) -> tuple[float | None, float | None]:
    """Returns the interval of the mean IoU of pairs when other tasks had been judged; pairs of one are drawn together.

    A task with more pairs weighs more, as in the mean.
    """
    tasks, means = _means(pairs)
    counts = np.bincount(pairs.task, minlength=len(pairs.regions.tasks))[tasks]
    groups = [str(task) for task in tasks.tolist()]
    found = [
        weights @ (means * counts) / (weights @ counts)
        for weights in weight_chunks(groups, effort.resamples, effort.seed)
    ]
    return ends(np.concatenate(found or [np.empty(0)]))


def _people(pairs: Pairs, judgements: Sequence[Judgement]) -> list[Person]:
    names = pairs.regions.annotators
    judged = Counter(judgement.annotator for judgement in judgements)
    drew = np.bincount(pairs.regions.annotator, minlength=len(names)).tolist()
    both = pairs.annotators.ravel()
    counts = np.bincount(both, minlength=len(names)).tolist()
    sums = np.bincount(both, weights=np.repeat(pairs.iou, 2), minlength=len(names)).tolist()
    people = [
        Person(name, judged[name], drew[n], counts[n], sums[n] / counts[n] if counts[n] else None)
        for n, name in enumerate(names)
    ]
    return sorted(people, key=lambda person: person.name)


def _task(pairs: Pairs, number: int) -> TaskPairs:
    rows = np.flatnonzero(pairs.task == number)
    values = pairs.iou[rows]
    found = {name: count for name, count in pairs.relations(rows).items() if count}
    regions = int(pairs.regions.drawn[number])
    return TaskPairs(pairs.regions.tasks[number], number, regions, float(values.mean()), float(values.min()), found)


def _ranges(counts: Whole, published: Sequence[float | None] = ()) -> list[dict[str, Any]]:
    limits = edges(len(counts))
    total = int(counts.sum())
    rows: list[dict[str, Any]] = [
        {"low": low, "high": high, "pairs": count, "share": count / total if total else None}
        for low, high, count in zip(limits, limits[1:], counts.tolist(), strict=False)
    ]
    for row, percent in zip(rows, published, strict=False):
        row["published"] = None if percent is None else percent / 100
    return rows


def _told(task: TaskPairs) -> dict[str, Any]:
    return {
        "task": task.task,
        "regions": task.regions,
        "mean": task.mean,
        "least": task.least,
        "relations": dict(task.relations),
    }
