from __future__ import annotations

import math

import numpy as np
import pytest

from foveate.core.boxes import (
    as_boxes,
    box_area,
    box_problem,
    clip_boxes,
    cxcywh_to_xyxy,
    format_box,
    xywh_to_xyxy,
    xyxy_to_xywh,
)


def test_conversions_by_hand() -> None:
    assert xywh_to_xyxy([[1, 2, 3, 4]]).tolist() == [[1, 2, 4, 6]]
    assert xyxy_to_xywh([[1, 2, 4, 6]]).tolist() == [[1, 2, 3, 4]]
    assert cxcywh_to_xyxy([2.5, 4, 3, 4]).tolist() == [1, 2, 4, 6]


@pytest.mark.parametrize("values", [[1, 2, 3], 5.0, [[1, 2, 3, 4, 5]]])
def test_what_is_not_four_long_is_refused(values: object) -> None:
    with pytest.raises(ValueError, match="shape"):
        as_boxes(values)  # type: ignore[arg-type]


def test_area_is_half_open_and_never_negative() -> None:
    assert box_area([[0, 0, 9, 9], [5, 5, 5, 9], [9, 9, 0, 0], [9, 0, 0, 9]]).tolist() == [81, 0, 0, 0]


def test_clip_keeps_the_inside_and_empties_the_outside() -> None:
    clipped = clip_boxes([[-5, -5, 20, 20], [70, 10, 90, 20]], (48, 64))
    assert clipped.tolist() == [[0, 0, 20, 20], [64, 10, 64, 20]]


@pytest.mark.parametrize(
    ("box", "said"),
    [
        ((0, 0, 10, 10), None),
        ((0, 0, 64, 48), None),
        ((10, 10, 10, 30), "has no area"),
        ((10, 10, 30, 10), "has no area"),
        ((30, 10, 10, 20), "is inverted.*width and a height"),
        ((10, 30, 20, 10), "is inverted"),
        ((math.nan, 0, 1, 1), "not a finite number"),
        ((0, 0, math.inf, 1), "not a finite number"),
        ((-0.5, 0, 10, 10), "lies outside the image, which is 64 wide and 48 high"),
        ((0, 0, 64.5, 10), "lies outside"),
        ((0, 0, 10, 60), "lies outside.*transposed.*EXIF"),
        ((0, 0, 10, 70), r"lies outside the image, which is 64 wide and 48 high$"),
    ],
)
def test_what_is_wrong_with_a_box(box: tuple[float, ...], said: str | None) -> None:
    problem = box_problem(box, (48, 64))
    if said is None:
        assert problem is None
    else:
        assert problem is not None
        with pytest.raises(ValueError, match=said):
            raise ValueError(problem)


def test_without_a_size_only_the_box_itself_is_judged() -> None:
    assert box_problem((-10, -10, 5, 5)) is None


def test_boxes_are_shown_without_needless_zeros() -> None:
    assert format_box(np.array([1.0, 2.5, 3.0, 4.25])) == "1, 2.5, 3, 4.25"
