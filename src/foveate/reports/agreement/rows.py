"""The rows of an agreement's tables, the same for the page and for a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from foveate.evaluation.wording import counted, percent
from foveate.quality.agreement import AgreementReport
from foveate.quality.alpha import Alpha
from foveate.reports.sections.parts import Cell

FRAMES = {
    "unit": "their places as shares of each photo's sides (frame unit)",
    "pixels": "their pixels, counted from each photo's upper left corner (frame pixels)",
}
MEANT = {
    "same": "IoU above {same:g}",
    "contains": "at least {inside:g} of the smaller one lies in the larger one",
    "partial": "a part in common, and neither inside the other",
    "disjoint": "nothing in common",
}
STEPS = {
    "several_questions": "Is more than one question asked?",
    "several_regions": "Is more than one region needed?",
    "drawn": "Is a region drawn?",
}


def overview(found: AgreementReport) -> str:
    """Returns who judged what, in a sentence."""
    told = (
        f"{counted(found.judged, 'judgement')} of {counted(found.tasks, 'task')} by "
        f"{counted(found.annotators, 'annotator')}; {counted(len(found.pairs.iou), 'pair')} of regions "
        f"in {counted(found.tasks_paired, 'task')}."
    )
    apart = found.pairs.one_drew, found.pairs.neither_drew
    if any(apart):
        told += f" Apart from these: one drew and the other did not {apart[0]:,}, neither drew {apart[1]:,}."
    return told


def measures(found: AgreementReport) -> list[tuple[str, float | None, float | None, float | None]]:
    """Returns the mean and median IoU of pairs and alpha, each with the ends of its interval."""
    return [
        ("mean IoU of pairs", found.mean, found.mean_low, found.mean_high),
        ("median IoU of pairs", found.median, None, None),
        ("Krippendorff's alpha", found.alpha.value, found.alpha.low, found.alpha.high),
    ]


def told(alpha: Alpha) -> str:
    """Returns what alpha was computed of, in a sentence or a few."""
    if alpha.value is None:
        return f"Alpha is not defined: {alpha.why}."
    how = f"a seeded sample of {counted(alpha.pairs, 'pair')}" if alpha.sampled else f"all {alpha.pairs:,} pairs"
    said = (
        f"Alpha is of {counted(alpha.values, 'region')} of {counted(alpha.tasks, 'task')}, as {alpha.compared}, with "
        f"the distance 1 − IoU: observed {alpha.observed:.4f}, expected {alpha.expected:.4f} from {how}"
    )
    if alpha.sampled:
        said += f" (95 % of samples: {alpha.expected_low:.4f} to {alpha.expected_high:.4f})"
    return f"{said}. Regions of different photos are compared by {FRAMES[alpha.frame]}."


def ranges(found: AgreementReport) -> list[list[Cell]]:
    """Returns the five ranges of IoU: pairs, their percent, and the published percent where there is any."""
    rows = []
    for row in found.ranges():
        share = None if row["share"] is None else 100 * row["share"]
        published = None if row["published"] is None else round(100 * row["published"])
        rows.append([f"{row['low']:g} to {row['high']:g}", row["pairs"], share, published])
    return rows


def relations(found: AgreementReport) -> list[list[Cell]]:
    """Returns why two regions differ: pairs, their percent, and what each word means."""
    limits = {"same": found.pairs.limits.same, "inside": found.pairs.limits.inside}
    counts = found.pairs.relations()
    total = sum(counts.values())
    return [
        [name, count, 100 * count / total if total else None, MEANT[name].format(**limits)]
        for name, count in counts.items()
    ]


def steps(found: AgreementReport) -> list[list[Cell]]:
    """Returns the steps: answers, pairs, percent that agree, alpha with its ends."""
    return [
        [
            STEPS[step.name],
            ", ".join(f"{word} {count:,}" for word, count in sorted(step.counts.items())),
            step.pairs,
            None if step.share is None else 100 * step.share,
            step.alpha.value,
            step.alpha.low,
            step.alpha.high,
        ]
        for step in found.steps
    ]


def people(found: AgreementReport) -> list[list[Cell]]:
    """Returns the annotators: judged, drawn, pairs, mean IoU with others."""
    return [[person.name, person.judged, person.drew, person.pairs, person.mean] for person in found.people]


def worst(found: AgreementReport) -> list[list[Cell]]:
    """Returns the tasks on which people agree least: regions, mean and least IoU, why."""
    return [[task.task, task.regions, task.mean, task.least, relations_of(task.relations)] for task in found.worst]


def relations_of(counts: Mapping[str, int]) -> str:
    """Returns the relations of a task's pairs in a few words.

    Example:
        >>> relations_of({"contains": 1, "disjoint": 2})
        'contains 1, disjoint 2'
    """
    return ", ".join(f"{name} {count}" for name, count in counts.items())


def as_text(rows: list[list[Cell]], digits: int = 3) -> list[list[str]]:
    """Returns rows as a terminal shows them."""
    return [[_text(value, digits) for value in row] for row in rows]


def _text(value: Any, digits: int) -> str:
    if value is None:
        return "n/a"
    if isinstance(value, float):
        return f"{value:.{digits}f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def finding(found: AgreementReport) -> str:
    """Returns what the pairs say, in a sentence, beside what is published."""
    if found.mean is None or found.median is None:
        return "No task has regions of two people, so that there is nothing to compare."
    first, last = (percent(found.ranges()[place]["share"]) for place in (0, -1))
    return (
        f"Mean IoU {found.mean:.3f}, median {found.median:.3f}; {last} of pairs are from 0.8 to 1 and {first} below "
        "0.2. Published for VizWiz-VQA-Grounding: about 60 % and just over 10 %."
    )
