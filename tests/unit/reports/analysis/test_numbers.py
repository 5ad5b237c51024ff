"""Summaries, against Matplotlib's own box plots and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.cbook import boxplot_stats

from foveate.reports.analysis.numbers import names_of, share, sizes
from foveate.reports.sections.numbers import spread
from tests.unit.reports.analysis.measured import analysis

VALUES = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60)


@given(VALUES)
def test_a_spread_is_that_of_matplotlibs_box_plots(values: list[float]) -> None:
    found, wanted = spread(values), boxplot_stats(values)[0]
    assert found is not None
    assert [found.q1, found.median, found.q3] == pytest.approx([wanted[k] for k in ("q1", "med", "q3")])
    assert [found.low, found.high] == pytest.approx([wanted["whislo"], wanted["whishi"]])
    assert found.mean == pytest.approx(wanted["mean"])
    assert sorted(found.outside) == pytest.approx(sorted(wanted["fliers"]))


def test_a_spread_by_hand() -> None:
    found = spread([1, 2, 3, 4, 100, float("nan")])
    assert found is not None
    assert (found.n, found.q1, found.median, found.q3, found.low, found.high) == (5, 2, 3, 4, 1, 4)
    assert found.outside.tolist() == [100]
    # The mean is 22, the squared distances 441, 400, 361, 324 and 6,084.
    assert found.mean == 22
    assert found.sd == pytest.approx((7_610 / 5) ** 0.5)


def test_nothing_defined_has_no_spread_and_no_share() -> None:
    nothing = np.array([np.nan, np.nan])
    assert spread(nothing) is None
    assert spread([]) is None
    assert share(nothing, nothing == 0) is None


def test_a_share_is_of_the_defined_values() -> None:
    values = np.array([0.0, 1.0, np.nan, 0.0])
    assert share(values, values == 0) == pytest.approx(2 / 3)


@given(st.lists(st.floats(0, 1), max_size=50))
def test_each_target_is_in_one_third(values: list[float]) -> None:
    assert sum(sizes(np.array(values))) == len(values)


def test_two_data_sets_of_one_name_are_told_apart() -> None:
    assert names_of([analysis([0.1], "a:x"), analysis([0.1], "b:x"), analysis([0.1], "a:x")]) == [
        "a:x",
        "b:x",
        "a:x (2)",
    ]
