from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.core.cubic import cubic_weights
from foveate.core.predictions import Prediction
from foveate.core.rle import decode
from foveate.core.soft_maps import Affine, ScoreMap, SoftMap, from_steps, to_steps
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


def test_a_curve_is_opencvs_cubic_but_for_its_swings() -> None:
    cv2 = pytest.importorskip("cv2")
    grid = np.random.default_rng(0).random((5, 7)).astype(np.float32)
    read = SoftMap.over(grid, (40, 56), "bicubic").on((40, 56))
    theirs = cv2.resize(grid, (56, 40), interpolation=cv2.INTER_CUBIC)
    assert theirs.max() > grid.max()
    assert read == pytest.approx(np.clip(theirs, grid.min(), grid.max()), abs=2e-3)
    assert (read.min(), read.max()) == (grid.min(), grid.max())


def test_a_curve_by_hand() -> None:
    # Keys's cubic with -0.75, a quarter of a cell beyond the middle of the second of four cells.
    weights = cubic_weights(np.array([1.75]), 4)[0]
    assert weights.tolist() == pytest.approx([-0.10546875, 0.87890625, 0.26171875, -0.03515625])


@given(st.lists(st.floats(-1, 9), min_size=1, max_size=20), st.integers(1, 8))
def test_the_weights_of_a_curve_sum_to_one(at: list[float], cells: int) -> None:
    assert cubic_weights(np.array(at), cells).sum(axis=1) == pytest.approx(np.ones(len(at)))


def test_cells_are_not_mixed() -> None:
    grid = np.array([[0.25, 1.0]], dtype=np.float32)
    assert SoftMap(grid, (2, 1, 1, 0), "cells").on((1, 7)).tolist() == [[0, 0.25, 0.25, 1, 1, 0, 0]]


def test_maps_that_are_read_in_different_ways_are_not_equal() -> None:
    first, second = SoftMap.over(RAMP, (1, 8)), SoftMap.over(RAMP, (1, 8), "cells")
    assert first != second
    assert hash(first) != hash(second)


def test_an_unknown_way_of_reading_is_refused() -> None:
    with pytest.raises(ValueError, match="bilinear, bicubic, cells, not lanczos"):
        SoftMap.over(RAMP, (1, 8), "lanczos")  # type: ignore[arg-type]


@given(st.lists(st.floats(0, 1, width=32), min_size=1, max_size=30))
def test_what_was_made_of_steps_stays_bit_for_bit(numbers: list[float]) -> None:
    values = np.array([numbers], dtype=np.float32)
    once = from_steps(to_steps(values), float(values.max()))
    again = from_steps(to_steps(once), float(once.max()))
    assert again.tobytes() == once.tobytes()
    assert np.abs(once - values).max() <= values.max() / 254 * 1.001
