"""Error anatomy: in what way each sample is right or wrong, and how much of the loss each way is responsible for.

Each sample with a target is in exactly one class, the first that holds of `CLASSES`; so the counts add up to the
samples, and the losses to 1 − mean IoU.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foveate.evaluation._merged import merged
from foveate.evaluation.estimates import Draws, Estimate, estimates, mean_of, ratio_of
from foveate.evaluation.evaluate import finite
from foveate.evaluation.results import Column, Results
from foveate.evaluation.what_if import measured_area, size_of
from foveate.evaluation.wording import percent

Rows = NDArray[np.bool_]
CLASSES: Mapping[str, str] = {
    "failed": "the method failed, or its prediction is missing",
    "no_region": "the method says that there is no region",
    "hit": "IoU of at least {hit:g}",
    "whole_image": "over {whole} of the photo, which the target does not cover",
    "merged": "joins the target with something else: one part alone would be a hit, or it holds several targets",
    "elsewhere": "does not touch the target, or shares under {apart} of it and of itself",
    "too_big": "holds {inside} of the target or more, and too much beside it",
    "too_small": "lies in the target with {inside} of itself or more, and leaves too much of it out",
    "part": "overlaps with a part of the target, and goes beyond it",
}


@dataclass(frozen=True)
class Tree:
    """The thresholds of the classes.

    Attributes:
        hit: The least IoU of a hit.
        whole: A region over this share of the photo is taken for the whole photo.
        apart: Sharing less than this of both areas is elsewhere.
        inside: From this share on the one is inside the other.

    Raises:
        ValueError: One is not above 0 and at most 1.
    """

    hit: float = 0.5
    whole: float = 0.95
    apart: float = 0.1
    inside: float = 0.9

    def __post_init__(self) -> None:
        wrong = [f"{name} {value}" for name, value in vars(self).items() if not 0.0 < value <= 1.0]
        if wrong:
            raise ValueError(f"a threshold is above 0 and at most 1, not {wrong[0]}")


@dataclass(frozen=True)
class ErrorClass:
    """One class.

    Attributes:
        name: Of `CLASSES`.
        meaning: In words, with the thresholds.
        n: How many samples are in it.
        share: Of the samples with a target.
        mean_iou: Over its samples; None without any.
        loss: How much it takes from the mean IoU: its sum of 1 − IoU by the samples with a target.
        share_of_loss: Of 1 − mean IoU; None where nothing is lost.
        examples: Ids, the surest first.
    """

    name: str
    meaning: str
    n: int
    share: Estimate
    mean_iou: float | None
    loss: Estimate
    share_of_loss: Estimate
    examples: Sequence[str]


@dataclass(frozen=True)
class Anatomy:
    """In what ways a run is right and wrong.

    Attributes:
        name: The run's.
        n: Samples with a target.
        mean_iou: Over them.
        classes: All classes, in their order.
        without_target: Samples without a target: `right` (`no_region`), `needless_region`, `failed`.
        tree: The thresholds.
        unsized: How many regions could not be compared with their photo, whose size is not known.
    """

    name: str
    n: int
    mean_iou: Estimate
    classes: Sequence[ErrorClass]
    without_target: Mapping[str, int]
    tree: Tree
    unsized: int = 0

    def as_dict(self) -> dict[str, Any]:
        """Returns plain values."""
        return asdict(self)


def anatomy(results: Results, tree: Tree | None = None, *, draws: Draws | None = None, examples: int = 5) -> Anatomy:
    """Returns in what ways a run is right and wrong.

    Args:
        results: The run.
        tree: The thresholds; the usual ones by default.
        draws: For the intervals.
        examples: How many ids of each class are named.
    """
    tree, draws = tree or Tree(), draws or Draws()
    of, names = results.regions["grounded"], classes_of(results, tree)
    lost = (1.0 - results.regions["iou"]) * of
    there = {name: np.array([each == name for each in names], dtype=np.float64) for name in CLASSES}
    statistics = {"": mean_of(results.regions["iou"], of)}
    for name, inside in there.items():
        statistics |= {
            f"share {name}": mean_of(inside, of),
            f"loss {name}": mean_of(lost * inside, of),
            f"part {name}": ratio_of(lost * inside, lost),
        }
    found = estimates(statistics, results.groups, draws)
    told = {"hit": tree.hit} | {name: percent(getattr(tree, name), 0) for name in ("whole", "apart", "inside")}
    classes = [
        ErrorClass(
            name,
            meaning.format(**told),
            int(there[name].sum()),
            found[f"share {name}"],
            _mean(results.regions["iou"], there[name] > 0),
            found[f"loss {name}"],
            found[f"part {name}"],
            [results.truths[row].id for row in surest(results, there[name] > 0)[:examples]],
        )
        for name, meaning in CLASSES.items()
    ]
    unsized = sum(size_of(results, int(row)) is None for row in np.flatnonzero(results.regions["shown"] * of))
    return Anatomy(results.name, int(of.sum()), found[""], classes, _without_target(results), tree, unsized)


def classes_of(results: Results, tree: Tree | None = None) -> list[str | None]:
    """Returns the class of each truth; None where it has no target."""
    tree = tree or Tree()
    hold = _conditions(results, tree)
    names = np.select(list(hold.values()), list(hold), default="part")
    grounded = results.regions["grounded"] > 0
    return [str(name) if there else None for name, there in zip(names, grounded, strict=True)]


def surest(results: Results, rows: Rows) -> list[int]:
    """Returns the rows where `rows` holds, those with the highest score first."""
    return sorted(np.flatnonzero(rows).tolist(), key=lambda row: -results.regions["score"][row])


def _conditions(results: Results, tree: Tree) -> dict[str, Rows]:
    """Returns where each class but the last holds, whether or not one before it does."""
    regions = results.regions
    shared, shown = regions["intersection"], regions["shown"] > 0
    predicted, photo = _areas(results)
    # Of several accepted targets the one that counts: its area is what the union has beside the region.
    target = np.maximum(shared + regions["union"] - predicted, shared)
    silent = np.array([p is not None and p.status == "no_region" for p in results.predictions], dtype=bool)
    hit = shown & (regions["iou"] >= tree.hit)
    whole = shown & (predicted > tree.whole * photo) & ~(target > tree.whole * photo)
    return {
        "failed": ~shown & ~silent,
        "no_region": silent,
        "hit": hit,
        "whole_image": whole,
        "merged": merged(results, shown & (shared > 0) & ~hit & ~whole, target, tree.hit, tree.inside),
        "elsewhere": (shared == 0) | ((shared < tree.apart * predicted) & (shared < tree.apart * target)),
        "too_big": shared >= tree.inside * target,
        "too_small": shared >= tree.inside * predicted,
    }


def _areas(results: Results) -> tuple[Column, Column]:
    """Returns the areas of regions and of photos; 0 without a region, NaN for a photo of unknown size."""
    predicted, photo = np.zeros(len(results)), np.full(len(results), np.nan)
    for row, (prediction, truth) in enumerate(zip(results.predictions, results.truths, strict=True)):
        size_hw = size_of(results, row)
        if size_hw is not None:
            photo[row] = size_hw[0] * size_hw[1]
        if truth.targets and prediction is not None and prediction.final is not None:
            predicted[row] = measured_area(prediction.final.shape, truth, size_hw)
    return predicted, photo


def _mean(values: Column, rows: Rows) -> float | None:
    return finite(float(values[rows].mean())) if rows.any() else None


def _without_target(results: Results) -> dict[str, int]:
    statuses = [
        prediction.status if prediction else "missing"
        for prediction, truth in zip(results.predictions, results.truths, strict=True)
        if not truth.targets
    ]
    right, needless = statuses.count("no_region"), statuses.count("ok")
    return {"right": right, "needless_region": needless, "failed": len(statuses) - right - needless}
