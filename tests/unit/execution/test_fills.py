from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from foveate.execution.fills import Fill, filled, stretched


def photo(height: int = 40, width: int = 60) -> np.ndarray:
    pixels = np.zeros((height, width, 3), dtype=np.uint8)
    pixels[..., 0] = np.linspace(0, 200, width, dtype=np.uint8)
    pixels[10:20, 10:20] = (0, 255, 0)
    return pixels


@pytest.mark.parametrize("fill", get_args(Fill))
def test_the_part_is_gone_and_the_rest_is_as_it_was(fill: Fill) -> None:
    before = photo()
    where = np.zeros((40, 60), dtype=bool)
    where[9:21, 9:21] = True
    after = filled(before, where, fill)
    np.testing.assert_array_equal(after[~where], before[~where])
    # Nothing of the green is as green as it was.
    assert after[where][:, 1].max() < 128
    np.testing.assert_array_equal(before, photo())


def test_mean_is_the_mean_colour_of_the_photo() -> None:
    pixels = np.zeros((2, 2, 3), dtype=np.uint8)
    pixels[0, 0] = (200, 100, 4)
    where = np.array([[True, False], [False, False]])
    assert filled(pixels, where)[0, 0].tolist() == [50, 25, 1]


@pytest.mark.parametrize("fill", get_args(Fill))
def test_of_a_photo_that_is_evidence_all_over_nothing_is_left(fill: Fill) -> None:
    whole = np.ones((40, 60), dtype=bool)
    assert filled(photo(), whole, fill)[..., 1].max() < 128


def test_what_is_stretched_keeps_its_shares() -> None:
    after = stretched(photo(), (80, 30))
    assert after.shape == (80, 30, 3)
    rows, columns = np.nonzero(after[..., 1] > 128)
    # 10 to 20 of 40 rows are 20 to 40 of 80; 10 to 20 of 60 columns are 5 to 10 of 30.
    assert (rows.min(), rows.max(), columns.min(), columns.max()) == (20, 39, 5, 9)
    assert stretched(after, (80, 30)) is after
