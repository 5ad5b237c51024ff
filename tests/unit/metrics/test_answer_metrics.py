"""What the four metrics of answers make of their columns."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Region
from foveate.core.truths import Target, Truth
from foveate.metrics import exact_match, mean_iou_correct, mean_iou_correct_vqa, vqa_accuracy

PEOPLE = ("red", "red", "red", "red", "blue", "blue", "blue", "pink", "pink", "green")  # 1, 0.9, 0.6 and 0.3.
TARGET = Target(Box((0, 0, 10, 10)))


def sample(answer: str | None, side: float = 10) -> tuple[Prediction, Truth]:
    """Returns a sample whose IoU is a tenth of `side`, or without a region for 0."""
    if side:
        prediction = Prediction("s", "ok", answer, final=Region(Box((0, 0, 10, side)), 1.0))
    else:
        prediction = Prediction("s", "error", answer, reason="broken")
    return prediction, Truth("s", PEOPLE, (TARGET,))


def reduced(
    metric: ModuleType, samples: list[tuple[Prediction, Truth]], weights: list[list[int]], parameter: float | None
) -> dict[str, list[float]]:
    columns = metric.measure([p for p, _ in samples], [t for _, t in samples])
    return {
        name: value.tolist()
        for name, value in metric.reduce(columns, np.array(weights, dtype=np.float64), parameter).items()
    }


def test_which_metrics_are_measured_together() -> None:
    assert vqa_accuracy.measure is exact_match.measure
    assert mean_iou_correct.measure is mean_iou_correct_vqa.measure


@pytest.mark.parametrize(("metric", "blue"), [(vqa_accuracy, 0.9), (exact_match, 0.0)])
def test_each_resample_has_its_own_value(metric: ModuleType, blue: float) -> None:
    samples = [sample("red"), sample(None), sample("blue", side=0)]
    weights = [[1, 1, 1], [1, 1, 0], [0, 2, 0], [0, 1, 3], [0, 0, 0]]
    found = reduced(metric, samples, weights, None)
    nan = float("nan")
    # The third resample has lost both answers by chance; the method gives answers, so that it has 0 there.
    np.testing.assert_allclose(found["value"], [(1 + blue) / 3, 0.5, 0, 0.75 * blue, nan])
    np.testing.assert_allclose(found["value_scored"], [(1 + blue) / 2, 1.0, nan, blue, nan])
    assert found["n"] == [3, 2, 2, 4, 0]


@pytest.mark.parametrize("metric", [vqa_accuracy, exact_match])
def test_a_method_without_any_answer_has_no_value(metric: ModuleType) -> None:
    found = reduced(metric, [sample(None), sample(None)], [[1, 1], [0, 2]], None)
    assert np.isnan([found["value"], found["value_scored"]]).all()
    assert found["n"] == [0, 0]


def test_an_answer_where_it_cannot_be_judged_tells_a_method_with_answers() -> None:
    unjudged = (sample("red")[0], Truth("t"))
    for metric in (vqa_accuracy, exact_match):
        found = reduced(metric, [sample(None), unjudged], [[1, 1], [0, 1]], None)
        np.testing.assert_array_equal(found["value"], [0.0, float("nan")])
        assert np.isnan(found["value_scored"]).all()
        assert found["n"] == [1, 0]


def test_the_correct_by_exact_match() -> None:
    samples = [sample("The RED."), sample("red", side=0), sample("blue"), sample("red", side=4), sample(None)]
    found = reduced(mean_iou_correct, samples, [[1] * 5, [0, 2, 5, 1, 0], [0, 0, 1, 0, 1]], None)
    np.testing.assert_allclose(found["value"], [1.4 / 3, 0.4 / 3, float("nan")])
    np.testing.assert_allclose(found["value_scored"], [0.7, 0.4, float("nan")])
    assert found["n"] == [3, 3, 0]


@pytest.mark.parametrize(
    ("threshold", "value", "n"),
    [(None, 2.7 / 3, 3), (0.3, 3.3 / 4, 4), (0.31, 2.7 / 3, 3), (0.6, 2.7 / 3, 3), (0.9, 1.9 / 2, 2), (1.0, 1.0, 1)],
)
def test_an_accuracy_of_exactly_the_threshold_is_correct(threshold: float | None, value: float, n: int) -> None:
    samples = [sample("red"), sample("blue", side=9), sample("pink", side=8), sample("green", side=6), sample("x")]
    found = reduced(mean_iou_correct_vqa, samples, [[1] * 5], threshold)
    assert found["value"] == pytest.approx([value])
    assert found["n"] == [n]


@pytest.mark.parametrize("threshold", [0.0, -0.5, 1.5, float("nan")])
def test_a_threshold_that_is_none_is_refused(threshold: float) -> None:
    with pytest.raises(ValueError, match="threshold above 0 and at most 1"):
        reduced(mean_iou_correct_vqa, [], [[]], threshold)


def test_answers_that_are_no_vote_are_each_right_and_never_polled() -> None:
    truth = Truth("s", ("cup", "mug", "coffee cup", "espresso cup"), (TARGET,), polled=False)
    samples = [
        (Prediction("s", "ok", answer, final=Region(Box((0, 0, 10, 10)), 1.0)), truth) for answer in ("A mug.", "jug")
    ]
    assert reduced(exact_match, samples, [[1, 0], [0, 1]], None)["value"] == [1.0, 0.0]
    assert np.isnan(reduced(vqa_accuracy, samples, [[1, 1]], None)["value"]).all()
