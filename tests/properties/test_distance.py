from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from foveate.core.rle import distance, encode

masks = st.tuples(st.integers(1, 9), st.integers(1, 9)).flatmap(lambda size: arrays(np.bool_, size))


@given(masks, st.floats(-5, 15), st.floats(-5, 15))
def test_it_is_the_distance_to_the_nearest_pixel(mask: NDArray[np.bool_], x: float, y: float) -> None:
    apart = [
        np.hypot(max(column - x, x - column - 1, 0), max(row - y, y - row - 1, 0)) for row, column in np.argwhere(mask)
    ]
    assert distance(encode(mask), x, y) == pytest.approx(min(apart, default=np.inf))
