from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from foveate.core.rle import area, merge
from foveate.core.soft_maps import SoftMap

grids = st.tuples(st.integers(1, 6), st.integers(1, 6)).flatmap(
    lambda shape: arrays(np.float32, shape, elements=st.floats(0, 1, width=32))
)
sizes = st.tuples(st.integers(1, 40), st.integers(1, 40))


@given(grids, sizes)
def test_a_map_over_a_photo_stays_within_its_values(values: NDArray[np.float32], size_hw: tuple[int, int]) -> None:
    read = SoftMap.over(values, size_hw).on(size_hw)
    assert read.shape == size_hw
    assert read.min() >= values.min() - 1e-6
    assert read.max() <= values.max() + 1e-6


@given(grids, sizes)
def test_turning_grid_and_photo_turns_the_map(values: NDArray[np.float32], size_hw: tuple[int, int]) -> None:
    read = SoftMap.over(values, size_hw).on(size_hw)
    turned = SoftMap.over(values.T, size_hw[::-1]).on(size_hw[::-1])
    np.testing.assert_allclose(turned.T, read, atol=1e-6)


@given(grids, sizes, st.floats(0, 1), st.floats(0, 1))
def test_a_higher_threshold_keeps_less(
    values: NDArray[np.float32], size_hw: tuple[int, int], one: float, other: float
) -> None:
    soft = SoftMap.over(values, size_hw)
    wide, narrow = soft.above(min(one, other), size_hw), soft.above(max(one, other), size_hw)
    assert area(merge([wide, narrow], intersect=True)) == area(narrow)


@given(grids)
def test_on_its_own_grid_a_map_is_its_values(values: NDArray[np.float32]) -> None:
    np.testing.assert_array_equal(SoftMap.over(values, values.shape).on(values.shape), values)
