"""Two methods on the same samples: the difference, its interval, and how likely chance alone would give it.

Everything is weights again. A resample of photos weighs both methods alike; a permutation swaps, for some photos, which
of the two methods a sample's rows belong to: with the columns of both laid end to end, one method is the weights
``(1 - s, s)`` and the other ``(s, 1 - s)``. So every metric is tested by its own `reduce`, also those that are no plain
mean of samples.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from foveate.core.bootstrap import CHUNK_BYTES, Statistic, group_numbers
from foveate.evaluation.bootstrap import one_thread

Values = NDArray[np.float64]
Key = TypeVar("Key", bound=Hashable)
# Differences that are equal but for the order of their sums count as equal.
_EQUAL = 1e-12


def permutation_ps(
    statistics: Mapping[Key, Statistic], groups: Sequence[str], *, permutations: int, seed: int
) -> dict[Key, float]:
    """Returns two-sided p-values of the differences of two methods under exchange of the methods within photos.

    All ``2 ** photos`` exchanges are made where these are no more than `permutations`; else that many are drawn, and
    the one that was observed is counted with them, so that p is never 0.

    Args:
        statistics: Each gives values ``(b,)`` for weights ``(b, 2 N)`` over the rows of both methods, laid end to end;
            all see the same exchanges.
        groups: ``N`` names; samples of one name are exchanged together.
        permutations: How many exchanges at most.
        seed: Of the draws.

    Returns:
        The p-values; NaN where the difference is not defined.

    References:
        Fisher: The Design of Experiments, 1935; Good: Permutation Tests, 2000; Phipson, Smyth 2010 (never 0).
    """
    return exchange_ps(
        lambda swapped: differences_of(statistics, swapped), groups, permutations=permutations, seed=seed
    )


def exchange_ps(
    differences: Callable[[Values], Mapping[Key, Values]], groups: Sequence[str], *, permutations: int, seed: int
) -> dict[Key, float]:
    """Returns the p-values of `permutation_ps` for differences that are given as such.

    Args:
        differences: Gives each difference ``(b,)`` for exchanges ``(b, N)``: 1 where the methods of a sample are
            exchanged, else 0.
        groups: As there.
        permutations: As there.
        seed: As there.
    """
    group_of, count = group_numbers(groups)
    observed = {name: abs(float(found[0])) for name, found in differences(np.zeros((1, len(groups)))).items()}
    at_least, total = dict.fromkeys(observed, 0), dict.fromkeys(observed, 0)
    exact = count < 60 and 2**count <= permutations
    with one_thread():
        for swapped in _exchanges(count, permutations, exact, seed, len(groups)):
            for name, found in differences(swapped[:, group_of]).items():
                at_least[name] += int((np.abs(found) >= observed[name] - _EQUAL).sum())
                total[name] += int(np.isfinite(found).sum())
    also = 0 if exact else 1
    return {
        name: (at_least[name] + also) / (total[name] + also) if np.isfinite(observed[name]) else float("nan")
        for name in observed
    }


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


def differences_of(statistics: Mapping[Key, Statistic], swapped: Values) -> dict[Key, Values]:
    """Returns differences ``(b,)`` of statistics over the rows of both methods laid end to end, in exchanges."""
    kept = 1.0 - swapped
    there, here = np.hstack([swapped, kept]), np.hstack([kept, swapped])
    return {name: values(there) - values(here) for name, values in statistics.items()}


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
