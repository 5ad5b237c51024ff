from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from foveate.core.boxes import box_area, clip_boxes, xywh_to_xyxy, xyxy_to_xywh
from foveate.core.overlap import box_iou

whole = st.integers(0, 30)


@st.composite
def pixel_boxes(draw: st.DrawFn) -> list[int]:
    x0, y0 = draw(whole), draw(whole)
    return [x0, y0, x0 + draw(st.integers(1, 20)), y0 + draw(st.integers(1, 20))]


@st.composite
def float_boxes(draw: st.DrawFn) -> list[float]:
    side = st.floats(1e-3, 1e4, allow_nan=False)
    corner = st.floats(-1e4, 1e4, allow_nan=False)
    x0, y0 = draw(corner), draw(corner)
    return [x0, y0, x0 + draw(side), y0 + draw(side)]


def painted(box: list[int]) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    canvas = np.zeros((60, 60), dtype=bool)
    canvas[box[1] : box[3], box[0] : box[2]] = True
    return canvas


@given(pixel_boxes(), pixel_boxes())
def test_equals_counting_pixels(a: list[int], b: list[int]) -> None:
    one, two = painted(a), painted(b)
    assert box_iou(a, b, empty=0.0).item() == (one & two).sum() / (one | two).sum()


@given(float_boxes(), float_boxes())
def test_is_symmetric_and_between_0_and_1(a: list[float], b: list[float]) -> None:
    value = box_iou(a, b, empty=0.0).item()
    assert 0.0 <= value <= 1.0
    assert value == box_iou(b, a, empty=0.0).item()


@given(float_boxes())
def test_a_box_with_itself_is_1(a: list[float]) -> None:
    assert box_iou(a, a, empty=0.0).item() == 1.0


@given(pixel_boxes(), pixel_boxes(), st.integers(-100, 100), st.integers(1, 8))
def test_does_not_change_when_both_are_moved_and_scaled(a: list[int], b: list[int], shift: int, scale: int) -> None:
    moved = box_iou((np.array(a) + shift) * scale, (np.array(b) + shift) * scale, empty=0.0).item()
    assert moved == box_iou(a, b, empty=0.0).item()


@given(pixel_boxes())
def test_conversions_invert_each_other(a: list[int]) -> None:
    assert xywh_to_xyxy(xyxy_to_xywh(a)).tolist() == a


@given(float_boxes(), st.integers(1, 50), st.integers(1, 50))
def test_clipping_never_inverts_nor_grows(a: list[float], height: int, width: int) -> None:
    clipped = clip_boxes(a, (height, width))
    assert clipped[0] <= clipped[2]
    assert clipped[1] <= clipped[3]
    assert box_area(clipped) <= box_area(a) * (1 + 1e-9) + 1e-6
    assert (clipped >= 0).all()
    assert clipped[2] <= width
    assert clipped[3] <= height
