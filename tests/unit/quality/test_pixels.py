from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from foveate.core.regions import Mask
from foveate.core.rle import decode, encode
from foveate.quality.aggregation import aggregator
from foveate.quality.aggregators._cases import outline
from foveate.quality.aggregators._pixels import as_shape, marked_by, placed, unanimous, unfolded
from foveate.quality.drawings import Drawing

stacks = st.tuples(st.integers(1, 5), st.integers(1, 7), st.integers(1, 7)).flatmap(lambda shape: arrays(bool, shape))


@settings(max_examples=200, deadline=None)
@given(stacks, st.integers(1, 6))
def test_votes_are_those_of_plain_sums(stack: np.ndarray, needed: int) -> None:
    found = marked_by([encode(mask) for mask in stack], needed)
    assert np.array_equal(decode(found), stack.sum(axis=0) >= needed)
    assert found == encode(stack.sum(axis=0) >= needed)


@settings(max_examples=200, deadline=None)
@given(stacks, st.data())
def test_a_window_is_cut_out_and_put_back(stack: np.ndarray, data: st.DataObject) -> None:
    mask = stack[0]
    height, width = mask.shape
    x0, y0 = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1))
    window = (x0, y0, data.draw(st.integers(x0 + 1, width)), data.draw(st.integers(y0 + 1, height)))
    part = unfolded(encode(mask), window)
    assert np.array_equal(part, mask[window[1] : window[3], window[0] : window[2]])
    expected = np.zeros_like(mask)
    expected[window[1] : window[3], window[0] : window[2]] = part
    assert placed(part, window, (height, width)) == encode(expected)


def test_no_pixel_is_no_shape() -> None:
    assert as_shape(encode(np.zeros((2, 3)))) is None
    full = encode(np.ones((2, 3)))
    assert as_shape(full) == Mask(full)
    square = outline(0, 0, 2, 2)
    assert unanimous([Drawing(square, "a"), Drawing(outline(0, 0, 2, 2), "b")]) is square
    assert unanimous([Drawing(square, "a"), Drawing(outline(0, 0, 2, 1), "b")]) is None


@pytest.mark.parametrize("name", ["majority", "best_agreement", "union", "intersection", "larger", "median_box"])
def test_a_photo_far_larger_than_any_is_no_burden(name: str) -> None:
    """3.6 gigapixels: votes are counted on the runs, nothing is unfolded."""
    size = (60_000, 60_000)
    drawings = [Drawing(outline(100 + n, 100, 900 + n, 900), str(n)) for n in range(5)]
    begun = time.perf_counter()
    found = aggregator(name).region(drawings, size)
    assert found
    assert time.perf_counter() - begun < 5
    if name == "majority":
        assert found.rle(size) == outline(102, 100, 902, 900).rle(size)
