"""Differences of two runs against SciPy's own permutation test and bootstrap, on the same data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.stats
from numpy.typing import NDArray

from foveate.evaluation.bootstrap import intervals
from foveate.evaluation.paired import permutation_ps

pytestmark = pytest.mark.reference
Values = NDArray[np.float64]


def two_methods(n: int, seed: int, better: float, steps: int | None = None) -> tuple[Values, Values]:
    rng = np.random.default_rng(seed)
    first = rng.random(n)
    second = np.clip(first + rng.normal(better, 0.3, n), 0, 1)
    if steps:  # Many ties, also of whole differences.
        first, second = np.rint(first * steps) / steps, np.rint(second * steps) / steps
    return first, second


def difference(x: Values, y: Values, axis: int = -1) -> Any:
    return np.mean(y, axis=axis) - np.mean(x, axis=axis)


def ours(first: Values, second: Values, permutations: int) -> float:
    both = np.concatenate([first, second])

    def mean(weights: Values) -> Values:
        return np.asarray((weights @ both) / weights.sum(axis=1))

    groups = [str(n) for n in range(len(first))]
    return permutation_ps({"mean": mean}, groups, permutations=permutations, seed=5)["mean"]


@pytest.mark.parametrize("steps", [None, 2, 10])
@pytest.mark.parametrize(("n", "better"), [(3, 0.1), (8, 0.0), (10, 0.2), (12, -0.3)])
def test_all_exchanges_give_the_very_p(n: int, better: float, steps: int | None) -> None:
    first, second = two_methods(n, n, better, steps)
    theirs = scipy.stats.permutation_test(
        (first, second), difference, permutation_type="samples", vectorized=True, n_resamples=np.inf
    )
    assert ours(first, second, 2**n) == pytest.approx(theirs.pvalue, abs=1e-12)


@pytest.mark.parametrize(("n", "better"), [(200, 0.02), (500, 0.02), (1000, 0.0), (60, 0.3)])
def test_drawn_exchanges_give_the_p_within_the_error_of_drawing(n: int, better: float) -> None:
    first, second = two_methods(n, n, better)
    draws = 9_999
    theirs = scipy.stats.permutation_test(
        (first, second),
        difference,
        permutation_type="samples",
        vectorized=True,
        n_resamples=draws,
        rng=np.random.default_rng(1),
        batch=500,
    ).pvalue
    p = ours(first, second, draws)
    error = np.sqrt(theirs * (1 - theirs) / draws) + 1 / draws
    assert abs(p - theirs) < 5 * error
    assert p >= 1 / (draws + 1)


@pytest.mark.parametrize("n", [5, 60, 300])
def test_the_interval_of_the_difference_is_the_very_one(n: int) -> None:
    """SciPy draws the same resamples from the same seed; the intervals are equal to the last digits."""
    first, second = two_methods(n, n, 0.1)
    theirs = scipy.stats.bootstrap(
        (first, second),
        difference,
        paired=True,
        vectorized=True,
        method="percentile",
        n_resamples=1000,
        rng=np.random.default_rng(3),
    ).confidence_interval
    gain = second - first
    found = intervals({"d": lambda w: (w @ gain) / n}, [str(i) for i in range(n)], resamples=1000, seed=3)["d"]
    assert found == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_the_interval_of_one_method_is_the_very_one() -> None:
    values, _ = two_methods(150, 2, 0.0)
    theirs = scipy.stats.bootstrap(
        (values,), np.mean, vectorized=True, method="percentile", n_resamples=1000, rng=np.random.default_rng(0)
    ).confidence_interval
    found = intervals({"m": lambda w: (w @ values) / 150}, [str(i) for i in range(150)], resamples=1000, seed=0)["m"]
    assert found == pytest.approx((theirs.low, theirs.high), abs=1e-12)
