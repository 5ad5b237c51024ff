"""Two methods on the same samples: the difference, its interval, and how likely chance alone would give it.

Everything is weights again. A resample of photos weighs both methods alike; a permutation swaps, for some photos, which
of the two methods a sample's rows belong to: with the columns of both laid end to end, one method is the weights
``(1 - s, s)`` and the other ``(s, 1 - s)``. So every metric is tested by its own `reduce`, also those that are no plain
mean of samples.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from foveate.evaluation.bootstrap import CHUNK_BYTES, Statistic, group_numbers

Values = NDArray[np.float64]
# Differences that are equal but for the order of their sums count as equal.
_EQUAL = 1e-12


def permutation_p(values: Statistic, groups: Sequence[str], *, permutations: int, seed: int) -> float:
    """Returns the two-sided p-value of the difference of two methods under exchange of the methods within photos.

    All ``2 ** photos`` exchanges are made where these are no more than `permutations`; else that many are drawn, and
    the one that was observed is counted with them, so that p is never 0.

    Args:
        values: Gives the metric ``(b,)`` for weights ``(b, 2 N)`` over the rows of both methods, laid end to end.
        groups: ``N`` names; samples of one name are exchanged together.
        permutations: How many exchanges at most.
        seed: Of the draws.

    Returns:
        The p-value; NaN where the difference is not defined.

    References:
        Fisher: The Design of Experiments, 1935; Good: Permutation Tests, 2000; Phipson, Smyth 2010 (never 0).
    """
    group_of, count = group_numbers(groups)
    observed = float(_difference(values, np.zeros((1, len(groups))))[0])
    if not np.isfinite(observed):
        return float("nan")
    exact = count < 60 and 2**count <= permutations
    at_least, total = 0, 0
    for swapped in _exchanges(count, permutations, exact, seed, len(groups)):
        found = _difference(values, swapped[:, group_of])
        found = found[np.isfinite(found)]
        at_least += int((np.abs(found) >= abs(observed) - _EQUAL).sum())
        total += found.size
    return at_least / total if exact else (at_least + 1) / (total + 1)


def holm(p_values: Sequence[float]) -> list[float]:
    """Returns p-values adjusted for their number, by Holm's step-down method; NaN stays and does not count.

    References:
        Holm: A Simple Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of Statistics, 1979.

    Example:
        >>> holm([0.01, 0.04, 0.03])
        [0.03, 0.06, 0.06]
    """
    adjusted = list(p_values)
    order = sorted((n for n, p in enumerate(p_values) if not np.isnan(p)), key=lambda n: p_values[n])
    least = 0.0
    for done, n in enumerate(order):
        least = max(least, min(1.0, p_values[n] * (len(order) - done)))
        adjusted[n] = least
    return adjusted


def _difference(values: Statistic, swapped: Values) -> Values:
    kept = 1.0 - swapped
    return values(np.hstack([swapped, kept])) - values(np.hstack([kept, swapped]))


def _exchanges(count: int, permutations: int, exact: bool, seed: int, samples: int) -> Iterator[Values]:
    """Yields rows ``(b, photos)`` of 0 and 1, in chunks whose weights fit in memory."""
    rows = max(1, CHUNK_BYTES // (16 * samples))
    total = 2**count if exact else permutations
    rng = np.random.default_rng(seed)
    for start in range(0, total, rows):
        number = min(rows, total - start)
        if exact:
            codes = np.arange(start, start + number)[:, None]
            yield ((codes >> np.arange(count)) & 1).astype(np.float64)
        else:
            yield rng.integers(2, size=(number, count)).astype(np.float64)
