"""How a person's work goes over time: smoothed series, and whether the latest differs from what was before."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from foveate.core.bootstrap import intervals
from foveate.quality.done import Done

Measure = Literal["seconds", "points", "gold", "peers"]
MEASURES: tuple[Measure, ...] = get_args(Measure)
# Values that are compared as ratios: a task that takes three times as long weighs as one that takes a third.
RATIOS: frozenset[Measure] = frozenset({"seconds", "points"})
LATEST, LEAST_BEFORE, MOST_BEFORE = 20, 20, 500
_SHUFFLES, _RESAMPLES = 999, 500
# An answer that took no time at all, or has no corner, has no ratio to others.
_LEAST = 0.1


@dataclass(frozen=True, slots=True)
class Drift:
    """The latest values of a series against those before.

    Attributes:
        latest: How many are the latest.
        before: How many were before, the nearest `MOST_BEFORE` at most.
        was: Their mean before; of ratios the geometric one.
        now: The mean of the latest.
        change: `now - was`; of ratios `now / was`.
        interval: Of the change, 95 %, by the bootstrap.
        p: How often chance alone makes a change as large, two-sided; adjusted where several series were looked at.
    """

    latest: int
    before: int
    was: float
    now: float
    change: float
    interval: tuple[float, float]
    p: float

    @property
    def is_one(self) -> bool:
        """Whether chance alone would seldom make it."""
        return self.p <= 0.05


def series_of(sent: Sequence[Done]) -> dict[Measure, list[float | None]]:
    """Returns a person's series in the order of sending; None where a submission has no such value."""
    return {
        "seconds": [one.seconds for one in sent],
        "points": [None if one.points is None else float(one.points) for one in sent],
        "gold": [one.gold for one in sent],
        "peers": [one.peers for one in sent],
    }


def running_median(values: Sequence[float | None], width: int = 9) -> list[float | None]:
    """Returns for each value the median of those around it, `width` at most; None where there is no value.

    Values that are not there are passed over, so that a window always holds as many as there are near.

    Args:
        values: In their order.
        width: An odd number; at the ends the window is cut.

    Example:
        >>> running_median([1.0, 9.0, 2.0, None, 3.0], 3)
        [5.0, 2.0, 3.0, None, 2.5]
    """
    there = [value for value in values if value is not None]
    half = width // 2
    smooth = iter([median(there[max(0, n - half) : n + half + 1]) for n in range(len(there))])
    return [None if value is None else next(smooth) for value in values]


def drifts(
    series: Mapping[Measure, Sequence[float | None]], *, latest: int = LATEST, seed: int = 0
) -> dict[Measure, Drift | None]:
    """Returns the drift of each series; None where there are too few values to say anything.

    The more series are looked at, the more often chance alone makes one look so: `p` is adjusted by Holm's rule over
    those that can be judged.

    Args:
        series: By what is measured.
        latest: How many values are the latest; as many are needed before.
        seed: Of shuffles and resamples.

    References:
        Good: Permutation, Parametric and Bootstrap Tests of Hypotheses, 2005, section 3.2 (two samples).
        Holm: A Simple Sequentially Rejective Multiple Test Procedure, 1979.
    """
    found = {name: drift(values, ratio=name in RATIOS, latest=latest, seed=seed) for name, values in series.items()}
    judged = sorted(((one.p, name) for name, one in found.items() if one is not None), key=lambda pair: pair[0])
    most = 0.0
    for rank, (p, name) in enumerate(judged):
        most = max(most, min(1.0, p * (len(judged) - rank)))
        one = found[name]
        found[name] = None if one is None else replace(one, p=most)
    return found


def drift(values: Sequence[float | None], *, ratio: bool = False, latest: int = LATEST, seed: int = 0) -> Drift | None:
    """Returns the latest values of a series against those before; None where one of the two are too few.

    Args:
        values: In the order of sending; those that are not there are passed over.
        ratio: Whether a change is a ratio (of times, of counts), else a difference.
        latest: How many values are the latest; before them at least as many, and at least `LEAST_BEFORE`, are needed.
        seed: Of shuffles and resamples.
    """
    there = [value for value in values if value is not None][-(MOST_BEFORE + latest) :]
    if len(there) < latest + max(latest, LEAST_BEFORE):
        return None
    x = np.array(there, dtype=np.float64)
    x = np.log(np.maximum(x, _LEAST)) if ratio else x
    is_late = np.arange(len(x)) >= len(x) - latest
    was, now = float(x[~is_late].mean()), float(x[is_late].mean())
    low, high = _interval(x, is_late, seed)
    p = _chance_of(x, latest, now - was, seed)
    if ratio:
        return Drift(
            latest,
            len(x) - latest,
            math.exp(was),
            math.exp(now),
            math.exp(now - was),
            (math.exp(low), math.exp(high)),
            p,
        )
    return Drift(latest, len(x) - latest, was, now, now - was, (low, high), p)


def _interval(x: NDArray[np.float64], is_late: NDArray[np.bool_], seed: int) -> tuple[float, float]:
    def change(weights: NDArray[np.float64]) -> NDArray[np.float64]:
        late, early = weights * is_late, weights * ~is_late
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(late @ x / late.sum(axis=1) - early @ x / early.sum(axis=1))

    each = [str(n) for n in range(len(x))]
    return intervals({"change": change}, each, resamples=_RESAMPLES, seed=seed)["change"]


def _chance_of(x: NDArray[np.float64], latest: int, change: float, seed: int) -> float:
    """Returns how often a random choice of the latest differs from the rest as much: a permutation test."""
    if not np.ptp(x):
        return 1.0
    rng = np.random.default_rng(seed)
    order = np.argpartition(rng.random((_SHUFFLES, len(x))), latest - 1, axis=1)[:, :latest]
    late = x[order].mean(axis=1)
    early = (x.sum() - latest * late) / (len(x) - latest)
    # Sums in another order differ in their last digits; what is equal counts.
    as_large = np.abs(late - early) >= abs(change) - 1e-9
    return float((1 + as_large.sum()) / (1 + _SHUFFLES))
