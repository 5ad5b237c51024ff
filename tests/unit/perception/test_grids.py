from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.perception._grids import Window, cover, pixels_of, read, read_at_edges

shares = st.floats(0, 1)


@given(shares, shares, shares, shares, st.integers(1, 9), st.integers(1, 9))
def test_covered_cells_add_up_to_the_box(a: float, b: float, c: float, d: float, rows: int, columns: int) -> None:
    box = np.array([min(a, b) * 50, min(c, d) * 70, max(a, b) * 50, max(c, d) * 70])
    area = (box[2] - box[0]) * (box[3] - box[1])
    covered = cover(box, (70, 50), (rows, columns))
    assert covered.shape == (rows, columns)
    assert covered.sum() * 70 * 50 / rows / columns == pytest.approx(area, abs=1e-6)


def test_a_grid_is_read_as_opencv_enlarges_it() -> None:
    grid = np.random.default_rng(7).normal(size=(5, 8))
    ours = read(grid, (60, 64), Window(0, 0, 64, 60))
    theirs = cv2.resize(grid, (64, 60), interpolation=cv2.INTER_CUBIC)
    assert ours == pytest.approx(np.asarray(theirs), abs=1e-5)


def test_a_window_reads_what_the_whole_reads_there() -> None:
    grid = np.random.default_rng(7).normal(size=(5, 8))
    whole, part = read(grid, (60, 64), Window(0, 0, 64, 60)), read(grid, (60, 64), Window(10, 20, 31, 47))
    assert part == pytest.approx(whole[20:47, 10:31], abs=1e-12)


@pytest.mark.parametrize(
    ("box", "window"),
    [
        ([0.0, 0.0, 4.0, 3.0], (0, 0, 4, 3)),
        ([0.4, 0.6, 2.6, 2.5], (0, 1, 3, 2)),
        ([1.6, 1.6, 2.4, 3.0], (2, 2, 3, 3)),
        ([3.8, 2.9, 4.0, 3.0], (3, 2, 4, 3)),
    ],
)
def test_pixels_count_where_their_centres_lie_inside_and_there_is_always_one(
    box: list[float], window: tuple[int, int, int, int]
) -> None:
    assert pixels_of(np.array(box), (3, 4)) == window


def test_a_margin_ends_at_the_photo() -> None:
    assert Window(3, 5, 10, 12).grown(4, (14, 30)) == (0, 1, 14, 14)


def test_values_are_drawn_to_the_photos_edge() -> None:
    # Cells of 10 pixels change at 20, the photo at 23.
    grid = np.repeat([[1.0, 1.0, -1.0, -1.0, -1.0]], 5, axis=0)
    image = np.zeros((50, 50, 3), dtype=np.uint8)
    image[:, :23] = 255
    whole = Window(0, 0, 50, 50)
    assert (read(grid, (50, 50), whole) > 0).sum(axis=1).tolist() == [20] * 50
    drawn = (read_at_edges(grid, image, whole) > 0).sum(axis=1)
    assert ((drawn == 22) | (drawn == 23)).all()
