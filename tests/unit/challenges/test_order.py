"""How sure an order is: against crossed columns by hand, and against `foveate.evaluation.significance`."""

from __future__ import annotations

import numpy as np
import pytest

from foveate.challenges.order import order_of
from foveate.core.bootstrap import intervals
from foveate.evaluation.measured import Columns


def columns(values: list[float]) -> Columns:
    """Returns columns of mean IoU whose samples have these values."""
    ones = np.ones(len(values))
    return {"iou": np.array(values), "grounded": ones, "scored": ones}


GROUPS = [f"photo {n}" for n in range(40)]
LOW, HIGH = [0.4, 0.6] * 20, [0.9, 0.8] * 20
# As good as LOW on the whole, and never on the same photo.
CROSSED = [0.6, 0.4] * 20


def test_what_is_better_on_every_photo_is_told_apart_and_what_is_crossed_is_not() -> None:
    found = order_of({"0": columns(HIGH), "1": columns(LOW), "2": columns(CROSSED)}, GROUPS, "mean_iou")
    assert [(one.name, one.group, one.letters) for one in found.rows] == [("0", 1, "a"), ("1", 2, "b"), ("2", 2, "b")]
    assert [one.told_apart for one in found.neighbours] == [True, False]
    assert found.photos == 40
    assert [one.value for one in found.rows] == pytest.approx([0.85, 0.5, 0.5])
    # The best is the best in each draw; the others change places.
    assert found.rows[0].within(0.95) == (1, 1)
    assert found.rows[1].within(0.95) == found.rows[2].within(0.95) == (2, 3)
    assert sum(found.rows[1].ranks) == pytest.approx(1)


def test_an_interval_is_that_of_the_bootstrap_of_the_differences() -> None:
    found = order_of({"0": columns(HIGH), "1": columns(LOW)}, GROUPS, "mean_iou").neighbours[0]
    gap = np.array(HIGH) - np.array(LOW)
    bounds = intervals({"d": lambda weights: weights @ gap / weights.sum(axis=1)}, GROUPS, resamples=1000, seed=0)
    assert (found.low, found.high) == pytest.approx(bounds["d"])
    assert found.difference == pytest.approx(0.35)


def test_of_a_single_photo_nothing_is_known() -> None:
    found = order_of({"0": columns(HIGH), "1": columns(LOW)}, ["one"] * 40, "mean_iou")
    assert [(one.low, one.high, one.told_apart) for one in found.neighbours] == [(None, None, False)]
    assert [one.within(0.95) for one in found.rows] == [None, None]
    assert [one.group for one in found.rows] == [1, 1]


def test_lower_is_better_where_the_metric_says_so() -> None:
    worse, better = [0.3] * 40, [0.9] * 40
    ones = np.ones(40)
    made = {
        str(n): {
            "iou": np.array(values), "grounded": ones, "shown": ones, "rated": ones, "scored": ones,
            "score": np.linspace(0, 1, 40), "intersection": np.array(values), "union": ones,
        }
        for n, values in enumerate([better, worse])
    }  # fmt: skip
    found = order_of(made, GROUPS, "aurc")
    assert found.rows[0].value < found.rows[1].value
    assert found.rows[0].within(0.95) == (1, 1)
