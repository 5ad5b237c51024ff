"""Where a region of a photo is: the numbers of it, exact; `placing` says them in words.

Left and right are those of whoever looks at the photo. Everything is a share of the photo and a fraction of whole
numbers, so that a mirrored, turned or enlarged photo gives the mirrored, turned or same place to the letter.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, cast, get_args

import cv2
import numpy as np

from foveate.core.boxes import SizeHW
from foveate.core.regions import Box, Polygon, Shape
from foveate.core.rle import MaskArray, area, decode
from foveate.perception.photo_quality import Side as Edge
from foveate.perception.photo_quality import cut_off

Side = Literal[
    "upper left", "upper middle", "upper right",
    "left", "middle", "right",
    "lower left", "lower middle", "lower right",
    "upper band", "middle band", "lower band",
    "left band", "upright band", "right band",
    "edge to edge", "whole",
]  # fmt: skip
SIDES: tuple[Side, ...] = get_args(Side)
EDGES: tuple[Edge, ...] = get_args(Edge)

Shares = tuple[Fraction, Fraction, Fraction, Fraction]
# Left or above of the first is left or upper: the middle is generous, since what lies a little off it is in the middle.
_FIRST, _LAST = Fraction(3, 10), Fraction(7, 10)
_SPANS, _WHOLE = Fraction(9, 10), Fraction(92, 100)
_NEAR = Fraction(5, 100)
# Masks have crumbs: a part counts from this share of the region on.
_LEAST_PART = Fraction(5, 100)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a region is.

    Attributes:
        centre: Its centre of mass, right and down, as shares of the photo's width and height.
        share: How much of the photo it covers.
        xyxy: Left, top, right and bottom of the box around it, as shares of width and height.
        size_hw: Height and width of the photo in pixels.
        touched: The sides of the photo at which it is probably cut off.
        parts: The centres of its parts, from the top down and left to right; one for a region in one piece. What is
            smaller than a twentieth of the region does not count.
    """

    centre: tuple[Fraction, Fraction]
    share: Fraction
    xyxy: Shares
    size_hw: SizeHW
    touched: tuple[Edge, ...] = ()
    parts: tuple[tuple[Fraction, Fraction], ...] = ()

    @property
    def side(self) -> Side:
        """The one side of the photo that it is called by."""
        left, top, right, bottom = self.xyxy
        across, down = right - left >= _SPANS, bottom - top >= _SPANS
        if self.share >= _WHOLE:
            return "whole"
        if across and down:
            return "edge to edge"
        cell = cell_of(self.centre)
        if across:
            return cast(Side, f"{_row(self.centre)} band")
        if down:
            return cast(Side, f"{_column(self.centre).replace('middle', 'upright')} band")
        return cell

    @property
    def cells(self) -> tuple[Side, ...]:
        """The sides at which its parts lie, each once, from the top down and left to right."""
        found = {cell_of(part) for part in self.parts}
        return tuple(side for side in SIDES if side in found)

    @property
    def near(self) -> tuple[Edge, ...]:
        """The sides of the photo to which it comes close, not more than a twentieth away, without touching them."""
        left, top, right, bottom = self.xyxy
        gaps = dict(zip(EDGES, (left, top, 1 - right, 1 - bottom), strict=True))
        return tuple(edge for edge in EDGES if gaps[edge] <= _NEAR and edge not in self.touched)

    @property
    def hour(self) -> int:
        """The direction from the photo's middle as on a clock, 1 to 12: 12 is up, 3 is right."""
        height, width = self.size_hw
        right, down = self.centre[0] - Fraction(1, 2), self.centre[1] - Fraction(1, 2)
        turn = math.degrees(math.atan2(right * width, -down * height)) % 360
        return math.floor((turn + 15) / 30) % 12 or 12

    @property
    def outwards(self) -> Fraction:
        """How far the centre is on the way from the photo's middle to its edge: 0 in the middle, 1 at the edge."""
        return 2 * max(abs(each - Fraction(1, 2)) for each in self.centre)


