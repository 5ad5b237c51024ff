from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from foveate.core.prior_cells import cells_of, chosen_cells, on_photo
from foveate.core.rle import decode, encode


@given(st.integers(1, 120), st.integers(1, 120), st.integers(1, 70), st.integers(0, 2**32 - 1))
def test_a_pixel_belongs_to_the_cell_under_its_centre(height: int, width: int, grid: int, seed: int) -> None:
    cells = np.random.default_rng(seed).random((grid, grid)) < 0.5
    rows, columns = ((2 * np.arange(side) + 1) * grid // (2 * side) for side in (height, width))
    np.testing.assert_array_equal(decode(on_photo(cells, (height, width))), cells[np.ix_(rows, columns)])


def test_cells_are_chosen_by_a_share_of_the_peak() -> None:
    mean = np.array([[0.1, 0.2], [0.05, 0.4]])
    assert chosen_cells(mean, 0.5).tolist() == [[False, True], [False, True]]
    assert chosen_cells(np.zeros((2, 2)), 0.5).all()


@given(st.integers(1, 90), st.integers(1, 90), st.integers(1, 70), st.integers(0, 2**32 - 1))
def test_cells_count_the_pixels_of_the_regions_that_they_make(height: int, width: int, grid: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    mask, cells = rng.random((height, width)) < 0.3, rng.random((grid, grid)) < 0.5
    region = decode(on_photo(cells, (height, width)))
    inside, of_cells = cells_of(encode(mask), grid)
    assert (inside[cells].sum(), of_cells[cells].sum()) == ((mask & region).sum(), region.sum())
    assert (inside.sum(), of_cells.sum()) == (mask.sum(), height * width)
