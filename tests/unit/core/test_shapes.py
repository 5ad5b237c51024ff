"""Polygons and masks as shapes: their boxes, their pixels, what is wrong with them."""

from __future__ import annotations

import numpy as np
import pytest

from foveate.core.masks import box_to_rle, outlines, signed_area
from foveate.core.overlap import mask_iou
from foveate.core.polygons import as_corners, outside_by, polygon_area, rasterise
from foveate.core.regions import Box, Mask, Polygon, Region
from foveate.core.rle import area, decode, encode

SQUARE = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
SIZE = (20, 20)


def test_a_square_of_whole_pixels_covers_its_area() -> None:
    """81, where Pillow and OpenCV paint the outline as well and get 100."""
    assert area(Polygon((SQUARE,)).rle(SIZE)) == 81
    assert Polygon((SQUARE,)).rle(SIZE) == Box((0, 0, 9, 9)).rle(SIZE)


def test_a_triangle_has_the_pixels_whose_centre_is_inside() -> None:
    triangle = Polygon((((0, 0), (10, 0), (0, 10)),))
    # Row y holds the centres x + 0.5 <= 9.5 - y; those on the edge itself do not count.
    assert decode(triangle.rle((10, 10))).sum(axis=1).tolist() == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]


def test_a_sliver_between_centres_has_no_pixel() -> None:
    assert area(box_to_rle((2.0, 2.0, 2.4, 8.0), SIZE)) == 0


def test_parts_are_united() -> None:
    two = Polygon((SQUARE, ((5, 5), (14, 5), (14, 14), (5, 14))))
    assert area(two.rle(SIZE)) == 81 + 81 - 16
    assert list(two.xyxy) == [0, 0, 14, 14]


def test_a_closing_point_is_left_out() -> None:
    assert Polygon(((*SQUARE, SQUARE[0]),)).parts == (SQUARE,)


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ((), "no outline"),
        ((((0, 0), (1, 1)),), "has 2 points, it needs 3"),
        ((((0, 0), (1, 1), (0, 0)),), "has 2 points"),
        ((((0, 0), (5, 5), (9, 9)),), "no area"),
        ((((0, 0), (5, float("nan")), (9, 9)),), "not a finite number"),
        ((((0, 0), (5, 1e300), (9, 9)),), r"lies 1e\+300 pixels out, beyond any image"),
        (((0, 0, 5),), "list of points"),
    ],
)
def test_what_is_no_polygon(parts: tuple[tuple[tuple[float, float], ...], ...], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Polygon(parts)


def test_a_polygon_outside_its_image() -> None:
    polygon = Polygon((SQUARE,))
    assert polygon.problem((9, 9)) is None
    assert polygon.problem((9, 7)) == "the polygon reaches 2 pixels outside the image, 7 wide and 9 high"
    assert outside_by(as_corners(SQUARE), (9, 7)) == 2
    assert area(polygon.rle((9, 7))) == 63


def test_area_of_an_outline() -> None:
    assert polygon_area(as_corners(SQUARE)) == 81


def test_nothing_to_rasterise() -> None:
    with pytest.raises(ValueError, match="no polygon"):
        rasterise([], SIZE)


def test_a_mask_knows_its_box_and_its_size() -> None:
    mask = Mask(encode(np.pad(np.ones((2, 3), dtype=bool), 1)))
    assert list(mask.xyxy) == [1, 1, 4, 3]
    assert mask.rle((4, 5)) == mask.encoded
    with pytest.raises(ValueError, match="the mask is 5 wide and 4 high, not 4 wide and 5 high; it looks transposed"):
        mask.rle((5, 4))
    with pytest.raises(ValueError, match="the mask is empty"):
        Mask(encode(np.zeros((2, 2), dtype=bool)))
    assert Region(mask, 0.5).shape == mask


def test_the_outlines_of_a_ring_are_its_rim_and_its_hole() -> None:
    ring = np.ones((5, 5), dtype=bool)
    ring[2, 2] = False
    found = outlines(encode(ring))
    assert sorted(signed_area(corners) for corners in found) == [-1, 25]
    assert sorted(len(corners) for corners in found) == [4, 4]


def test_an_empty_mask_has_no_outline() -> None:
    assert outlines(encode(np.zeros((3, 3), dtype=bool))) == []


def test_mask_iou_by_hand() -> None:
    a, b, nothing = box_to_rle((0, 0, 4, 4), (8, 8)), box_to_rle((2, 0, 6, 4), (8, 8)), encode(np.zeros((8, 8)))
    assert mask_iou([a, a, a], [a, b, nothing], empty=1.0).tolist() == [1.0, 8 / 24, 0.0]
    assert mask_iou([nothing], [nothing], empty=1.0).tolist() == [1.0]
    assert mask_iou([nothing], [nothing], empty=0.0).tolist() == [0.0]
    with pytest.raises(ValueError, match="come in pairs"):
        mask_iou([a], [], empty=0.0)
    with pytest.raises(ValueError, match="transposed"):
        mask_iou([encode(np.ones((2, 8)))], [encode(np.ones((8, 2)))], empty=0.0)


def test_a_bow_tie_has_an_area_and_a_line_has_none() -> None:
    tie = Polygon((((0, 0), (10, 10), (10, 0), (0, 10)),))
    assert area(tie.rle((10, 10))) == 50  # Its signed areas cancel; by the even-odd rule they add up.
    for line in (((0, 0), (5, 5), (10, 10)), ((3, 3), (3, 3), (3, 4)), ((0, 0), (0, 0), (7, 2))):
        with pytest.raises(ValueError, match="has no area"):
            Polygon((line,))
