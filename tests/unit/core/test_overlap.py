from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.core.overlap import BoxTable, box_columns, box_iou, packed_overlap


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ([0, 0, 10, 10], [0, 0, 10, 10], 1.0),
        ([0, 0, 10, 10], [10, 0, 20, 10], 0.0),  # they touch; the old "+ 1" would say 1/21
        ([0, 0, 10, 10], [20, 20, 30, 30], 0.0),
        ([0, 0, 10, 10], [0, 0, 5, 10], 0.5),
        ([0, 0, 10, 10], [5, 5, 15, 15], 25 / 175),
        ([0, 0, 0.5, 0.5], [0.25, 0, 0.75, 0.5], 1 / 3),  # fractions of a pixel count as they are
    ],
)
def test_by_hand(a: list[float], b: list[float], expected: float) -> None:
    assert box_iou(a, b, empty=0.0).item() == pytest.approx(expected, abs=1e-15)


def test_the_empty_rule_is_the_callers() -> None:
    point = [3, 3, 3, 3]
    assert box_iou(point, point, empty=1.0).item() == 1.0
    assert box_iou(point, point, empty=0.0).item() == 0.0
    assert box_iou(point, point, empty=-1.0).item() == -1.0
    assert math.isnan(box_iou(point, point, empty=math.nan).item())
    assert box_iou(point, [0, 0, 10, 10], empty=1.0).item() == 0.0


def test_an_inverted_box_shares_nothing() -> None:
    assert box_iou([10, 10, 0, 0], [0, 0, 10, 10], empty=0.0).item() == 0.0


def test_broadcasting_gives_all_with_all() -> None:
    a = np.array([[0, 0, 10, 10], [0, 0, 5, 10], [50, 50, 60, 60]], dtype=float)
    b = np.array([[0, 0, 10, 10], [50, 50, 60, 60]], dtype=float)
    assert box_iou(a[:, None], b, empty=0.0).tolist() == [[1.0, 0.0], [0.5, 0.0], [0.0, 1.0]]


def test_no_boxes_give_no_values() -> None:
    assert box_iou(np.zeros((0, 4)), np.zeros((0, 4)), empty=0.0).shape == (0,)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_coordinate_that_is_not_finite_never_becomes_a_score(bad: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        box_iou([0, 0, bad, 1], [0, 0, 1, 1], empty=0.0)


@given(st.integers(0, 10**6), st.integers(1, 9), st.integers(1, 9))
def test_a_table_has_the_digits_of_the_pairs_also_when_it_is_used_again(seed: int, count: int, others: int) -> None:
    rng = np.random.default_rng(seed)
    low = rng.uniform(-5, 5, (count + others, 2))
    boxes = np.concatenate([low, low + 10.0 ** rng.uniform(-9, 2, (count + others, 2))], axis=1)
    boxes[-1] = boxes[0]
    table = BoxTable(81)
    for a, b in ((boxes[:count], boxes[count:]), (boxes[count:], boxes[:count])):
        assert np.array_equal(table(box_columns(a), box_columns(b)), box_iou(a[:, None], b, empty=0.0))


def test_a_table_is_of_boxes_with_an_area_and_finite() -> None:
    with pytest.raises(ValueError, match="finite"):
        box_columns([0, 0, math.nan, 1])
    with pytest.raises(ValueError, match="have an area"):
        box_columns([[0, 0, 1, 1], [3, 3, 3, 4]])


def test_packed_masks_are_counted_cell_by_cell() -> None:
    rng = np.random.default_rng(3)
    planes = rng.uniform(size=(2, 5, 128)) < 0.4
    a, b = (np.packbits(plane, axis=1).view(np.uint64) for plane in planes)
    shared, union = packed_overlap(a, b)
    assert shared.tolist() == (planes[0] & planes[1]).sum(axis=1).tolist()
    assert union.tolist() == (planes[0] | planes[1]).sum(axis=1).tolist()
    assert packed_overlap(a[0], b)[0].tolist() == (planes[0][0] & planes[1]).sum(axis=1).tolist()
