"""Where a region is: by hand, and what must hold of any region."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from foveate.assist.place import EDGES, SIDES, Place, place_of
from foveate.core.regions import Box, Mask, Polygon
from foveate.core.rle import MaskArray, encode

MIRRORED = {"left": "right", "right": "left"}
TURNED = {"left": "top", "top": "right", "right": "bottom", "bottom": "left"}


def of(mask: MaskArray) -> Place:
    return place_of(Mask(encode(mask)), (mask.shape[0], mask.shape[1]))


def test_a_bent_thing_is_where_its_pixels_are_and_a_box_where_its_middle_is() -> None:
    bent = np.zeros((12, 12), dtype=bool)
    bent[:10, 0] = bent[9, :10] = True
    # Right: ten pixels at 0.5 and nine from 1.5 to 9.5; down: from 0.5 to 9.5, and nine at 9.5.
    assert of(bent).centre == (Fraction(1090, 20 * 19 * 12), Fraction(2710, 20 * 19 * 12))
    assert of(bent).share == Fraction(19, 144)
    assert of(bent).side == "left"
    box = place_of(Box((0, 0, 10, 10)), (12, 12))
    assert (box.centre, box.share, box.side) == ((Fraction(5, 12), Fraction(5, 12)), Fraction(100, 144), "middle")


@pytest.mark.parametrize(
    ("xyxy", "side"),
    [
        ((0, 0, 20, 20), "upper left"),
        ((29, 29, 31, 31), "middle"),  # The border belongs to the middle.
        ((28, 29, 30, 31), "left"),
        ((69, 10, 71, 12), "upper middle"),
        ((70, 10, 72, 12), "upper right"),
        ((40, 80, 60, 100), "lower middle"),
        ((0, 80, 95, 100), "lower band"),
        ((5, 40, 95, 60), "middle band"),
        ((0, 0, 20, 90), "left band"),
        ((40, 0, 60, 100), "upright band"),
        ((0, 0, 94, 95), "edge to edge"),
        ((0, 0, 95, 97), "whole"),
        ((-20, -20, 120, 120), "whole"),
    ],
)
def test_the_middle_is_generous_and_bands_have_names(xyxy: tuple[float, float, float, float], side: str) -> None:
    assert place_of(Box(xyxy), (100, 100)).side == side


@pytest.mark.parametrize(
    ("point", "hour", "outwards"),
    [((100, 10), 12, 0.8), ((150, 50), 3, 0.5), ((150, 90), 4, 0.8), ((20, 50), 9, 0.8), ((60, 10), 11, 0.8)],
)
def test_hours_are_those_of_the_photo_as_it_is_seen(point: tuple[int, int], hour: int, outwards: float) -> None:
    # Of 200 by 100 pixels: a pixel to the right is as far as one down, though less of the photo.
    x, y = point
    place = place_of(Box((x - 1, y - 1, x + 1, y + 1)), (100, 200))
    assert (place.hour, float(place.outwards)) == (hour, outwards)


def test_crumbs_are_no_parts_and_crumbs_alone_are_one() -> None:
    mask = np.zeros((100, 100), dtype=bool)
    mask[10:20, 10:20] = mask[80:90, 40:50] = mask[12:18, 60:70] = mask[50, 50] = True
    assert of(mask).cells == ("upper left", "upper middle", "lower middle")
    dust = np.zeros((100, 100), dtype=bool)
    dust[::10, ::10] = True
    assert of(dust).parts == (of(dust).centre,)


def test_edges_are_touched_near_or_far() -> None:
    place = place_of(Box((1, 40, 20, 97)), (100, 100))
    assert (place.touched, place.near) == (("left",), ("bottom",))


def test_a_polygon_thinner_than_a_pixel_is_where_its_box_is() -> None:
    needle = Polygon((((10.0, 10.6), (30.0, 10.6), (30.0, 10.7)),))
    assert place_of(needle, (100, 100)).centre[0] == Fraction(1, 5)


@pytest.mark.parametrize("size_hw", [(1, 1), (1, 5000), (4000, 5000)])
def test_photos_of_any_size_have_places(size_hw: tuple[int, int]) -> None:
    assert of(np.ones(size_hw, dtype=bool)).share == 1


@st.composite
def regions(draw: st.DrawFn) -> MaskArray:
    """Draws a mask of one to three rectangles."""
    height, width = draw(st.integers(1, 32)), draw(st.integers(1, 32))
    mask = np.zeros((height, width), dtype=bool)
    for _ in range(draw(st.integers(1, 3))):
        top, left = draw(st.integers(0, height - 1)), draw(st.integers(0, width - 1))
        mask[top : draw(st.integers(top + 1, height)), left : draw(st.integers(left + 1, width))] = True
    return mask


def swapped(words: str, by: dict[str, str]) -> str:
    return " ".join(by.get(word, word) for word in words.split())


@given(regions())
def test_a_mirror_swaps_left_and_right_alone(mask: MaskArray) -> None:
    place, other = of(mask), of(mask[:, ::-1])
    assert other.side == swapped(place.side, MIRRORED)
    assert set(other.touched) == {MIRRORED.get(edge, edge) for edge in place.touched}
    assert set(other.near) == {MIRRORED.get(edge, edge) for edge in place.near}
    assert set(other.cells) == {swapped(cell, MIRRORED) for cell in place.cells}
    assert (other.share, other.outwards, other.centre[1]) == (place.share, place.outwards, place.centre[1])


@given(regions())
def test_a_quarter_turn_turns_all(mask: MaskArray) -> None:
    place, other = of(mask), of(np.rot90(mask, -1))
    assert other.centre == (1 - place.centre[1], place.centre[0])
    assert set(other.touched) == {TURNED[edge] for edge in place.touched}
    assert set(other.near) == {TURNED[edge] for edge in place.near}
    assert (other.share, other.outwards, len(other.parts)) == (place.share, place.outwards, len(place.parts))
    assert turned(place.side) == other.side
    assume(place.outwards)
    assert other.hour % 12 == (place.hour + 3) % 12


def turned(side: str) -> str:
    """Returns the side that a side is after a quarter turn clockwise."""
    rows = [["upper left", "upper middle", "upper right"], ["left", "middle", "right"]]
    rows.append(["lower left", "lower middle", "lower right"])
    table = {each: [*zip(*rows[::-1], strict=True)][y][x] for y, row in enumerate(rows) for x, each in enumerate(row)}
    table |= {"upper band": "right band", "middle band": "upright band", "lower band": "left band"}
    table |= {"left band": "upper band", "upright band": "middle band", "right band": "lower band"}
    # What lies at (x, y) comes to lie at (1 - y, x): the table above is by the new place.
    cells = {before: after for after, before in ((a, table[a]) for a in table if "band" not in a)}
    return cells.get(side) or table.get(side) or side


@given(regions(), st.integers(2, 3))
def test_enlarging_changes_nothing(mask: MaskArray, factor: int) -> None:
    place, other = of(mask), of(np.kron(mask, np.ones((factor, factor), dtype=bool)))
    assert (other.centre, other.share, other.xyxy, other.parts) == (
        place.centre, place.share, place.xyxy, place.parts,
    )  # fmt: skip
    assert (other.side, other.touched, other.near, other.hour) == (place.side, place.touched, place.near, place.hour)


@given(regions())
def test_every_region_has_one_side_and_a_box_is_where_its_pixels_are(mask: MaskArray) -> None:
    place = of(mask)
    assert place.side in SIDES
    assert not set(place.touched) & set(place.near)
    assert set(place.touched) | set(place.near) <= set(EDGES)
    left, top, right, bottom = of(mask).xyxy
    height, width = mask.shape
    box = Box((float(left * width), float(top * height), float(right * width), float(bottom * height)))
    filled = np.zeros_like(mask)
    filled[int(top * height) : int(bottom * height), int(left * width) : int(right * width)] = True
    pixels = of(filled)
    assert place_of(box, (height, width)) == pixels
