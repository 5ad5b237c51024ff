from __future__ import annotations

import pytest

from foveate.analysis.agreement import agreement
from foveate.core.regions import Box, Polygon
from foveate.core.truths import Target
from tests.helpers import Sides
from tests.unit.analysis.looked import Sample, analysed, dataset

SIZE = (20, 20)


def drew(who: str | None, box: Sides, answer: str | None = None) -> Target:
    return Target(Box(box), answer, who)


def found(*targets: Target, boxes: bool = False) -> list[float]:
    samples = [Sample(targets)]
    data = dataset(samples, SIZE, "box" if boxes else "mask")
    return list(agreement(data, analysed(samples, SIZE)).values.tolist())


def test_two_annotators_are_one_pair_and_three_are_three() -> None:
    a, b, c = drew("a", (0, 0, 10, 10)), drew("b", (0, 0, 10, 5)), drew("c", (10, 10, 20, 20))
    assert found(a, b) == [0.5]
    assert found(a, b, c) == [0.5, 0.0, 0.0]


def test_pieces_of_one_annotator_are_taken_together() -> None:
    assert found(drew("a", (0, 0, 10, 10)), drew("b", (0, 0, 10, 5)), drew("b", (0, 5, 10, 10))) == [1.0]


def test_unnamed_annotators_and_other_answers_are_not_compared() -> None:
    assert found(drew(None, (0, 0, 10, 10)), drew(None, (0, 0, 10, 5))) == []
    assert found(drew("a", (0, 0, 9, 9), "cup"), drew("b", (0, 0, 9, 9), "mug")) == []
    assert found(drew("a", (0, 0, 9, 9))) == []


def test_boxes_are_compared_as_boxes_where_they_are_scored_so() -> None:
    pair = drew("a", (0, 0, 10, 10)), drew("b", (0, 0, 10, 9.4))
    assert found(*pair, boxes=True) == pytest.approx([0.94])
    assert found(*pair) == pytest.approx([0.9])


def test_a_polygon_of_a_set_of_boxes_is_compared_as_a_mask() -> None:
    square = Target(Polygon((((0, 0), (10, 0), (10, 10), (0, 10)),)), None, "a")
    assert found(square, drew("b", (0, 0, 10, 5)), boxes=True) == [0.5]


def test_the_histogram_has_its_upper_edge() -> None:
    samples = [Sample([drew("a", (0, 0, 10, 10)), drew("b", (0, 0, 10, height))]) for height in (10, 8, 6, 1)]
    result = agreement(dataset(samples, SIZE), analysed(samples, SIZE))
    assert result.values.tolist() == pytest.approx([1.0, 0.8, 0.6, 0.1])
    assert result.histogram().tolist() == [1, 0, 0, 1, 2]
    assert result.ids == ["s0", "s1", "s2", "s3"]
