"""Score maps cut at every threshold: what the IoU would be, from stored runs.

A map is read once. Of its pixels, at the target's resolution, only how many thresholds each one reaches is kept:
counted inside and outside of the target, this gives the IoU at all thresholds by sums from the top, without masks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foveate.core.bootstrap import group_numbers
from foveate.evaluation._cuts import overlaps_at
from foveate.evaluation.estimates import Draws, Estimate, estimates, mean_of
from foveate.evaluation.results import Column, Results
from foveate.evaluation.what_if import mapped
from foveate.metrics._overlaps import accepted

THRESHOLDS = tuple(n / 20 for n in range(1, 20))
HIT = 0.5
# What a threshold is a share of: the map's own highest value, or 1.
SCALES = ("peak", "absolute")
CAVEAT = (
    "A threshold that is chosen on the samples it is tested on is an oracle, no result; the cross-fitted value is the "
    "honest one: chosen on one half of the photos, tested on the other."
)


@dataclass(frozen=True, eq=False)
class Cuts:
    """What each sample's map gives at each threshold.

    Attributes:
        there: 1 where a sample has a target and a map ``(N,)``.
        iou: By scale, ``float64 (N, T)``; 0 where there is no map, or no pixel reaches the threshold.
        unsized: Samples whose map was left out, since the size of their photo is not known.
    """

    there: Column
    iou: Mapping[str, NDArray[np.float64]]
    unsized: int


@dataclass(frozen=True)
class Point:
    """The values at one threshold; `accuracy` is the share of samples with an IoU of at least one half."""

    threshold: float
    mean_iou: Estimate
    accuracy: Estimate


@dataclass(frozen=True)
class Sweep:
    """Score maps cut at every threshold.

    Attributes:
        name: The run's.
        scale: What thresholds are a share of: `peak` (of each map) or `absolute`.
        n: Samples with a target and a map.
        now: Mean IoU of the run's own regions on them.
        points: One a threshold.
        best: The threshold of the highest mean IoU; the lowest of equal ones.
        in_use: The run's option `threshold`, where it has one; the run does not say what it is a share of.
        chosen: The thresholds that were chosen on each half of the photos; None for a single photo.
        cross_fitted: Mean IoU with the threshold that was chosen on the other half.
        each: Mean IoU with the best threshold of each map.
        unsized: Samples whose map was left out, since the size of their photo is not known.
        caveat: How it may be read.
    """

    name: str
    scale: str
    n: int
    now: Estimate
    points: Sequence[Point]
    best: float
    in_use: float | None
    chosen: tuple[float, float] | None
    cross_fitted: Estimate
    each: Estimate
    unsized: int = 0
    caveat: str = CAVEAT

    def as_dict(self) -> dict[str, Any]:
        """Returns plain values."""
        return asdict(self)


def cuts(results: Results) -> Cuts | None:
    """Returns what maps give at each threshold; None where no sample with a target has one."""
    there, unsized = np.zeros(len(results)), 0
    iou = {scale: np.zeros((len(results), len(THRESHOLDS))) for scale in SCALES}
    for row, reference, size_hw in mapped(results):
        if size_hw is None:
            unsized += 1
            continue
        there[row] = 1.0
        soft = reference.load()
        values, shapes = soft.on(size_hw), accepted(results.truths[row])
        for scale, highest in (("peak", float(soft.values.max())), ("absolute", 1.0)):
            if highest > 0:
                iou[scale][row] = overlaps_at(values, shapes, [t * highest for t in THRESHOLDS])
    return Cuts(there, iou, unsized) if there.any() else None


def sweeps(results: Results, found: Cuts | None, *, draws: Draws | None = None) -> list[Sweep]:
    """Returns the sweeps over the maps of a run, one a scale; none where it has no maps.

    Args:
        results: The run.
        found: What its maps give.
        draws: For the intervals; their seed also parts the photos.
    """
    return [] if found is None else [_sweep(results, found, scale, draws or Draws()) for scale in SCALES]


def best_of(iou: NDArray[np.float64], there: Column) -> int:
    """Returns which threshold has the highest mean IoU; the lowest of equal ones."""
    means = there @ iou
    # Equal but for the order of their sums counts as equal.
    return int(np.argmax(means >= means.max() - 1e-9))


def halves(groups: Sequence[str], there: Column, seed: int) -> NDArray[np.bool_]:
    """Returns which samples are in the first half ``(N,)``: photos are parted, of those that have a map."""
    number, _ = group_numbers(groups)
    photos = np.unique(number[there > 0])
    drawn = np.random.default_rng(seed).permutation(photos)
    return np.isin(number, drawn[: len(drawn) // 2])


def cross_fitted(results: Results, found: Cuts, scale: str, seed: int) -> tuple[Column, tuple[float, float]] | None:
    """Returns each sample's IoU by the threshold chosen on the other half, and both thresholds; None for one photo."""
    first = halves(results.groups, found.there, seed)
    if not (found.there[first].any() and found.there[~first].any()):
        return None
    on_first, on_second = (best_of(found.iou[scale], found.there * half) for half in (first, ~first))
    iou = np.where(first, found.iou[scale][:, on_second], found.iou[scale][:, on_first])
    return iou, (THRESHOLDS[on_first], THRESHOLDS[on_second])


def _sweep(results: Results, found: Cuts, scale: str, draws: Draws) -> Sweep:
    iou, there = found.iou[scale], found.there
    fitted = cross_fitted(results, found, scale, draws.seed)
    statistics = {
        "now": mean_of(results.regions["iou"], there),
        "each": mean_of(iou.max(axis=1), there),
        "cross": mean_of(fitted[0] if fitted else np.full(len(there), np.nan), there),
    }
    for n in range(len(THRESHOLDS)):
        statistics[f"iou {n}"] = mean_of(iou[:, n], there)
        statistics[f"hit {n}"] = mean_of((iou[:, n] >= HIT).astype(np.float64), there)
    told = estimates(statistics, results.groups, draws)
    return Sweep(
        results.name,
        scale,
        int(there.sum()),
        told["now"],
        [Point(t, told[f"iou {n}"], told[f"hit {n}"]) for n, t in enumerate(THRESHOLDS)],
        THRESHOLDS[best_of(iou, there)],
        in_use(results),
        fitted[1] if fitted else None,
        told["cross"],
        told["each"],
        found.unsized,
    )


def in_use(results: Results) -> float | None:
    """Returns the run's option `threshold`, where it is a number from 0 to 1."""
    header = results.loaded.header
    value = header.config.get("threshold") if header else None
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return float(value) if 0 <= value <= 1 else None
