"""Label audit: which targets look wrong, by signs of the labels themselves and of methods that were run on them.

Each sign says with a number from 0 to 1 how strongly it speaks. They are put together as if they were independent
(noisy-or): 1 − Π(1 − strength) is how suspicious a label is. It orders the labels to be looked at, and is no chance.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from foveate.errors import InputError, UsageError, some
from foveate.evaluation._audit_labels import Labels, Sign, label_signs, labels_of
from foveate.evaluation._audit_methods import HIT, looks, method_signs
from foveate.evaluation.join import Joined
from foveate.evaluation.results import Results

__all__ = ["SIGNS", "Audit", "Labels", "Sign", "Suspect", "audit", "labels_of", "without"]

# What each sign says, in the order of tables.
SIGNS: Mapping[str, str] = {
    "methods_agree": "two methods or more agree with each other and not with the label",
    "sure_miss": "a method misses the label where it is usually right",
    "turned": "turned or mirrored, the label would fit what methods find",
    "whole_for_methods": "the target is nearly the whole photo, what methods find is not",
    "whole_image": "the target is nearly the whole photo, those with the same answer or question are smaller",
    "photo_size": "the photo is of another size than its label says, transposed say",
    "off_image": "corners were drawn beside the photo",
    "tiny": "the target is under 0.1 % of the photo, or no pixel",
    "crossing": "the outline crosses itself",
    "same_target": "two targets of the sample are nearly the same",
    "answer_not_given": "the target's answer is none of the answers",
    "duplicate": "the same question of the same photo has another target elsewhere",
    "answer_elsewhere": "the answer is written in the photo, and not in the target",
}
# Those that a method's finding the target speaks against.
_SOFT = {"whole_image", "tiny", "answer_elsewhere"}


@dataclass(frozen=True)
class Suspect:
    """A label to look at.

    Attributes:
        rank: From 1, the most suspicious first.
        id: Of the sample.
        row: Its place in the labels.
        suspicion: All signs together, 0 to 1.
        signs: The strongest first.
    """

    rank: int
    id: str
    row: int
    suspicion: float
    signs: Sequence[Sign]

    @property
    def why(self) -> str:
        """The signs with their values, as a text."""
        return "; ".join(f"{sign.name}: {sign.why}" for sign in self.signs)


@dataclass(frozen=True)
class Audit:
    """The labels of a split that look wrong.

    Attributes:
        name: The data set's.
        n: Labels looked at: samples with a target.
        methods: The runs whose regions were taken as evidence.
        priors: The runs that were not, since they give the same few places to all photos.
        suspects: Labels with a sign, by falling suspicion.
        counts: How many labels have each sign.
        refused: Rows that could not be taken at all, a sentence each.
        notes: What must be known of the runs.
    """

    name: str
    n: int
    methods: Sequence[str]
    priors: Sequence[str]
    suspects: Sequence[Suspect]
    counts: Mapping[str, int]
    refused: Sequence[str] = ()
    notes: Sequence[str] = ()

    def as_dict(self) -> dict[str, Any]:
        """Returns plain values."""
        return asdict(self)


def audit(labels: Labels, runs: Sequence[Results] = (), *, more: Mapping[str, Sequence[Sign]] | None = None) -> Audit:
    """Returns the labels that look wrong, the most suspicious first.

    Args:
        labels: Of a split.
        runs: On the same samples; none is needed. What is a prior is found out and left aside.
        more: Further signs, by id.

    Raises:
        InputError: A run is about other samples.
    """
    looking = [run for run in runs if looks(run)]
    ordered = [_ordered(labels, run) for run in looking]
    of_labels, of_methods = label_signs(labels), method_signs(labels, ordered)
    found = []
    for row, truth in enumerate(labels.truths):
        own = [_weakened(sign, ordered, row) for sign in (*of_labels[row], *(more or {}).get(truth.id, ()))]
        signs = [*own, *of_methods[row]]
        if truth.targets and signs:
            found.append((row, sorted(signs, key=lambda sign: -sign.strength)))
    found.sort(key=lambda one: -suspicion(one[1]))
    suspects = [
        Suspect(rank, labels.truths[row].id, row, suspicion(signs), tuple(signs))
        for rank, (row, signs) in enumerate(found, start=1)
    ]
    counts = {name: sum(any(sign.name == name for sign in signs) for _, signs in found) for name in SIGNS}
    return Audit(
        labels.name,
        sum(bool(truth.targets) for truth in labels.truths),
        [run.name for run in looking],
        [run.name for run in runs if run not in looking],
        suspects,
        {name: count for name, count in counts.items() if count},
        labels.refused,
        list(dict.fromkeys(note for run in runs for note in run.loaded.notes)),
    )


def _weakened(sign: Sign, runs: Sequence[Results], row: int) -> Sign:
    """Returns a sign of how large a target is or what is written there at half its strength where a method finds it."""
    if sign.name not in _SOFT:
        return sign
    finder = next((run.name for run in runs if run.regions["iou"][row] >= HIT), None)
    return sign if finder is None else Sign(sign.name, sign.strength / 2, f"{sign.why}; but {finder} finds it")


def suspicion(signs: Sequence[Sign]) -> float:
    """Returns all signs together, as if they were independent.

    Example:
        >>> suspicion([Sign("tiny", 0.5, ""), Sign("off_image", 0.5, "")])
        0.75
    """
    return 1.0 - math.prod(1.0 - sign.strength for sign in signs)


def without(results: Results, ids: Collection[str]) -> Results:
    """Returns a run without some samples.

    Args:
        results: The run.
        ids: Of samples to leave out, each in the run.

    Raises:
        InputError: One is not in the run.
        UsageError: None would be left.
    """
    known = {truth.id for truth in results.truths}
    unknown = sorted(set(ids) - known)
    if unknown:
        raise InputError(results.name, f"it has no sample {some(unknown)}", "Leave out ids of this data set.")
    kept = np.array([truth.id not in ids for truth in results.truths], dtype=bool)
    if not kept.any():
        raise UsageError(results.name, f"all {len(kept):,} samples would be left out", "Leave some.")
    rows = np.flatnonzero(kept).tolist()
    joined = Joined([results.truths[row] for row in rows], [results.predictions[row] for row in rows])
    loaded = replace(
        results.loaded,
        truths=joined.truths,
        predictions=[one for one in results.loaded.predictions if one.id not in ids],
        notes=[*results.loaded.notes, f"{len(kept) - len(rows):,} of {len(kept):,} samples were left out"],
    )
    regions, answers = (
        {name: column[kept] for name, column in columns.items()} for columns in (results.regions, results.answers)
    )
    return Results(results.name, loaded, joined, regions, answers)


def _ordered(labels: Labels, run: Results) -> Results:
    """Returns a run with its rows in the order of the labels; samples it was not asked about have no prediction.

    Raises:
        InputError: It is about other samples.
    """
    ids = [truth.id for truth in labels.truths]
    at = {truth.id: row for row, truth in enumerate(run.truths)}
    unknown = sorted(at.keys() - set(ids))
    if unknown:
        known = f"it was asked about {some(unknown)}, which {labels.name} has not"
        raise InputError(run.name, known, "Audit the data it was made on.")
    if ids == list(at):
        return run
    rows = [at.get(name, -1) for name in ids]
    there = np.array([row >= 0 for row in rows])
    regions, answers = (
        {name: np.where(there, column[rows], 0.0) for name, column in columns.items()}
        for columns in (run.regions, run.answers)
    )
    predictions = [run.predictions[row] if row >= 0 else None for row in rows]
    return Results(run.name, run.loaded, Joined(labels.truths, predictions), regions, answers)
