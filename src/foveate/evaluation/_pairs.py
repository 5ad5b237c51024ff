"""p-values of every pair of runs, from the exchanges that `foveate compare --all-pairs` makes.

Of a metric that is a mean of samples, the two sides of an exchange are made of sums over each run alone: these are
taken once a run instead of once a pair.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from foveate.core.bootstrap import Statistic
from foveate.evaluation.bootstrap import one_thread
from foveate.evaluation.measured import Columns, reduced
from foveate.evaluation.metric_names import Metric
from foveate.evaluation.paired import differences_of, exchange_ps

Values = NDArray[np.float64]
Pair = tuple[str, str]
# In so many exchanges what the sums say is compared with what the metric says of the two runs laid end to end.
_CHECKED = 8
_EQUAL = 1e-9


def pair_ps(
    metric: Metric, columns: Mapping[str, Columns], groups: Sequence[str], *, permutations: int, seed: int
) -> dict[Pair, float]:
    """Returns the two-sided p-value of every pair of runs, the first of each before the other in `columns`.

    Args:
        metric: By which runs differ.
        columns: What it measures, by run; rows in one order.
        groups: For each sample what it is exchanged together with.
        permutations: How many exchanges at most.
        seed: Of the draws.
    """
    pairs = list(combinations(columns, 2))
    ends = {f"{n}": _statistic(metric, columns[a], columns[b]) for n, (a, b) in enumerate(pairs)}
    sums = _Sums(metric, columns, pairs)

    def as_laid_end_to_end(swapped: Values) -> dict[str, Values]:
        return differences_of(ends, swapped)

    some = np.random.default_rng(seed).integers(2, size=(_CHECKED, len(groups))).astype(np.float64)
    with one_thread():
        said, mine = as_laid_end_to_end(some), sums.differences(some)
        alike = all(np.allclose(mine[n], said[n], rtol=0, atol=_EQUAL, equal_nan=True) for n in ends)
    found = exchange_ps(sums.differences if alike else as_laid_end_to_end, groups, permutations=permutations, seed=seed)
    return {pair: found[f"{n}"] for n, pair in enumerate(pairs)}


class _Sums:
    """The differences of pairs as those of means, from the sums of each run."""

    def __init__(self, metric: Metric, columns: Mapping[str, Columns], pairs: Sequence[Pair]) -> None:
        self._metric, self._columns, self._pairs = metric, columns, pairs
        ones = np.ones((1, len(next(iter(next(iter(columns.values())).values())))))
        self._whole = self._of(ones)

    def differences(self, swapped: Values) -> dict[str, Values]:
        """Returns by the pair's number the difference ``(b,)`` in exchanges ``(b, N)``."""
        away = self._of(swapped)
        kept = {name: (self._whole[name][0] - total, self._whole[name][1] - n) for name, (total, n) in away.items()}
        return {f"{n}": _mean(away[a], kept[b]) - _mean(kept[a], away[b]) for n, (a, b) in enumerate(self._pairs)}

    def _of(self, weights: Values) -> dict[str, tuple[Values, Values]]:
        """Returns the sum of each run's values, and over how many samples it is."""
        found = {name: reduced(self._metric, one, weights) for name, one in self._columns.items()}
        return {name: (np.nan_to_num(one["value"]) * one["n"], one["n"]) for name, one in found.items()}


def _mean(one: tuple[Values, Values], other: tuple[Values, Values]) -> Values:
    n = one[1] + other[1]
    return np.asarray(np.divide(one[0] + other[0], n, out=np.full(n.shape, np.nan), where=n > 0))


def _statistic(metric: Metric, first: Columns, second: Columns) -> Statistic:
    columns = {key: np.concatenate([first[key], second[key]]) for key in first}
    return lambda weights: reduced(metric, columns, weights)["value"]
