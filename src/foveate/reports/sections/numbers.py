"""How values are spread, and how a number stands in a sentence."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Spread:
    """How values are spread, as a box plot draws it; the ends are the last values within 1.5 of the box's length.

    Attributes:
        n: How many values there are; those that are not defined are left out.
        mean: Their mean.
        sd: Their standard deviation, of just these values.
        low: The lower end.
        q1: The lower quartile.
        median: The median.
        q3: The upper quartile.
        high: The upper end.
        outside: The values beyond the ends, in their order.
    """

    n: int
    mean: float
    sd: float
    low: float
    q1: float
    median: float
    q3: float
    high: float
    outside: Values


def spread(values: ArrayLike) -> Spread | None:
    """Returns how values are spread; None where no value is defined.

    References:
        Tukey: Exploratory Data Analysis, 1977, section 2E.
    """
    given = np.asarray(values, dtype=np.float64)
    there = np.sort(given[np.isfinite(given)])
    if not there.size:
        return None
    q1, median_value, q3 = (float(value) for value in np.quantile(there, (0.25, 0.5, 0.75)))
    reach = 1.5 * (q3 - q1)
    # A quartile lies between two values, so that it can be beyond all that the reach allows.
    low = min(float(there[np.searchsorted(there, q1 - reach)]), q1)
    high = max(float(there[np.searchsorted(there, q3 + reach, side="right") - 1]), q3)
    outside = there[(there < low) | (there > high)]
    return Spread(there.size, float(there.mean()), float(there.std()), low, q1, median_value, q3, high, outside)


def text(value: float | None, digits: int = 3) -> str:
    """Returns a number as a sentence has it, or that it is not there; a minus as it is printed, none before 0.

    Example:
        >>> text(0.12345), text(-2.0, 1), text(-0.0001), text(None)
        ('0.123', '−2.0', '0.000', 'n/a')
    """
    if value is None or not np.isfinite(value):
        return "n/a"
    return f"{round(float(value), digits) + 0.0:.{digits}f}".replace("-", "\u2212")
