"""Outlines of masks and polygons: where their pixels are. In 600 x 800, the line is 4 wide between rims of 2."""

from __future__ import annotations

import cv2
import numpy as np
import PIL.Image
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from foveate.assist._outlines import DARK, Outline, draw_outlines, outline
from foveate.assist.overlay import SKY_BLUE, YELLOW, overlay
from foveate.core.boxes import SizeHW
from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Mask, Polygon, Region, Shape
from foveate.core.rle import encode
from tests.unit.assist.contrast import contrast

Plane = NDArray[np.bool_]
Picture = NDArray[np.uint8]
SIZE = (600, 800)


def drawn(
    found: Shape | None = None, target: Shape | None = None, size_hw: SizeHW = SIZE, factor: int = 1, shade: int = 128
) -> Picture:
    """Returns a plain picture with a region and a target drawn on it."""
    picture = PIL.Image.new("RGB", (size_hw[1] * factor, size_hw[0] * factor), (shade, shade, shade))
    solid: list[Outline] = [outline(found, size_hw, factor, YELLOW)] if found else []
    dashed: list[Outline] = [outline(target, size_hw, factor, SKY_BLUE, dashed=True)] if target else []
    draw_outlines(picture, solid, dashed)
    return np.asarray(picture)


def painted(picture: Picture, shade: int = 128) -> Plane:
    seen: Plane = (picture != shade).any(axis=2)
    return seen


def coloured(picture: Picture, colour: tuple[int, ...]) -> Plane:
    seen: Plane = (picture == colour).all(axis=2)
    return seen


def disc(radius: float, size_hw: SizeHW = SIZE, hole: float = 0) -> Plane:
    """Returns the pixels whose centre is less than a radius from the middle of the picture."""
    far = from_middle(size_hw)
    return (far < radius) & (far >= hole)


def from_middle(size_hw: SizeHW = SIZE) -> NDArray[np.float64]:
    y, x = np.mgrid[: size_hw[0], : size_hw[1]]
    far: NDArray[np.float64] = np.hypot(y + 0.5 - size_hw[0] / 2, x + 0.5 - size_hw[1] / 2)
    return far


def around(far: float, count: int = 360) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Returns rows and columns of pixels that lie so far from the middle, all around."""
    angles = np.arange(count) * 2 * np.pi / count
    return (300 + far * np.sin(angles)).astype(np.int64), (400 + far * np.cos(angles)).astype(np.int64)


def test_a_square_mask_has_the_line_of_its_box_but_for_round_corners() -> None:
    mask = np.zeros(SIZE, dtype=bool)
    mask[150:450, 200:600] = True
    round_, square = drawn(Mask(encode(mask))), drawn(Box((200, 150, 600, 450)))
    corners = np.zeros(SIZE, dtype=bool)
    for y in (slice(142, 150), slice(450, 458)):
        for x in (slice(192, 200), slice(600, 608)):
            corners[y, x] = True
    assert (round_[~corners] == square[~corners]).all()
    assert tuple(round_[142, 192]) == (128, 128, 128)
    # 45 degrees out of the corner, 4 pixels away: the middle of the line.
    assert tuple(round_[146, 196]) == YELLOW


def test_a_whole_polygon_is_drawn_as_its_mask() -> None:
    corners = ((100.0, 100.0), (500.0, 100.0), (500.0, 400.0), (300.0, 200.0), (100.0, 400.0))
    shape = Polygon((corners,))
    assert (drawn(shape) == drawn(Mask(shape.rle(SIZE)))).all()


def test_the_line_lies_between_two_dark_ones_just_outside_the_region() -> None:
    picture = drawn(Mask(encode(disc(150))))
    far = from_middle()
    assert not painted(picture)[(far < 150) | (far > 150 + 8 + 1)].any()
    assert painted(picture)[(far > 151) & (far < 150 + 7)].all()
    assert coloured(picture, YELLOW)[around(150 + 4)].all()
    assert coloured(picture, DARK)[around(150 + 1)].mean() > 0.9
    assert coloured(picture, DARK)[around(150 + 7)].mean() > 0.9


@pytest.mark.parametrize("shade", range(0, 256, 15))
def test_it_stands_out_on_every_grey(shade: int) -> None:
    """WCAG 2.2, 1.4.11: 3 to 1 for graphics, for the light line or the dark one, whichever way it runs."""
    picture = drawn(Mask(encode(disc(150))), shade=shade)
    ring = [picture[around(150 + far)] for far in range(8)]
    for angle in range(0, 360, 10):
        colours = [tuple(pixels[angle].tolist()) for pixels in ring]
        assert max(contrast(colour, (shade,) * 3) for colour in colours) >= 3


def test_a_hole_is_outlined_too() -> None:
    picture = drawn(Mask(encode(disc(150, hole=60))))
    far = from_middle()
    assert coloured(picture, YELLOW)[around(60 - 4)].all()
    assert coloured(picture, YELLOW)[around(150 + 4)].all()
    assert not painted(picture)[(far < 60 - 9) | ((far > 60) & (far < 150))].any()


def test_in_a_small_hole_the_line_is_thin() -> None:
    """A hole of 7 x 7: a rim of 1 and a line of 2 up to its middle; the large region's rims alone would fill half."""
    mask = disc(150)
    mask[300:307, 400:407] = False
    inside = drawn(Mask(encode(mask)))[300:307, 400:407]
    expected = np.full((7, 7, 3), DARK)
    expected[1:6, 1:6] = YELLOW
    expected[3, 3] = DARK
    assert (inside == expected).all()


