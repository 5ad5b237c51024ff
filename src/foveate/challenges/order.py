"""How sure the order of a board is, after the end: pairs that are told apart, and how often each has which rank.

While a phase is open nothing of this is told: whether two entries differ by more than chance is known from their values
sample by sample, which are made of targets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from foveate.core.bootstrap import percentiles, weight_chunks
from foveate.evaluation._letters import groups_by_best, letters
from foveate.evaluation.bootstrap import one_thread
from foveate.evaluation.measured import Columns, reduced
from foveate.evaluation.metric_names import metrics_named
from foveate.evaluation.significance import rank_shares

# Those of `foveate score`, so that a run's own interval is the one that is known of it.
RESAMPLES, SEED = 1000, 0
Values = NDArray[np.float64]


@dataclass(frozen=True)
class Standing:
    """One row of a board.

    Attributes:
        name: The row's.
        value: Its main metric.
        group: 1 for the best row and all that are not told apart from it, 2 for the best of the rest and those, …
        letters: Rows that share a letter are not told apart.
        ranks: In what share of the resamples it has each rank; empty where there is a single photo.
    """

    name: str
    value: float
    group: int
    letters: str
    ranks: Sequence[float]

    def within(self, share: float) -> tuple[int, int] | None:
        """Returns the first and the last of the ranks that it has in a share of the resamples, cut at both ends."""
        if not self.ranks:
            return None
        sums = np.cumsum(self.ranks)
        tail = (1.0 - share) / 2
        # What is equal but for the order of its sum is no rank more.
        first, last = int(np.searchsorted(sums, tail + 1e-9)), int(np.searchsorted(sums, 1.0 - tail - 1e-9))
        return first + 1, min(last, len(self.ranks) - 1) + 1


@dataclass(frozen=True)
class Neighbours:
    """Two rows that follow each other: the first's value minus the second's, with its 95 % interval (paired)."""

    better: str
    worse: str
    difference: float
    low: float | None
    high: float | None

    @property
    def told_apart(self) -> bool:
        """Whether the interval leaves 0 out."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


@dataclass(frozen=True)
class Order:
    """How sure an order is: the rows as they are ranked, and the differences of those that follow each other."""

    metric: str
    photos: int
    rows: Sequence[Standing]
    neighbours: Sequence[Neighbours]


def order_of(columns: Mapping[str, Columns], groups: Sequence[str], metric: str) -> Order:
    """Returns how sure an order is, by resamples of the photos that weigh all rows alike.

    Two rows are told apart where the 95 % interval of their difference leaves 0 out; the level is not shared out among
    pairs, so that of twenty pairs without a difference one is expected to be told apart.

    Args:
        columns: Of the metric, by the names of two rows or more, best first.
        groups: What each sample is drawn together with (its photo).
        metric: Its name.
    """
    (by,) = metrics_named([metric])
    names = list(columns)
    ones = np.ones((1, len(groups)))
    values = {name: float(reduced(by, of, ones)["value"][0]) for name, of in columns.items()}
    with one_thread():
        rows = [
            np.stack([reduced(by, of, weights)["value"] for of in columns.values()], axis=1)
            for weights in weight_chunks(groups, RESAMPLES, SEED)
        ]
    drawn: Values = np.concatenate([np.empty((0, len(names))), *rows])
    pairs = {(a, b): _neighbours(names, a, b, values, drawn) for a, b in combinations(range(len(names)), 2)}
    alike = {(one.better, one.worse) for one in pairs.values() if not one.told_apart}
    shares = rank_shares((1.0 if by.card.better == "higher" else -1.0) * drawn)
    parts, told = groups_by_best(names, alike), letters(names, alike)
    ranks = [row.tolist() if np.isfinite(row).all() else () for row in shares]
    return Order(
        by.name,
        len(set(groups)),
        [Standing(name, values[name], parts[name], told[name], ranks[n]) for n, name in enumerate(names)],
        [pairs[pair] for pair in pairwise(range(len(names)))],
    )


def _neighbours(names: Sequence[str], a: int, b: int, values: Mapping[str, float], drawn: Values) -> Neighbours:
    low, high = percentiles(drawn[:, a] - drawn[:, b])
    known = np.isfinite(low)
    difference = values[names[a]] - values[names[b]]
    return Neighbours(names[a], names[b], difference, float(low) if known else None, float(high) if known else None)
