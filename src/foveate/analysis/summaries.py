"""How values are distributed, in the numbers that a box plot draws and a table prints."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Summary:
    """The distribution of some values; those that are not there (NaN) are left out. All None where there is none.

    Attributes:
        n: How many values.
        mean: Their mean.
        sd: Their standard deviation (of these samples, not an estimate for others: divided by n).
        low: The least.
        q1: The first quartile (linear between values).
        median: The median.
        q3: The third quartile.
        high: The greatest.
    """

    n: int
    mean: float | None = None
    sd: float | None = None
    low: float | None = None
    q1: float | None = None
    median: float | None = None
    q3: float | None = None
    high: float | None = None


def summary(values: NDArray[np.floating] | NDArray[np.integer]) -> Summary:
    """Returns the distribution of values.

    Example:
        >>> summary(np.array([1.0, 2.0, 6.0, np.nan])).mean
        3.0
    """
    there = np.asarray(values, dtype=np.float64)
    there = there[~np.isnan(there)]
    if not there.size:
        return Summary(0)
    low, q1, median, q3, high = (float(q) for q in np.quantile(there, [0, 0.25, 0.5, 0.75, 1]))
    return Summary(len(there), float(there.mean()), float(there.std()), low, q1, median, q3, high)


def mean(values: NDArray[np.floating]) -> float | None:
    """Returns the mean of the values that are there, or None."""
    return summary(values).mean


def share(mask: NDArray[np.bool_]) -> float | None:
    """Returns the share that is true, or None of nothing."""
    return float(mask.mean()) if mask.size else None
