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
    size_problem,
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
        ((30, 10, 10, 20), r"is inverted \(right < left\); are left and right swapped, or.*width and a height"),
        ((10, 30, 20, 10), r"is inverted \(bottom < top\); are top and bottom swapped, or.*width and a height"),
        ((30, 30, 10, 10), r"is inverted \(right < left and bottom < top\); are its corners swapped, or"),
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


@pytest.mark.parametrize("box", [(0, 0, 1e200, 10), (-1e10, 0, 5, 5), (0, -3e9, 5, 5), (0, 0, 5, 2.0**31 + 1)])
def test_boxes_beyond_any_image_are_refused(box: tuple[float, float, float, float]) -> None:
    assert "reaches farther than any image" in (box_problem(box) or "")


def test_sizes_that_are_none() -> None:
    assert size_problem((65535, 65537)) is None
    assert size_problem((65536, 65536)) == "an image has at most 4,294,967,295 pixels, not 65536 x 65536"
    assert size_problem((5, 0)) == "an image is at least 1 x 1 pixels, not 0 x 5"


def test_shares_of_the_sides_are_not_pixels() -> None:
    said = box_problem((0.1, 0.2, 0.9, 0.8), (480, 640))
    assert said == (
        "the box 0.1, 0.2, 0.9, 0.8 lies within the first pixel; are these shares of the photo's width and height?"
    )
    assert box_problem((0, 0, 1, 1), (480, 640)) is None  # The first pixel itself.
    assert box_problem((0.1, 0.2, 0.9, 1.8), (480, 640)) is None
    assert box_problem((0.1, 0.2, 0.9, 0.8), (4, 6)) is None
