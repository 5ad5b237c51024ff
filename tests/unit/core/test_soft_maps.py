from __future__ import annotations

import numpy as np
import pytest

from foveate.core.predictions import Prediction
from foveate.core.rle import decode
from foveate.core.soft_maps import Affine, ScoreMap, SoftMap
from foveate.core.truths import Target, Truth

RAMP = np.array([[0.0, 1.0]], dtype=np.float32)


def test_a_map_over_a_photo_is_read_between_the_middles_of_its_cells() -> None:
    # Two cells of 4 pixels: their middles are at x = 2 and 6, pixel middles at 0.5, 1.5, ...
    read = SoftMap.over(RAMP, (1, 8)).on((1, 8))
    assert read.dtype == np.float32
    assert read[0].tolist() == pytest.approx([0, 0, 0.125, 0.375, 0.625, 0.875, 1, 1])


def test_rows_and_columns_have_their_own_scale_and_offset() -> None:
    square = np.array([[0.0, 0.0], [0.0, 1.0]], dtype=np.float32)
    # Columns begin at x = 1 and are 2 wide, rows at y = -1 and are 1 high: the strong cell is x 3..5, y 0..1.
    soft = SoftMap(square, (2, 1, 1, -1))
    assert soft.peak() == (4.0, 0.5)
    assert soft.xyxy == (3.0, 0.0, 5.0, 1.0)
    read = soft.on((3, 7))
    assert read[0].tolist() == pytest.approx([0, 0, 0.25, 0.75, 1, 0, 0])
    assert not read[1:].any()  # The grid ends at y = 1.


def test_a_letterbox_is_undone() -> None:
    # A photo of 8 x 4 in a square of 8 x 8: two grey rows above and below; the grid has 4 cells a side.
    grid = np.zeros((4, 4), dtype=np.float32)
    grid[1, 3] = 1
    soft = SoftMap(grid, (2, 2, 0, -2))
    assert soft.peak() == (7.0, 1.0)
    read = soft.on((4, 8))
    # The cell's middle is at (7, 1), a quarter of a cell from the middles of the pixels of rows 0 and 1.
    assert read[:, 7].tolist() == pytest.approx([0.75, 0.75, 0.25, 0])
    assert read[0, 5:].tolist() == pytest.approx([0.75 * 0.25, 0.75 * 0.75, 0.75])


def test_the_region_of_a_map_is_where_it_reaches_one_half() -> None:
    soft = SoftMap.over(RAMP, (1, 8))
    assert decode(soft.rle((1, 8))).tolist() == [[False] * 4 + [True] * 4]
    assert soft.problem((1, 8)) is None
    assert soft.load() is soft
    assert isinstance(soft, ScoreMap)


def test_a_map_that_is_weak_everywhere_has_no_region() -> None:
    weak = SoftMap.over(RAMP * 0.4, (1, 8))
    assert weak.problem((1, 8)) == "the soft map reaches 0.5 nowhere"
    with pytest.raises(ValueError, match="reaches 0.5 nowhere"):
        _ = weak.xyxy
    with pytest.raises(ValueError, match="reaches 0.5 nowhere"):
        Truth("a", targets=(Target(weak),), size_hw=(1, 8))


@pytest.mark.parametrize("level", [0.0, 0.7, 1.0])
def test_a_map_that_is_the_same_everywhere_points_nowhere(level: float) -> None:
    assert SoftMap.over(np.full((3, 3), level), (9, 9)).peak() is None


def test_of_equal_maxima_the_first_in_reading_order_is_the_peak() -> None:
    assert SoftMap.over(np.array([[0.0, 1.0], [1.0, 0.0]]), (2, 2)).peak() == (1.5, 0.5)


@pytest.mark.parametrize(
    ("values", "affine", "problem"),
    [
        ([0.0, 1.0], (1, 1, 0, 0), r"shape \(h, w\), not \(2,\)"),
        (np.zeros((0, 2)), (1, 1, 0, 0), r"shape \(h, w\), not \(0, 2\)"),
        ([[float("nan")]], (1, 1, 0, 0), "numbers from 0 to 1"),
        ([[1.5]], (1, 1, 0, 0), "numbers from 0 to 1"),
        ([[-0.1]], (1, 1, 0, 0), "numbers from 0 to 1"),
        ([[1.0]], (0, 1, 0, 0), "two scales above 0"),
        ([[1.0]], (1, -1, 0, 0), "two scales above 0"),
        ([[1.0]], (1, 1, float("inf"), 0), "two scales above 0"),
    ],
)
def test_what_is_no_map_is_refused(values: object, affine: Affine, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        SoftMap(values, affine)  # type: ignore[arg-type]


def test_a_map_does_not_change_with_the_array_it_was_made_from() -> None:
    values = RAMP.copy()
    soft = SoftMap.over(values, (1, 8))
    values[0, 0] = 1
    assert soft.values.tolist() == [[0.0, 1.0]]
    with pytest.raises(ValueError, match="read-only"):
        soft.values[0, 0] = 1


def test_maps_are_equal_by_what_they_hold() -> None:
    soft = SoftMap.over(RAMP, (1, 8))
    assert soft == SoftMap.over(RAMP, (1, 8))
    assert hash(soft) == hash(SoftMap.over(RAMP, (1, 8)))
    assert soft != SoftMap.over(RAMP, (1, 4))
    assert soft != SoftMap.over(RAMP / 2, (1, 8))
    assert soft != "a map"


def test_a_prediction_takes_a_map_and_nothing_else_for_one() -> None:
    soft = SoftMap.over(RAMP, (1, 8))
    assert Prediction("a", "no_region", reason="weak", map=soft).map == soft
    with pytest.raises(ValueError, match="map is a SoftMap, not ndarray"):
        Prediction("a", "no_region", reason="weak", map=RAMP)  # type: ignore[arg-type]
