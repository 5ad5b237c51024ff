"""Bootstrap intervals by a matrix of seeded weights.

A resample is a row of weights: how often each sample was drawn. Every metric reduces a whole matrix at once, so that
1,000 resamples cost a few matrix products. Samples of one photo are drawn together, since they are not independent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

_CHUNK_BYTES = 64 * 2**20


def weight_chunks(groups: Sequence[str], resamples: int, seed: int) -> Iterator[NDArray[np.float64]]:
    """Yields the weights of `resamples` resamples in chunks ``(b, N)`` of about 64 MiB.

    Args:
        groups: ``N`` names; samples of one name are drawn together.
        resamples: How many resamples.
        seed: Of NumPy's PCG64; the same seed gives the same weights whatever the chunks.
    """
    _, group_of = np.unique(np.asarray(groups, dtype=object).astype(str), return_inverse=True)
    n_groups = int(group_of.max()) + 1
    rng = np.random.default_rng(seed)
    rows = max(1, _CHUNK_BYTES // (8 * len(groups)))
    for start in range(0, resamples, rows):
        drawn = [
            np.bincount(rng.integers(n_groups, size=n_groups), minlength=n_groups)
            for _ in range(min(rows, resamples - start))
        ]
        yield np.stack(drawn).astype(np.float64)[:, group_of]


def interval(
    statistic: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    groups: Sequence[str],
    *,
    resamples: int,
    seed: int,
    confidence: float = 0.95,
) -> tuple[float, float]:
    """Returns the percentile bootstrap interval of a statistic.

    Args:
        statistic: Gives the values ``(b,)`` for weights ``(b, N)``.
        groups: What is drawn together, one name a sample.
        resamples: How many resamples; resamples in which the statistic is not defined are left out.
        seed: Of the weights.
        confidence: The share of resamples inside.

    References:
        Efron, Tibshirani: An Introduction to the Bootstrap, 1993, section 13.3 (percentile interval).
    """
    values = np.concatenate([statistic(weights) for weights in weight_chunks(groups, resamples, seed)])
    values = values[np.isfinite(values)]
    if not values.size:
        return float("nan"), float("nan")
    tail = (1.0 - confidence) / 2
    low, high = np.quantile(values, [tail, 1.0 - tail])
    return float(low), float(high)
