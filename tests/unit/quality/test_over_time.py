"""Smoothed series and drift, against shuffles by hand, SciPy and simulated people who do not change."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from foveate.quality import over_time
from foveate.quality.done import Done
from foveate.quality.over_time import drift, drifts, running_median, series_of

values = st.lists(st.none() | st.floats(-100, 100), max_size=40)


def test_a_persons_series() -> None:
    sent = [Done("a", 3.0, points=4, gold=0.5, gold_same=True), Done("b", 5.0, cannot_draw=True, peers=0.25)]
    assert series_of(sent) == {
        "seconds": [3.0, 5.0],
        "points": [4.0, None],
        "gold": [0.5, None],
        "peers": [None, 0.25],
    }


@given(values, st.sampled_from([1, 3, 9]))
def test_the_running_median_is_numpys_of_each_window(series: list[float | None], width: int) -> None:
    there = [value for value in series if value is not None]
    wanted = iter([np.median(there[max(0, n - width // 2) : n + width // 2 + 1]) for n in range(len(there))])
    found = running_median(series, width)
    assert [one is None for one in found] == [one is None for one in series]
    assert [one for one in found if one is not None] == pytest.approx(list(wanted))


def test_too_few_values_say_nothing() -> None:
    assert drift([1.0, 2.0] * 19 + [1.0]) is None
    assert drift([None] * 5 + [1.0, 2.0] * 20) is not None
    assert drift([1.0] * 30, latest=5) is not None
    assert drift([1.0] * 24, latest=5) is None


def test_what_never_changes_does_not_drift() -> None:
    found = drift([0.8] * 60)
    assert found is not None
    assert (found.p, found.is_one) == (1.0, False)
    assert found.change == pytest.approx(0.0)


def test_a_fall_is_told_with_its_interval() -> None:
    rng = np.random.default_rng(5)
    series = [*rng.normal(0.85, 0.05, 80), *rng.normal(0.6, 0.05, 20)]
    found = drift(series)
    assert found is not None
    assert (found.latest, found.before, found.is_one) == (20, 80, True)
    assert found.change == pytest.approx(np.mean(series[80:]) - np.mean(series[:80]))
    low, high = found.interval
    assert low < found.change < high < -0.2
    # The normal interval of two means.
    error = np.sqrt(np.var(series[80:]) / 20 + np.var(series[:80]) / 80)
    assert high - low == pytest.approx(2 * 1.96 * error, rel=0.2)


def test_times_are_compared_as_ratios() -> None:
    rng = np.random.default_rng(6)
    usual = np.exp(rng.normal(np.log(40), 0.3, 60))
    found = drift([*usual, *(np.exp(rng.normal(np.log(10), 0.3, 20)))], ratio=True)
    assert found is not None
    assert found.change == pytest.approx(found.now / found.was)
    assert found.was == pytest.approx(stats.gmean(usual))
    assert found.interval[0] < 0.25 < found.interval[1]
    assert drift([0.0] * 40, ratio=True) is not None, "no time at all has no logarithm"


def test_p_is_the_share_of_shuffles_counted_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    series = [0.0, 1.0, 3.0, 2.0, 5.0, 9.0, 4.0]
    monkeypatch.setattr(over_time, "LEAST_BEFORE", 4)
    monkeypatch.setattr(over_time, "_SHUFFLES", 20_000)
    x = np.array(series)
    each = [abs(x[list(late)].mean() - np.delete(x, late).mean()) for late in itertools.combinations(range(7), 3)]
    # 1.5 before and 6 after: as far apart is that choice alone, of 35.
    assert sum(value >= 4.5 - 1e-9 for value in each) == 1
    found = drift(series, latest=3)
    assert found is not None
    assert found.p == pytest.approx(1 / 35, abs=0.004)


def test_old_work_is_forgotten_in_the_end() -> None:
    found = drift([1.0] * 3000 + [0.0, 1.0] * 300)
    assert found is not None
    assert (found.before, found.was) == (500, 0.5)


def _alarms(people: int, make: Any, seed: int) -> float:
    rng = np.random.default_rng(seed)
    return float(
        np.mean(
            [any(one is not None and one.is_one for one in drifts(make(rng), seed=n).values()) for n in range(people)]
        )
    )


def _steady(rng: np.random.Generator) -> dict[Any, list[float | None]]:
    count = int(rng.integers(60, 160))
    gold = [float(v) if rng.random() < 0.4 else None for v in rng.beta(8, 2, count)]
    return {
        "seconds": list(rng.lognormal(3.5, 0.6, count)),
        "points": [float(v) for v in rng.poisson(12, count) + 3],
        "gold": gold,
        "peers": list(rng.beta(6, 2, count)),
    }


def _simulated(people: int) -> float:
    return _alarms(people, _steady, 11)


def test_people_who_do_not_change_are_seldom_told_to() -> None:
    # Four series of each: by Holm's rule one in twenty people in all. Of 200 that is 10, with a deviation of 3.1.
    assert _simulated(200) <= 0.09


@pytest.mark.slow
def test_people_who_do_not_change_are_seldom_told_to_at_length() -> None:
    assert _simulated(3000) <= 0.06


def test_those_who_do_are_told() -> None:
    def falling(rng: np.random.Generator) -> dict[Any, list[float | None]]:
        series = _steady(rng)
        series["peers"] = [*rng.beta(6, 2, 80), *rng.beta(3, 3, 20)]
        return series

    assert _alarms(40, falling, 12) >= 0.9


def test_holms_rule() -> None:
    rng = np.random.default_rng(3)
    series: dict[Any, Any] = {
        "seconds": list(rng.lognormal(3, 0.5, 60)),
        "gold": [0.9] * 10,
        "peers": [0.5] * 40 + [0.9] * 20,
    }
    alone = {name: drift(one, ratio=name == "seconds") for name, one in series.items()}
    found = drifts(series)
    assert found["gold"] is None
    assert alone["peers"] is not None
    assert alone["seconds"] is not None
    assert found["peers"] is not None
    assert found["seconds"] is not None
    assert found["peers"].p == pytest.approx(2 * alone["peers"].p) == 0.002
    assert found["seconds"].p == max(alone["seconds"].p, 0.002)
