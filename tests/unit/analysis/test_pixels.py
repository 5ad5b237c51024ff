from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from foveate.analysis._pixels import pixels_of
from foveate.core.rle import encode


def test_a_rectangle_by_hand() -> None:
    mask = np.zeros((6, 8), dtype=bool)
    mask[1:3, 2:6] = True
    found = pixels_of(encode(mask))
    assert (found.area, found.centre, found.parts) == (8, (4.0, 2.0), 1)


def test_pixels_that_touch_at_a_corner_are_one_part() -> None:
    assert pixels_of(encode(np.eye(4, dtype=bool))).parts == 1
    assert pixels_of(encode(np.eye(4, dtype=bool)[:, ::-1])).parts == 1


def test_a_gap_makes_two_parts() -> None:
    mask = np.zeros((5, 5), dtype=bool)
    mask[:, 0] = mask[:, 3] = True
    assert pixels_of(encode(mask)).parts == 2
    assert pixels_of(encode(mask.T)).parts == 2


def test_nothing_has_no_middle() -> None:
    with pytest.raises(ValueError, match="empty"):
        pixels_of(encode(np.zeros((3, 3), dtype=bool)))


@given(arrays(np.bool_, array_shapes(min_dims=2, max_dims=2, max_side=9), elements=st.booleans()))
def test_runs_tell_what_pixels_do(mask: np.ndarray) -> None:
    if not mask.any():
        return
    found = pixels_of(encode(mask))
    y, x = np.nonzero(mask)
    assert found.area == mask.sum()
    assert found.centre == pytest.approx((x.mean() + 0.5, y.mean() + 0.5))
    assert found.parts == cv2.connectedComponents(mask.astype(np.uint8), connectivity=8)[0] - 1
