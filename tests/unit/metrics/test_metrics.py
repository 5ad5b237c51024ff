from __future__ import annotations

import numpy as np
import pytest

from foveate.core.regions import Box
from foveate.core.truths import Target, Truth
from foveate.metrics import accuracy, mean_iou
from foveate.metrics._overlaps import measure
from tests.helpers import predicted

TWO = (Target(Box((0, 0, 10, 10))), Target(Box((20, 20, 30, 30))))


def test_of_several_accepted_boxes_the_best_counts() -> None:
    columns = measure([predicted("a", (20, 20, 30, 30))], [Truth("a", targets=TWO, match="any")])
    assert columns["iou"].tolist() == [1.0]
    assert columns["scored"].tolist() == [1.0]


@pytest.mark.parametrize("match", ["union", "per_answer"])
def test_a_match_that_boxes_cannot_measure_is_refused(match: str) -> None:
    with pytest.raises(ValueError, match=f"match={match} need masks"):
        measure([predicted("a", (0, 0, 1, 1))], [Truth("a", targets=TWO, match=match)])  # type: ignore[arg-type]


def test_both_metrics_share_their_measuring() -> None:
    assert mean_iou.measure is accuracy.measure


@pytest.mark.parametrize("threshold", [0.0, -0.5, 1.5, float("nan")])
def test_a_threshold_that_is_none_is_refused(threshold: float) -> None:
    with pytest.raises(ValueError, match="threshold above 0 and at most 1"):
        accuracy.reduce(measure([], []), np.zeros((1, 0)), threshold)


def test_accuracy_at_1_needs_the_very_box() -> None:
    samples = [predicted("a", (0, 0, 10, 10)), predicted("b", (0, 0, 10, 9.999))]
    truths = [Truth(s.id, targets=(Target(Box((0, 0, 10, 10))),)) for s in samples]
    assert accuracy.reduce(measure(samples, truths), np.ones((1, 2)), 1.0)["value"].tolist() == [0.5]
