"""What the cases on the cards do not say: samples without a target, and reasons."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

from foveate.metrics import geometric_mean, geometric_mean_vqa
from foveate.metrics._cases import box_case

BOX = (0.0, 0.0, 4.0, 4.0)
BOTH = pytest.mark.parametrize("metric", [geometric_mean, geometric_mean_vqa])


def test_samples_without_a_target_count_by_the_answer_where_nothing_is_shown() -> None:
    samples = [
        box_case(None, None, answer="dog", answers=("dog",)),  # 1: right, and rightly without a region.
        box_case(BOX, None, answer="dog", answers=("dog",)),  # 0: a needless region.
        box_case(None, None, answer="cat", answers=("dog",)),  # 0: a wrong answer.
        box_case((0, 0, 2, 2), BOX, answer="dog", answers=("dog",)),  # 1/2: a quarter of the target.
    ]
    columns = geometric_mean.measure([p for p, _ in samples], [t for _, t in samples])
    ones = np.ones((1, 4))
    usual, everywhere = (geometric_mean.reduce(columns, ones, parameter) for parameter in (None, 1.0))
    assert (usual["value"][0], usual["n"][0]) == (0.5, 1)
    assert (everywhere["value"][0], everywhere["n"][0]) == (1.5 / 4, 4)
    assert everywhere["value_scored"][0] == pytest.approx(1.5 / 3)
    assert geometric_mean.reduce(columns, ones, 0.0)["value"][0] == 0.5


def test_it_is_never_above_the_mean_of_the_two() -> None:
    people = ("cat", "cat", "dog", "dog", "dog", "dog", "dog", "dog", "dog", "dog")
    for height in range(1, 5):
        sample = box_case((0, 0, 4, height), BOX, answer="cat", answers=people)
        columns = geometric_mean_vqa.measure([sample[0]], [sample[1]])
        value = geometric_mean_vqa.reduce(columns, np.ones((1, 1)))["value"][0]
        assert value == pytest.approx((0.6 * height / 4) ** 0.5)
        assert value <= (0.6 + height / 4) / 2


@BOTH
@pytest.mark.parametrize("parameter", [0.5, 2.0, -1.0, float("nan")])
def test_another_parameter_is_refused(metric: ModuleType, parameter: float) -> None:
    with pytest.raises(ValueError, match="it takes 1"):
        metric.reduce(metric.measure([], []), np.ones((1, 0)), parameter)


@BOTH
def test_why_there_is_no_value(metric: ModuleType) -> None:
    silent = box_case(BOX, BOX, answer=None, answers=("dog",) * 4)
    assert metric.why_not(metric.measure([silent[0]], [silent[1]])) == "the predictions have no answers"
    alone = box_case(BOX, BOX, answer="dog", answers=())
    assert metric.why_not(metric.measure([alone[0]], [alone[1]])).startswith("no sample with a target has answers")