def test_the_line_follows_the_region_into_a_notch() -> None:
    """A letter U: its surrounding box would say nothing about the middle."""
    arms = ((100.0, 100.0), (200.0, 100.0), (200.0, 400.0), (400.0, 400.0), (400.0, 100.0), (500.0, 100.0))
    picture = drawn(Polygon(((*arms, (500.0, 500.0), (100.0, 500.0)),)))
    assert coloured(picture, YELLOW)[150:390, 204].all()
    assert coloured(picture, YELLOW)[150:390, 395].all()
    assert coloured(picture, YELLOW)[395, 210:390].all()
    assert not painted(picture)[0:385, 210:390].any()


def test_the_dashes_of_a_target_leave_gaps_on_a_whole_casing() -> None:
    picture = drawn(target=Mask(encode(disc(150))))
    blue = coloured(picture, SKY_BLUE)[around(150 + 4, 3600)]
    assert 0.4 < blue.mean() < 0.6
    starts = np.count_nonzero(blue & ~np.roll(blue, 1))
    # 2 * pi * 154 pixels around; a dash and a gap are 5 widths each.
    assert abs(starts - 2 * np.pi * 154 / 40) < 3
    assert (painted(picture) == painted(drawn(Mask(encode(disc(150)))))).all()
    assert not coloured(picture, YELLOW).any()


def test_even_around_one_pixel_a_target_is_dashed() -> None:
    mask = np.zeros(SIZE, dtype=bool)
    mask[300, 400] = True
    picture = drawn(target=Mask(encode(mask)))[290:311, 390:411]
    parts, _ = cv2.connectedComponents(coloured(picture, SKY_BLUE).astype(np.uint8))
    assert parts - 1 == 2
    assert tuple(picture[10, 10]) == (128, 128, 128)


@pytest.mark.parametrize("shift", [0, 1, 3, -2])
def test_a_region_and_a_target_that_nearly_coincide_are_both_seen(shift: int) -> None:
    picture = drawn(Mask(encode(disc(150))), Mask(encode(disc(150 + shift))))
    ring = (from_middle() > 148) & (from_middle() < 162)
    quarters = np.zeros((4, *SIZE), dtype=bool)
    quarters[0, :300, :400] = quarters[1, :300, 400:] = quarters[2, 300:, :400] = quarters[3, 300:, 400:] = True
    for quarter in quarters:
        for colour in (YELLOW, SKY_BLUE):
            assert coloured(picture, colour)[ring & quarter].mean() > 0.08


def test_a_hundred_specks_are_marked_each_and_not_painted_over() -> None:
    mask = np.zeros(SIZE, dtype=bool)
    mask[30:600:60, 40:800:80] = True
    picture = drawn(Mask(encode(mask)))
    assert mask.sum() == 100
    assert not painted(picture)[mask].any()
    near = cv2.dilate(mask.astype(np.uint8), np.ones((9, 9), dtype=np.uint8)) > 0
    assert not painted(picture)[~near].any()
    seen, _ = cv2.connectedComponents(coloured(picture, YELLOW).astype(np.uint8))
    assert seen - 1 == 100


def test_specks_beside_a_large_part_keep_their_pixels_and_others_get_a_thin_line() -> None:
    """Of 1600 pixels: 10 wide between rims of 5, and 3 between rims of 1."""
    size_hw = (1600, 2000)
    mask = disc(300, size_hw)
    mask[800, 1000 + 312] = mask[100, 100] = True
    picture = drawn(Mask(encode(mask)), size_hw=size_hw)
    assert not painted(picture)[mask].any()
    assert painted(picture)[800, 600:720].sum() == 20
    # Its line lies in that of the large part, and is as wide.
    assert painted(picture)[800, 1300:1400].sum() == 12 + 20
    assert painted(picture)[100, 50:150].sum() == 5 + 5