def place_of(shape: Shape, size_hw: SizeHW) -> Place:
    """Returns where a shape is; of masks and polygons by their pixels, of a box by itself.

    Args:
        shape: On a photo of that size; what reaches beyond it does not count.
        size_hw: Height and width of the upright photo.

    Raises:
        ValueError: It is a mask of another size.
    """
    touched = cut_off(shape.xyxy, size_hw)
    if isinstance(shape, Box):
        return _of_box(shape, size_hw, touched)
    encoded = shape.rle(size_hw)
    if isinstance(shape, Polygon) and not area(encoded):  # So thin that it passes between the pixels' centres.
        return _of_box(Box(shape.xyxy), size_hw, touched)
    return _of_pixels(decode(encoded), touched)


def cell_of(centre: tuple[Fraction, Fraction]) -> Side:
    """Returns which of the photo's nine parts a point lies in.

    Example:
        >>> cell_of((Fraction(1, 2), Fraction(3, 4)))
        'lower middle'
    """
    row, column = _row(centre), _column(centre)
    return cast(Side, column if row == "middle" else f"{row} {column}")


def _row(centre: tuple[Fraction, Fraction]) -> str:
    return "upper" if centre[1] < _FIRST else "lower" if centre[1] > _LAST else "middle"


def _column(centre: tuple[Fraction, Fraction]) -> str:
    return "left" if centre[0] < _FIRST else "right" if centre[0] > _LAST else "middle"


def _of_box(box: Box, size_hw: SizeHW, touched: tuple[Edge, ...]) -> Place:
    height, width = size_hw
    x0, y0, x1, y1 = (
        min(max(Fraction(side) / length, Fraction(0)), Fraction(1))
        for side, length in zip(box.xyxy, (width, height, width, height), strict=True)
    )
    centre = ((x0 + x1) / 2, (y0 + y1) / 2)
    return Place(centre, (x1 - x0) * (y1 - y0), (x0, y0, x1, y1), size_hw, touched, (centre,))


def _of_pixels(mask: MaskArray, touched: tuple[Edge, ...]) -> Place:
    height, width = mask.shape
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    x0, y0, x1, y1 = int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1
    tight = mask[y0:y1, x0:x1]
    shares = (Fraction(x0, width), Fraction(y0, height), Fraction(x1, width), Fraction(y1, height))
    count = int(np.count_nonzero(tight))
    centre = _centre(tight, (x0, y0), mask.shape)
    parts = _parts(tight, count, (x0, y0), mask.shape)
    return Place(centre, Fraction(count, height * width), shares, (height, width), touched, parts or (centre,))


def _parts(
    tight: MaskArray, count: int, corner: tuple[int, int], shape: tuple[int, ...]
) -> tuple[tuple[Fraction, Fraction], ...]:
    """Returns the centres of the parts that count, from the top down; none where the region is mere crumbs."""
    found, labels, stats, _ = cv2.connectedComponentsWithStats(tight.astype(np.uint8), connectivity=8)
    large = [label for label in range(1, found) if stats[label, cv2.CC_STAT_AREA] >= _LEAST_PART * count]
    centres = []
    for label in large:
        x, y, across, down, _ = stats[label].tolist()
        window = labels[y : y + down, x : x + across] == label
        centres.append(_centre(window, (corner[0] + x, corner[1] + y), shape))
    return tuple(sorted(centres, key=lambda centre: (centre[1], centre[0])))


def _centre(part: MaskArray, corner: tuple[int, int], shape: tuple[int, ...]) -> tuple[Fraction, Fraction]:
    """Returns the centre of mass of some pixels, exactly, as shares of the photo."""
    along_x, along_y = part.sum(axis=0, dtype=np.int64), part.sum(axis=1, dtype=np.int64)
    count = int(along_x.sum())
    x, y = (int(each @ np.arange(len(each))) for each in (along_x, along_y))
    return (
        Fraction(2 * (x + corner[0] * count) + count, 2 * count * shape[1]),
        Fraction(2 * (y + corner[1] * count) + count, 2 * count * shape[0]),
    )
