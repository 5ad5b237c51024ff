"""Masks to polygons and boxes, and boxes to masks: what each conversion keeps and loses.

| from | to | kept | lost |
|---|---|---|---|
| box | mask | nothing is lost for whole pixels | fractions of pixels: a pixel counts when its centre is inside |
| polygon | mask | as above | the corners |
| mask | polygon | every pixel: rasterised again it is the same mask | nothing; the outline follows the pixels' edges |
| mask, polygon | box | the extent | the shape |
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.core.polygons import Corners, rasterise
from foveate.core.rle import MaskArray, Rle, decode

Point = tuple[int, int]


def box_to_rle(xyxy: tuple[float, float, float, float], size_hw: SizeHW) -> Rle:
    """Returns the mask of a box: the pixels whose centre lies inside."""
    x0, y0, x1, y1 = xyxy
    return rasterise([np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])], size_hw)


def outlines(rle: Rle) -> list[Corners]:
    """Returns the outlines of a mask along the edges of its pixels, ``float64 (N, 2)`` each.

    Outer outlines run clockwise on the screen (y down), those of holes the other way round, so that the signed areas
    add up to the mask's. Painting outer outlines and holes by the even-odd rule gives the very mask again.
    """
    following = _edges(decode(rle))
    found = []
    while following:
        start = next(iter(following))
        loop, at, heading = [], start, (0, 0)
        while at in following:
            step = _next(following, at, heading)
            if step != heading:
                loop.append(at)
            at, heading = (at[0] + step[0], at[1] + step[1]), step
        found.append(np.array(_without_straight_start(loop), dtype=np.float64))
    return found


def signed_area(corners: Corners) -> float:
    """Returns the area of an outline, negative for that of a hole as `outlines` gives it."""
    x, y = corners.T
    return float((np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2)


def _edges(mask: MaskArray) -> dict[Point, list[Point]]:
    """Returns the unit steps along the border, inside on the right hand, by the point that they start from."""
    padded = np.pad(mask, 1).astype(np.int8)
    following: dict[Point, list[Point]] = defaultdict(list)
    down = padded[1:, 1:-1] - padded[:-1, 1:-1]  # (H + 1, W): the border between a pixel and the one above it
    across = padded[1:-1, 1:] - padded[1:-1, :-1]  # (H, W + 1): between a pixel and the one to its left
    for y, x in _where(down == 1):
        following[x, y].append((1, 0))
    for y, x in _where(down == -1):
        following[x + 1, y].append((-1, 0))
    for y, x in _where(across == 1):
        following[x, y + 1].append((0, -1))
    for y, x in _where(across == -1):
        following[x, y].append((0, 1))
    return dict(following)


def _where(found: NDArray[np.bool_]) -> list[list[int]]:
    rows: list[list[int]] = np.argwhere(found).tolist()
    return rows


def _next(following: dict[Point, list[Point]], at: Point, heading: Point) -> Point:
    """Takes a step out of the book; where two pixels touch in a corner, the one that stays at the same pixel."""
    steps = following[at]
    right = (-heading[1], heading[0])
    step = right if right in steps else steps[0]
    steps.remove(step)
    if not steps:
        del following[at]
    return step


def _without_straight_start(loop: list[Point]) -> list[Point]:
    """The walk may have begun in the middle of a straight edge, whose first point is then no corner."""
    (x0, y0), (x1, y1), (x2, y2) = loop[-1], loop[0], loop[1]
    return loop[1:] if x0 == x1 == x2 or y0 == y1 == y2 else loop
