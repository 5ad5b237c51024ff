"""Values with their intervals, for what is no metric of its own: shares, losses, gains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from foveate.core.bootstrap import Statistic
from foveate.evaluation.bootstrap import intervals
from foveate.evaluation.evaluate import check_random, finite
from foveate.evaluation.results import Column
from foveate.metrics._overlaps import ratio, weighted_mean


@dataclass(frozen=True)
class Estimate:
    """A value and its 95 % bootstrap interval (photos resampled); None where it is not defined."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Draws:
    """How often photos are drawn for intervals (0 for none), and by which seed.

    Raises:
        UsageError: One is negative.
    """

    resamples: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        check_random(self.seed, self.resamples)


def estimates(statistics: Mapping[str, Statistic], groups: Sequence[str], draws: Draws) -> dict[str, Estimate]:
    """Returns each statistic on the samples as they are, with its interval; all see the same resamples.

    Args:
        statistics: Each gives the values ``(b,)`` for weights ``(b, N)``.
        groups: What is drawn together, one name a sample.
        draws: For the intervals.
    """
    bounds = intervals(statistics, groups, resamples=draws.resamples, seed=draws.seed)
    ones = np.ones((1, len(groups)))
    found = {}
    for name, statistic in statistics.items():
        value = finite(float(statistic(ones)[0]))
        low, high = (finite(bound) if value is not None else None for bound in bounds[name])
        found[name] = Estimate(value, low, high)
    return found


def mean_of(values: Column, of: Column) -> Statistic:
    """Returns the statistic "mean of `values` where `of` is 1"."""
    return lambda weights: weighted_mean(values, of, weights)


def ratio_of(over: Column, under: Column) -> Statistic:
    """Returns the statistic "sum of `over` by sum of `under`"."""
    return lambda weights: ratio(weights @ over, weights @ under)
