from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy import ndimage

from foveate.core.masks import box_to_rle
from foveate.core.overlap import mask_iou
from foveate.core.polygons import rasterise
from foveate.core.rle import encode
from foveate.core.truths import Target, Truth
from foveate.metrics import boundary_tolerant_iou
from foveate.metrics.boundary_tolerant_iou import TOLERANCES, tolerant_values
from tests.helpers import predicted

SIZE = (400, 500)  # The canvas on which the data set's people drew.
sizes = st.tuples(st.integers(1, 12), st.integers(1, 12))
pairs = sizes.flatmap(lambda size: st.tuples(arrays(np.bool_, size), arrays(np.bool_, size)))


def by_brute_force(first: NDArray[np.bool_], second: NDArray[np.bool_], size_hw: tuple[int, int]) -> list[float]:
    """The definition, pixel by pixel over all pairs, with SciPy's distance transform for the thickness."""
    if not (first & second).any():
        return [0.0] * len(TOLERANCES)
    half = float(ndimage.distance_transform_edt(np.pad(second, 1)).max())
    values = []
    for tolerance in TOLERANCES:
        limit = min(tolerance * float(np.hypot(*size_hw)), half / 2)
        far = 0
        for one, other in ((first, second), (second, first)):
            there = np.argwhere(other)
            for pixel in np.argwhere(one & ~other):
                far += bool(np.sqrt(((there - pixel) ** 2).sum(axis=1).min()) > limit)
        values.append(float(1 - far / np.count_nonzero(first | second)))
    return values


@given(pairs, st.sampled_from([(12, 12), (300, 400), (30, 40)]))
def test_it_is_its_definition(masks: tuple[NDArray[np.bool_], NDArray[np.bool_]], size_hw: tuple[int, int]) -> None:
    found = tolerant_values(encode(masks[0]), encode(masks[1]), size_hw)
    assert found == pytest.approx(by_brute_force(*masks, size_hw), abs=1e-12)


@given(pairs)
def test_without_tolerance_it_is_the_iou_and_more_tolerance_never_lowers_it(
    masks: tuple[NDArray[np.bool_], NDArray[np.bool_]],
) -> None:
    a, b = encode(masks[0]), encode(masks[1])
    values = tolerant_values(a, b, (300, 400))
    assert values[0] == pytest.approx(mask_iou([a], [b], empty=0.0)[0], abs=1e-12)
    assert values == sorted(values)
    assert 0 <= values[0] <= values[-1] <= 1


def test_two_right_drawings_of_a_small_text_that_score_58_percent() -> None:
    """The paper's case: a word of 60 x 15 pixels on the canvas, and the same drawn 3 pixels farther out."""
    tight = box_to_rle((200, 200, 260, 215), SIZE)
    wide = rasterise([np.array([[197, 197], [263, 197], [264, 218], [196, 219]])], SIZE)
    assert mask_iou([tight], [wide], empty=0.0)[0] == pytest.approx(0.61, abs=0.03)
    assert tolerant_values(wide, tight, SIZE)[TOLERANCES.index(0.005)] > 0.9
    # The line of text below is no right drawing, near as it is.
    below = box_to_rle((200, 215, 260, 230), SIZE)
    assert tolerant_values(below, tight, SIZE) == [0.0] * len(TOLERANCES)


def test_a_tolerance_that_is_not_measured_is_refused() -> None:
    truth = Truth("a", targets=(Target(predicted("a", (0, 0, 9, 9)).final.shape),), size_hw=SIZE)  # type: ignore[union-attr]
    columns = boundary_tolerant_iou.measure([predicted("a", (0, 0, 9, 9))], [truth])
    with pytest.raises(ValueError, match=r"measured at 0.0, 0.0025, 0.005, 0.01, 0.02, not at 0.3"):
        boundary_tolerant_iou.reduce(columns, np.ones((1, 1)), 0.3)


def test_boxes_need_the_photos_size() -> None:
    truth = Truth("a", targets=(Target(predicted("a", (0, 0, 9, 9)).final.shape),))  # type: ignore[union-attr]
    with pytest.raises(ValueError, match="without the photo's size"):
        boundary_tolerant_iou.measure([predicted("a", (0, 0, 9, 9))], [truth])
