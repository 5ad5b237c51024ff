from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from foveate.core.bootstrap import Statistic
from foveate.evaluation import paired
from foveate.evaluation.paired import holm, permutation_ps

Values = NDArray[np.float64]


def mean_of(first: list[float], second: list[float]) -> Statistic:
    both = np.array([*first, *second])

    def mean(weights: Values) -> Values:
        return np.asarray((weights @ both) / weights.sum(axis=1))

    return mean


def permutation_p(statistic: Statistic, groups: list[str], *, permutations: int, seed: int) -> float:
    return permutation_ps({"it": statistic}, groups, permutations=permutations, seed=seed)["it"]


def test_all_four_exchanges_of_two_photos() -> None:
    # Differences are +1 and +1: their mean under the four exchanges is 1, 0, 0, -1; two of four are as large.
    assert permutation_p(mean_of([0, 0], [1, 1]), ["a", "b"], permutations=4, seed=0) == 2 / 4


def test_questions_of_one_photo_are_exchanged_together() -> None:
    # Three questions of one photo: two exchanges, and both are as large as what was observed.
    assert permutation_p(mean_of([0, 0, 0], [1, 1, 1]), ["a", "a", "a"], permutations=100, seed=0) == 1.0
    assert permutation_p(mean_of([0, 0, 0], [1, 1, 1]), ["a", "b", "c"], permutations=100, seed=0) == 2 / 8


def test_equal_methods_have_p_1() -> None:
    assert permutation_p(mean_of([0.3] * 9, [0.3] * 9), [str(n) for n in range(9)], permutations=50, seed=0) == 1.0


def test_what_was_observed_counts_among_the_draws() -> None:
    n = 40
    p = permutation_p(mean_of([0.0] * n, [1.0] * n), [str(i) for i in range(n)], permutations=99, seed=0)
    assert p == 1 / 100


def test_chunks_do_not_change_p(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    statistic = mean_of(rng.random(30).tolist(), rng.random(30).tolist())
    groups = [str(n) for n in range(30)]
    whole = permutation_p(statistic, groups, permutations=200, seed=7)
    monkeypatch.setattr(paired, "CHUNK_BYTES", 16 * 30 * 7)
    assert permutation_p(statistic, groups, permutations=200, seed=7) == whole


def test_what_is_not_defined_has_no_p_and_does_not_count() -> None:
    def never(weights: Values) -> Values:
        return np.full(len(weights), np.nan)

    assert np.isnan(permutation_p(never, ["a", "b"], permutations=4, seed=0))
    both = np.array([0.0, 0.0, 1.0, 1.0])

    def only_with_the_first(weights: Values) -> Values:
        # Not defined where the first method has lost its first photo: two of four exchanges, on one side each.
        values = (weights @ both) / weights.sum(axis=1)
        return np.where(weights[:, 0] + weights[:, 2] == 1, values, np.nan)

    assert permutation_p(only_with_the_first, ["a", "b"], permutations=4, seed=0) == 2 / 4


def test_holm_by_hand() -> None:
    # Sorted: .01 x 4, .02 x 3, .03 x 2, .9 x 1; each at least the one before.
    assert holm([0.03, 0.01, 0.9, 0.02]) == pytest.approx([0.06, 0.04, 0.9, 0.06])
    assert holm([]) == []
    assert holm([0.6, 0.7]) == [1.0, 1.0]


def test_holm_leaves_out_what_is_not_defined() -> None:
    adjusted = holm([0.02, float("nan"), 0.03])
    assert adjusted[0] == pytest.approx(0.04)
    assert np.isnan(adjusted[1])
    assert adjusted[2] == pytest.approx(0.04)


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_keeps_the_order_and_never_makes_smaller(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    bonferroni = [min(1.0, p * len(p_values)) for p in p_values]
    assert all(p <= a <= b + 1e-12 for p, a, b in zip(p_values, adjusted, bonferroni, strict=True))
    order = sorted(range(len(p_values)), key=lambda n: p_values[n])
    ranked = [adjusted[n] for n in order]
    assert ranked == sorted(ranked)
