"""Masks to polygons and boxes, and boxes to masks: what each conversion keeps and loses.

| from | to | kept | lost |
|---|---|---|---|
| box | mask | nothing is lost for whole pixels | fractions of pixels: a pixel counts when its centre is inside |
| polygon | mask | as above | the corners |
| mask | polygon | every pixel: rasterised again it is the same mask | nothing; the outline follows the pixels' edges |
| mask, polygon | box | the extent | the shape |
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.core.polygons import Corners, rasterise
from foveate.core.rle import MaskArray, Rle, decode

Whole = NDArray[np.int64]


def box_to_rle(xyxy: tuple[float, float, float, float], size_hw: SizeHW) -> Rle:
    """Returns the mask of a box: the pixels whose centre lies inside."""
    x0, y0, x1, y1 = xyxy
    return rasterise([np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])], size_hw)


def outlines(rle: Rle) -> list[Corners]:
    """Returns the outlines of a mask along the edges of its pixels, ``float64 (N, 2)`` each, corners only.

    Outer outlines run clockwise on the screen (y down), those of holes the other way round, so that the signed areas
    add up to the mask's. Painting outer outlines and holes by the even-odd rule gives the very mask again. Where two
    pixels touch in a corner only, they are apart: each outline stays at the same pixel. The outlines come from the top
    down, each beginning with its highest edge.
    """
    below, y, left, right = _level_edges(decode(rle))
    # Inside on the right hand: an edge with the inside below it is walked from left to right.
    corners = np.empty((len(y), 2, 2))
    corners[:, :, 1] = y[:, None]
    corners[:, 0, 0] = np.where(below, left, right)
    corners[:, 1, 0] = np.where(below, right, left)
    following = _following(corners, below)
    return [corners[loop].reshape(-1, 2) for loop in _loops(following)]


def signed_area(corners: Corners) -> float:
    """Returns the area of an outline, negative for that of a hole as `outlines` gives it."""
    x, y = corners.T
    return float((np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2)


def _level_edges(mask: MaskArray) -> tuple[MaskArray, Whole, Whole, Whole]:
    """Returns the level pieces of the border, from the top down: whether the inside is below, y, left x and right x."""
    height, width = mask.shape
    # Column after column, a pixel of outside behind each: the inside begins and ends in turn.
    line = np.zeros(1 + width * (height + 1), dtype=bool)
    line[1:].reshape(width, height + 1)[:, :height] = mask.T
    x, y = np.divmod(np.flatnonzero(line[1:] != line[:-1]), height + 1)
    ends = np.arange(len(x)) % 2
    # Neighbours along one piece follow one another in this order, those of two pieces never.
    step = width + 1
    places = np.sort((y * 2 + ends) * step + x)
    new = np.flatnonzero(np.diff(places, prepend=-2) != 1)
    level, left = np.divmod(places[new], step)
    lengths = np.diff(new, append=len(places))
    return level % 2 == 0, level // 2, left, left + lengths


def _following(corners: Corners, below: MaskArray) -> list[int]:
    """Returns for each level edge the one that its upright neighbour leads to.

    In one column of the grid, corners from the top down are joined in pairs. Where two pixels touch in a corner, two
    corners lie there: the first belongs to the upper pixel, which is the inside above its edge.
    """
    count = len(below)
    x, y = corners.transpose(1, 0, 2).reshape(-1, 2).T
    order = np.lexsort((np.tile(below, 2), y, x))
    partner = np.empty(2 * count, dtype=np.int64)
    partner[order[0::2]], partner[order[1::2]] = order[1::2], order[0::2]
    found: list[int] = partner[count:].tolist()
    return found


def _loops(following: list[int]) -> list[list[int]]:
    loops = []
    done = bytearray(len(following))
    for start in range(len(following)):
        if done[start]:
            continue
        loop, at = [], start
        while not done[at]:
            done[at] = 1
            loop.append(at)
            at = following[at]
        loops.append(loop)
    return loops
