from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foveate.core.overlap import mask_iou
from foveate.core.regions import Box, Mask
from foveate.core.rle import Rle, decode, encode
from foveate.core.soft_maps import Affine, SoftMap
from foveate.evaluation.grid_oracle import best_cells

SIZE = (12, 15)
AFFINES: list[Affine] = [(5, 4, 0, 0), (4, 4, 1, -1), (6, 3, -2, 2)]


def overlap(one: Rle, other: Rle) -> float:
    return float(mask_iou([one], [other], empty=0.0)[0])


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1), st.sampled_from(AFFINES))
def test_no_choice_of_cells_is_better(seed: int, affine: Affine) -> None:
    inside = np.random.default_rng(seed).random(SIZE) < 0.3
    inside[3:7, 2:9] = True
    target = Mask(encode(inside))
    grid = SoftMap(np.zeros((3, 3), dtype=np.float32), affine)
    found = best_cells(grid, target, SIZE)
    assert found is not None
    most = 0.0
    for chosen in product((0.0, 1.0), repeat=9):
        union = SoftMap(np.array(chosen, dtype=np.float32).reshape(3, 3), affine, "cells").above(0.5, SIZE)
        most = max(most, overlap(union, target.encoded))
    assert overlap(found.encoded, target.encoded) == pytest.approx(most)


def test_a_target_that_is_cells_is_met() -> None:
    grid = SoftMap.over(np.zeros((3, 5)), SIZE)
    found = best_cells(grid, Box((3, 4, 9, 8)), SIZE)
    assert found is not None
    rows, columns = np.nonzero(decode(found.encoded))
    assert (rows.min(), rows.max(), columns.min(), columns.max()) == (4, 7, 3, 8)


def test_beside_the_grid_there_is_no_cell() -> None:
    grid = SoftMap(np.zeros((2, 2), dtype=np.float32), (2, 2, 0, 0))
    assert best_cells(grid, Box((8, 8, 12, 12)), SIZE) is None
