"""Bootstrap intervals by a matrix of seeded weights.

A resample is a row of weights: how often each sample was drawn. Every metric reduces a whole matrix at once, so that
1,000 resamples cost a few matrix products. Samples of one photo are drawn together, since they are not independent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Statistic = Callable[[NDArray[np.float64]], NDArray[np.float64]]
CHUNK_BYTES = 16 * 2**20


def weight_chunks(groups: Sequence[str], resamples: int, seed: int) -> Iterator[NDArray[np.float64]]:
    """Yields the weights of `resamples` resamples in chunks ``(b, N)`` of about 16 MiB; none of a single group.

    Resamples of one photo are all alike: an interval of them would have no width, and look sure.

    Args:
        groups: ``N`` names; samples of one name are drawn together.
        resamples: How many resamples.
        seed: Of NumPy's PCG64; the same seed gives the same weights whatever the chunks.
    """
    group_of, count = group_numbers(groups)
    if count < 2:
        return
    rng = np.random.default_rng(seed)
    rows = max(1, CHUNK_BYTES // (8 * len(groups)))
    for start in range(0, resamples, rows):
        drawn = np.empty((min(rows, resamples - start), count))
        for row in drawn:
            row[:] = np.bincount(rng.integers(count, size=count), minlength=count)
        yield drawn if count == len(groups) else drawn[:, group_of]


def group_numbers(groups: Sequence[str]) -> tuple[NDArray[np.int64], int]:
    """Returns the number of each sample's group ``(N,)``, by their first samples, and how many there are."""
    number = {name: n for n, name in enumerate(dict.fromkeys(groups))}
    return np.array([number[name] for name in groups], dtype=np.int64), len(number)


def intervals(
    statistics: Mapping[str, Statistic], groups: Sequence[str], *, resamples: int, seed: int, confidence: float = 0.95
) -> dict[str, tuple[float, float]]:
    """Returns the percentile bootstrap interval of each statistic; all see the same resamples.

    Args:
        statistics: Each gives the values ``(b,)`` for weights ``(b, N)``.
        groups: What is drawn together, one name a sample.
        resamples: How many resamples; resamples in which a statistic is not defined are left out of its interval. Of a
            single group there are none, and no interval.
        seed: Of the weights.
        confidence: The share of resamples inside.

    References:
        Efron, Tibshirani: An Introduction to the Bootstrap, 1993, section 13.3 (percentile interval).
    """
    values: dict[str, list[NDArray[np.float64]]] = {name: [] for name in statistics}
    for weights in weight_chunks(groups, resamples, seed):
        for name, statistic in statistics.items():
            values[name].append(statistic(weights))
    return {name: percentiles(np.concatenate(found or [np.empty(0)]), confidence) for name, found in values.items()}


def percentiles(values: NDArray[np.float64], confidence: float = 0.95) -> tuple[float, float]:
    """Returns the interval of a statistic from its values in resamples; those that are not defined are left out."""
    values = values[np.isfinite(values)]
    if not values.size:
        return float("nan"), float("nan")
    tail = (1.0 - confidence) / 2
    low, high = np.quantile(values, [tail, 1.0 - tail])
    return float(low), float(high)
