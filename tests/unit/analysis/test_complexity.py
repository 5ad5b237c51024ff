from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import Polygon as Witness

from foveate.analysis.complexity import (
    at_equal_steps,
    centroid,
    complexity,
    contour_of,
    largest,
    outlines_of,
    points_named,
)
from foveate.core.polygons import as_corners
from foveate.core.regions import Box, Mask, Polygon
from foveate.core.rle import encode
from foveate.errors import UsageError

sides = st.floats(0.5, 2000)
corner = st.tuples(st.integers(-50, 50), st.integers(-50, 50))


@given(sides, sides, st.floats(-1000, 1000), st.floats(0, math.pi), st.sampled_from([2, 10, 20, 50, 999]))
def test_every_rectangle_has_none(width: float, height: float, x: float, turned: float, bins: int) -> None:
    box = np.array([[0, 0], [width, 0], [width, height], [0, height]])
    turn = np.array([[math.cos(turned), -math.sin(turned)], [math.sin(turned), math.cos(turned)]])
    assert complexity(box @ turn + x, bins) == 0.0


def test_a_regular_polygon_has_none() -> None:
    angles = np.linspace(0, 2 * math.pi, 60, endpoint=False)
    assert complexity(np.column_stack([np.cos(angles), np.sin(angles)])) == 0.0


def test_a_star_by_hand() -> None:
    """Half of the corners are at the greatest distance, half at .4 of it: two bins of equal shares, log 2 / log 10."""
    angles = np.linspace(0, 2 * math.pi, 10, endpoint=False)
    radius = np.where(np.arange(10) % 2, 0.4, 1.0)[:, None]
    star = radius * np.column_stack([np.cos(angles), np.sin(angles)])
    assert complexity(star) == pytest.approx(math.log(2) / math.log(10))


@given(st.lists(corner, min_size=3, max_size=12, unique=True))
def test_neither_place_nor_size_nor_quarter_turns_matter(points: list[tuple[int, int]]) -> None:
    corners = as_corners(points)
    value = complexity(corners)
    assert 0.0 <= value <= 1.0
    for other in (corners * 4.0, corners + 1024.0, corners[:, ::-1] * [1, -1], corners[::-1]):
        assert complexity(other) == pytest.approx(value, abs=1e-9)


@given(st.lists(corner, min_size=3, max_size=9, unique=True))
def test_the_centroid_is_shapelys(points: list[tuple[int, int]]) -> None:
    witness = Witness(points)
    if witness.is_valid and witness.area >= 1:
        assert centroid(as_corners(points)) == pytest.approx(np.array(witness.centroid.coords[0]), abs=1e-6)


def test_what_encloses_nothing_has_the_middle_of_its_corners() -> None:
    assert centroid(as_corners([(0, 0), (4, 0), (0, 4), (4, 4)])).tolist() == [2.0, 2.0]  # A bow tie.


def test_outlines_are_those_that_were_drawn() -> None:
    square = Polygon((((0, 0), (4, 0), (4, 4), (0, 4)), ((9, 9), (10, 9), (10, 10))))
    found = outlines_of([square, Box((0, 0, 2, 1))])
    assert found is not None
    assert [len(outline) for outline in found] == [4, 3, 4]
    assert largest(found).max() == 4
    assert outlines_of([Mask(encode(np.ones((2, 2), dtype=bool)))]) is None


def test_the_contour_of_a_disc_is_simple_and_that_of_a_bar_is_not() -> None:
    y, x = np.mgrid[:101, :101]
    disc = contour_of(encode((x - 50) ** 2 + (y - 50) ** 2 < 40**2))
    bar = contour_of(encode((abs(x - 50) < 45) & (abs(y - 50) < 8)))
    assert disc is not None
    assert bar is not None
    assert disc.shape == (256, 2)
    assert complexity(disc) < 0.3 < complexity(bar)
    assert contour_of(encode(np.eye(1, dtype=bool))) is None


def test_equal_steps_on_a_square() -> None:
    square = np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]])
    assert at_equal_steps(square, 8).tolist() == [[0, 0], [2, 0], [4, 0], [4, 2], [4, 4], [2, 4], [0, 4], [0, 2]]


def test_unknown_points() -> None:
    assert points_named("contour") == "contour"
    with pytest.raises(UsageError, match="no points of this name. Did you mean vertices"):
        points_named("vertex")
