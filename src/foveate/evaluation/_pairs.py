"""p-values of pairs of runs: all from the same exchanges.

Of a metric that is a mean of samples, the two sides of an exchange are made of sums over each run alone: these are
taken once a run instead of once a pair.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from foveate.core.bootstrap import Statistic
from foveate.evaluation.bootstrap import one_thread
from foveate.evaluation.measured import Columns, reduced
from foveate.evaluation.metric_names import Metric
from foveate.evaluation.paired import differences_of, exchange_ps, permutation_ps

Values = NDArray[np.float64]
Pair = tuple[str, str]
# In so many exchanges what the sums say is compared with what the metric says of the two runs laid end to end.
_CHECKED = 8
_EQUAL = 1e-9


def pair_ps(
    metric: Metric,
    columns: Mapping[str, Columns],
    pairs: Sequence[Pair],
    groups: Sequence[str],
    *,
    permutations: int,
    seed: int,
) -> dict[Pair, float]:
    """Returns the two-sided p-value of pairs of runs; NaN where the difference is not defined.

    Args:
        metric: By which runs differ.
        columns: What it measures, by run; rows in one order.
        pairs: Of names of runs.
        groups: For each sample what it is exchanged together with.
        permutations: How many exchanges at most.
        seed: Of the draws.
    """
    sums = _Sums(metric, columns, pairs)
    if sums.hold(np.random.default_rng(seed).integers(2, size=(_CHECKED, len(groups))).astype(np.float64)):
        return exchange_ps(sums.differences, groups, permutations=permutations, seed=seed)
    ends = {pair: _statistic(metric, *(columns[name] for name in pair)) for pair in pairs}
    return permutation_ps(ends, groups, permutations=permutations, seed=seed)


class _Sums:
    """The differences of pairs as those of means, from the sums of each run."""

    def __init__(self, metric: Metric, columns: Mapping[str, Columns], pairs: Sequence[Pair]) -> None:
        self._metric, self._columns, self._pairs = metric, columns, pairs
        ones = np.ones((1, len(next(iter(next(iter(columns.values())).values())))))
        self._whole = self._of(ones)

    def hold(self, swapped: Values) -> bool:
        """Returns whether in these exchanges the differences are those that the metric itself says."""
        with one_thread():
            mine = self.differences(swapped)
            return all(
                np.allclose(mine[pair], self._said(pair, swapped), rtol=0, atol=_EQUAL, equal_nan=True)
                for pair in self._pairs
            )

    def _said(self, pair: Pair, swapped: Values) -> Values:
        statistic = _statistic(self._metric, *(self._columns[name] for name in pair))
        return differences_of({pair: statistic}, swapped)[pair]

    def differences(self, swapped: Values) -> dict[Pair, Values]:
        """Returns of each pair the difference ``(b,)`` in exchanges ``(b, N)``."""
        away = self._of(swapped)
        kept = {name: (self._whole[name][0] - total, self._whole[name][1] - n) for name, (total, n) in away.items()}
        return {(a, b): _mean(away[a], kept[b]) - _mean(kept[a], away[b]) for a, b in self._pairs}

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
