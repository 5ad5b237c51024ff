from __future__ import annotations

import numpy as np
import pytest

from foveate.core import bootstrap
from foveate.core.bootstrap import intervals, weight_chunks


def test_each_resample_draws_as_many_as_there_are() -> None:
    weights = np.concatenate(list(weight_chunks([str(n) for n in range(7)], 50, seed=0)))
    assert weights.shape == (50, 7)
    assert (weights.sum(axis=1) == 7).all()


def test_a_group_is_drawn_as_a_whole() -> None:
    weights = np.concatenate(list(weight_chunks(["a", "b", "a", "c"], 30, seed=0)))
    assert (weights[:, 0] == weights[:, 2]).all()


def test_a_single_group_has_no_resamples_and_no_interval() -> None:
    assert not list(weight_chunks(["a"] * 5, 30, seed=0))
    low, high = intervals({"n": lambda w: w.sum(axis=1)}, ["a"] * 5, resamples=30, seed=0)["n"]
    assert np.isnan([low, high]).all()


def test_chunks_do_not_change_the_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [str(n) for n in range(11)]
    whole = np.concatenate(list(weight_chunks(names, 20, seed=3)))
    monkeypatch.setattr(bootstrap, "CHUNK_BYTES", 8 * 11 * 3)
    parts = list(weight_chunks(names, 20, seed=3))
    assert len(parts) == 7
    assert np.array_equal(whole, np.concatenate(parts))


@pytest.mark.reference
def test_the_interval_of_a_mean_is_that_of_theory() -> None:
    rng = np.random.default_rng(5)
    values = rng.normal(size=400)
    found = intervals(
        {"mean": lambda w: w @ values / w.sum(axis=1)}, [str(n) for n in range(400)], resamples=4000, seed=1
    )
    low, high = found["mean"]
    error = values.std() / 20
    assert low == pytest.approx(values.mean() - 1.96 * error, abs=0.1 * error)
    assert high == pytest.approx(values.mean() + 1.96 * error, abs=0.1 * error)


def test_a_statistic_that_is_never_defined_has_no_interval() -> None:
    low, high = intervals({"none": lambda w: np.full(len(w), np.nan)}, ["a"], resamples=5, seed=0)["none"]
    assert np.isnan(low)
    assert np.isnan(high)
