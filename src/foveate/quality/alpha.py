"""Krippendorff's alpha of regions, with the distance 1 − IoU: agreement beyond what chance would give.

Alpha is 1 − Do / De. Do, observed, is how far two regions of one task are from one another on average, each task
counting by its number of regions. De, expected, is the same of any two regions whatever their task. Tasks with fewer
than two regions have no part in either. 1 is full agreement; 0 is what regions dealt out at random would give.

References:
    Krippendorff: Content Analysis, 4th edition, 2018, chapter 12.
    The same value is `alpha_krippendorff` of crowd-kit, which takes it from NLTK's `AnnotationTask`.
    Braylan, Alonso, Lease: Measuring Annotator Agreement Generally across Complex Structured, Multi-object, and
    Free-text Annotation Tasks, 2022 (arXiv 2212.09503): why an alpha of distances is hard to read.
"""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foveate.core.bootstrap import percentiles, weight_chunks
from foveate.quality.expected import Comparable, NearBoxes, PackedMasks, expected
from foveate.quality.grids import packed
from foveate.quality.pairs import Pairs
from foveate.quality.regions import Frame, Regions, Whole

Values = NDArray[np.float64]
# Why not pixels: design/agreement.md.
FRAME: Frame = "unit"
MASK_PAIRS = 1_000_000
_SURE = 1.959963984540054  # Standard errors on either side of 95 %.
_FEW = "no task has regions of two people"
_ALIKE = "all regions are the same, so that chance alone would agree as well"


@dataclass(frozen=True, slots=True)
class Alpha:
    """Krippendorff's alpha.

    Attributes:
        value: Alpha, at most 1; None where it is not defined.
        why: Why it is not; else empty.
        low: The lower end of its 95 % bootstrap interval over tasks; None where there is none.
        high: The upper end.
        observed: Do.
        expected: De.
        expected_low: The lower end of the 95 % interval of De that comes of sampling alone; None where all pairs are
            looked at.
        expected_high: The upper end.
        tasks: How many tasks have at least two values.
        values: How many values these have.
        pairs: How many pairs De is over.
        sampled: Whether these are a sample.
        frame: In which frame regions of different photos were laid upon one another; empty where they were not.
        compared: As what: `boxes`, `masks` on a grid, or `answers`.
    """

    value: float | None
    why: str
    low: float | None
    high: float | None
    observed: float | None
    expected: float | None
    expected_low: float | None
    expected_high: float | None
    tasks: int
    values: int
    pairs: int
    sampled: bool
    frame: str
    compared: str

    def as_dict(self) -> dict[str, Any]:
        """Returns it for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is looked at.

    Attributes:
        most_pairs: A sample of so many pairs is drawn for De where there are more. None: all pairs of boxes, and
            1,000,000 of masks.
        resamples: Bootstrap resamples for the intervals; 0 for none.
        seed: Of what is drawn.
        workers: How many threads compare boxes; None: as many as there are cores for this process.
    """

    most_pairs: int | None = None
    resamples: int = 1000
    seed: int = 0
    workers: int | None = None


USUAL = Effort()


def alpha(pairs: Pairs, frame: Frame = FRAME, effort: Effort = USUAL) -> Alpha:
    """Returns alpha of the regions.

    Args:
        pairs: All pairs of the regions.
        frame: `unit`: regions of different photos are compared by their places as shares of the sides; `pixels`: by
            their pixels, counted from the upper left corner.
        effort: How much is looked at.
    """
    regions = pairs.regions
    compared = "boxes" if regions.boxes else "masks"
    tasks = np.flatnonzero(regions.drawn >= 2)
    if not len(tasks):
        return undefined(_FEW, frame, compared)
    drawn = regions.drawn[tasks].astype(np.float64)
    apart = _summed(pairs.task, 1.0 - pairs.iou, tasks) / (drawn * (drawn - 1) / 2)
    workers = effort.workers or _cores()
    most = effort.most_pairs or (None if regions.boxes else MASK_PAIRS)
    found = expected(_comparable(regions, frame), most, effort.seed, workers)
    own = _summed(regions.task[regions.pairable], found.sums, tasks)
    observed = float(drawn @ apart / drawn.sum())
    if found.mean <= 0:
        return undefined(_ALIKE, frame, compared)
    low, high = _interval(Spread(drawn, apart, own), effort)
    reach = None if found.error is None else _SURE * found.error
    return Alpha(
        value=1.0 - observed / found.mean,
        why="",
        low=low,
        high=high,
        observed=observed,
        expected=found.mean,
        expected_low=None if reach is None else found.mean - reach,
        expected_high=None if reach is None else found.mean + reach,
        tasks=len(tasks),
        values=int(drawn.sum()),
        pairs=found.pairs,
        sampled=found.error is not None,
        frame=frame,
        compared=compared,
    )


def undefined(why: str, frame: str, compared: str) -> Alpha:
    """Returns an alpha that is not defined."""
    none = dict.fromkeys(("value", "low", "high", "observed", "expected", "expected_low", "expected_high"))
    return Alpha(**none, why=why, tasks=0, values=0, pairs=0, sampled=False, frame=frame, compared=compared)


@dataclass(frozen=True, eq=False)
class Spread:
    """What a resample of tasks needs to know of each task, ``T`` of them.

    Attributes:
        drawn: ``float64 (T,)``, its regions, at least two.
        apart: ``float64 (T,)``, their mean distance.
        own: ``float64 (T,)``, the sum of their distances to all regions.
    """

    drawn: Values
    apart: Values
    own: Values

    def alphas(self, weights: Values) -> Values:
        """Returns alpha of resamples ``(b,)``; NaN where it is not defined.

        A resample draws tasks. Do is that of the tasks drawn. De is followed to the first order: drawn once more, a
        task adds its distances to all regions there are, to others and from others. The second order would need the
        distances of all tasks from all, and would count the regions of a task drawn twice as agreeing with themselves.

        Args:
            weights: How often each task is drawn ``(b, T)``.
        """
        values = weights @ self.drawn
        observed = weights @ (self.drawn * self.apart) / values
        summed = 2 * (weights @ self.own) - self.own.sum()
        expected_ = summed / (values * (values - 1))
        return np.asarray(1.0 - np.divide(observed, expected_, out=np.full(len(values), np.nan), where=expected_ > 0))


def _interval(spread: Spread, effort: Effort) -> tuple[float | None, float | None]:
    groups = [str(task) for task in range(len(spread.drawn))]
    found = [spread.alphas(weights) for weights in weight_chunks(groups, effort.resamples, effort.seed)]
    return ends(np.concatenate(found or [np.empty(0)]))


def ends(values: Values) -> tuple[float | None, float | None]:
    """Returns the 95 % interval of values of resamples; None where none of them is defined."""
    low, high = percentiles(values)
    return (low, high) if np.isfinite(low) else (None, None)


def _summed(of: Whole, values: Values, tasks: Whole) -> Values:
    """Returns the sum of the values that are of each of the tasks."""
    return np.asarray(np.bincount(of, weights=values, minlength=int(tasks[-1]) + 1)[tasks], dtype=np.float64)


def _comparable(regions: Regions, frame: Frame) -> Comparable:
    """Returns the regions of tasks that have at least two."""
    if regions.boxes:
        return NearBoxes(regions.xyxy(frame)[regions.pairable])
    return PackedMasks(packed([regions.masks[place] for place in regions.pairable.tolist()], frame))


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