def test_a_sliver_between_the_centres_of_pixels_is_drawn() -> None:
    shape = Polygon((((100, 100.6), (300, 200.6), (300, 200.9), (100, 100.9)),))
    line = coloured(drawn(shape), YELLOW)
    for x in range(110, 290, 10):
        assert line[: 100 + (x - 100) // 2, x].any()
        assert line[102 + (x - 100) // 2 :, x].any()


def test_a_polygon_outside_the_picture_is_marked_at_its_edge() -> None:
    picture = drawn(Polygon((((820, 100), (900, 100), (900, 300), (820, 300)),)))
    assert coloured(picture, YELLOW)[100:300, 790:].any(axis=1).all()


def test_where_a_region_reaches_the_edge_the_line_lies_on_it() -> None:
    mask = np.ones(SIZE, dtype=bool)
    picture = drawn(Mask(encode(mask)))
    assert (picture == drawn(Box((0, 0, 800, 600))))[10:-10].all()
    assert not painted(picture)[6:-6, 6:-6].any()
    for side in (picture[0], picture[-1], picture[:, 0], picture[:, -1]):
        assert (side == YELLOW).all(axis=1).mean() > 0.97


@pytest.mark.parametrize("start", range(9))
def test_near_the_edge_the_line_stays_on_the_picture(start: int) -> None:
    mask = np.zeros(SIZE, dtype=bool)
    mask[start:200, 300:500] = mask[-200 : 600 - start, 300:500] = True
    mask[300:400, start:200] = mask[300:400, -200 : 800 - start] = True
    line = coloured(drawn(Mask(encode(mask))), YELLOW)
    assert line[:8, 310:490].any(axis=0).all()
    assert line[-8:, 310:490].any(axis=0).all()
    assert line[310:390, :8].any(axis=1).all()
    assert line[310:390, -8:].any(axis=1).all()


def test_a_strip_along_the_edge_is_not_painted_over() -> None:
    mask = np.zeros(SIZE, dtype=bool)
    mask[:5, 200:600] = mask[200:500, -4:] = True
    picture = drawn(Mask(encode(mask)))
    assert not painted(picture)[mask].any()
    assert coloured(picture, YELLOW)[5 + 2, 200:600].all()
    assert coloured(picture, YELLOW)[200:500, -4 - 2].all()


@given(arrays(np.bool_, st.tuples(st.integers(3, 9), st.integers(3, 9))))
@settings(max_examples=60)
def test_of_any_mask_every_border_is_drawn_and_no_pixel_inside_is_painted(mask: Plane) -> None:
    """Enlarged, each pixel of the mask is a square of over 50; the line is 2 or 3 wide between rims of 1."""
    mask[1, 1] = True
    factor = 480 // max(mask.shape) + 1
    picture = drawn(Mask(encode(mask)), size_hw=(mask.shape[0], mask.shape[1]), factor=factor)
    region = mask.repeat(factor, axis=0).repeat(factor, axis=1)
    edge = np.ones_like(region)
    edge[5:-5, 5:-5] = False
    assert not painted(picture)[region & ~edge].any()
    border = region & (cv2.erode(region.astype(np.uint8), np.ones((3, 3), dtype=np.uint8)) == 0)
    near = cv2.dilate(coloured(picture, YELLOW).astype(np.uint8), np.ones((7, 7), dtype=np.uint8)) > 0
    assert near[border].all()
    within = cv2.dilate(region.astype(np.uint8), np.ones((11, 11), dtype=np.uint8)) > 0
    assert not painted(picture)[~within].any()


@pytest.mark.parametrize(("height", "width"), [(1, 1), (1, 300), (300, 1), (2, 480), (48, 64), (4000, 300)])
@pytest.mark.parametrize("whole", [True, False])
def test_any_size_of_mask_leaves_a_mark(height: int, width: int, whole: bool) -> None:
    mask = np.full((height, width), whole)
    mask[0, 0] = True
    photo = np.full((height, width, 3), 128, dtype=np.uint8)
    shape = Mask(encode(mask))
    region = Region(shape, 0.5)
    picture = overlay(photo, Prediction("a", "ok", final=region, candidates=(region,)), "Where?", targets=[shape])
    factor = max(1, -(-480 // max(height, width)))
    seen = np.asarray(picture)[: height * factor]
    assert coloured(seen, SKY_BLUE).any()


def test_a_mask_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="not 800 wide and 600 high"):
        drawn(Mask(encode(np.ones((60, 80)))))
