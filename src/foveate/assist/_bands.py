"""The outline of a mask: the pixels outside it, by how far from it they lie.

That gives exact widths on every slope, follows parts and holes, and ends by itself where the picture ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from foveate.assist._pens import Pen, pen_for
from foveate.core.rle import MaskArray

Cover = NDArray[np.uint8]
Places = NDArray[np.intp]
Shares = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Band:
    """The outline of parts of a mask that lie close together: how much of each pixel a colour covers, 0 to 255.

    Attributes:
        corner: The left and the top pixel of the covers in the picture.
        casing: The dark line that lies under the light one, ``uint8 (H, W)``.
        line: The light line, whole or its dashes.
        dash_casing: The dark line around the dashes only; None for a whole line.
    """

    corner: tuple[int, int]
    casing: Cover
    line: Cover
    dash_casing: Cover | None


@dataclass(frozen=True)
class _Window:
    """A part of a picture: its rows and columns, and the picture's width and height."""

    rows: slice
    columns: slice
    size: tuple[int, int]

    @property
    def place(self) -> tuple[slice, slice]:
        return self.rows, self.columns


def bands(mask: MaskArray, *, dashed: bool) -> Iterator[Band]:
    """Yields the outline of a mask, ``bool (H, W)`` of the picture's size with at least one pixel."""
    height, width = mask.shape
    widest, thinnest = pen_for((width, height), np.inf), pen_for((width, height), 0)
    # Parts whose lines might meet are outlined as one, with one pen; a speck far from the others has its own.
    near = (widest.reach + thinnest.reach + 1) // 2
    grown = cv2.dilate(mask.astype(np.uint8), np.ones((2 * near + 1, 2 * near + 1), dtype=np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(grown)
    for label in range(1, count):
        x, y, across, down, _ = stats[label].tolist()
        rows = slice(max(0, y - near), min(height, y + down + near))
        columns = slice(max(0, x - near), min(width, x + across + near))
        window = _Window(rows, columns, (width, height))
        yield _band(mask[window.place] & (labels[window.place] == label), window, dashed)


def _band(part: MaskArray, window: _Window, dashed: bool) -> Band:
    pen = pen_for(window.size, _short(part))
    inner = _off_the_edge(part, window, pen)
    distance = _distance(inner)
    at = np.flatnonzero((distance > 0) & (distance < pen.reach + 1))
    light, rim = _widths(inner, window, pen, at)
    far = distance.ravel()[at]
    # The centres of neighbours lie 1 apart, so that level edges are sharp and slanted ones fade.
    casing = np.clip(light + 2 * rim + 1 - far, 0, 1)
    line = np.clip(far - rim, 0, 1) * np.clip(light + rim + 1 - far, 0, 1)
    around = None
    if dashed:
        half = np.zeros(part.shape, dtype=np.uint8)
        half.ravel()[at] = far <= rim + (light + 1) / 2
        dash, near_dash = _dashes(half | inner, pen, at)
        line, around = line * dash, _cover(casing * near_dash, at, part.shape)
    corner = (window.columns.start, window.rows.start)
    return Band(corner, _cover(casing, at, part.shape), _cover(line, at, part.shape), around)


def _cover(share: Shares, at: Places, shape: tuple[int, ...]) -> Cover:
    cover = np.zeros(shape, dtype=np.uint8)
    cover.ravel()[at] = np.rint(share * 255)
    return cover


def _distance(inner: MaskArray) -> Shares:
    """Returns how far the centre of each pixel is from that of the nearest one inside; exact but for about 2 %."""
    return cast(Shares, cv2.distanceTransform((~inner).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_5))


def _short(part: MaskArray) -> float:
    """Returns the shorter side of a box; of what is no box, about the width of its strokes."""
    rows, columns = np.flatnonzero(part.any(axis=1)), np.flatnonzero(part.any(axis=0))
    return float(np.count_nonzero(part) / max(np.ptp(rows) + 1, np.ptp(columns) + 1))


def _off_the_edge(part: MaskArray, window: _Window, pen: Pen) -> MaskArray:
    """Returns the part without its pixels at the picture's edge, where the line lies on it since it cannot lie outside.

    Where the part is not much deeper than the line is wide it keeps them, and the outline is open at the edge.
    """
    inner = part.copy()
    width, height = window.size
    for cut, whole, place, side in (
        (inner, part, window.rows, height),
        (inner.T, part.T, window.columns, width),
    ):
        if len(whole) < 4 * pen.gap:
            continue
        if place.start == 0:
            cut[: pen.gap, whole[pen.gap : 2 * pen.gap].all(axis=0)] = False
        if place.stop == side:
            cut[-pen.gap :, whole[-2 * pen.gap : -pen.gap].all(axis=0)] = False
    return inner


def _widths(inner: MaskArray, window: _Window, pen: Pen, at: Places) -> tuple[Shares, Shares]:
    """Returns the widths of the light and the dark line at some pixels: thinner in a small hole."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats((~inner).astype(np.uint8), connectivity=4)
    height, width = inner.shape
    widths = np.full((count, 2), (pen.light, pen.rim), dtype=np.float32)
    for label, (x, y, across, down, pixels) in enumerate(stats.tolist()):
        if label and x and y and x + across < width and y + down < height:
            hole = pen_for(window.size, pixels / max(across, down))
            widths[label] = min(pen.light, hole.light), min(pen.rim, hole.rim)
    light, rim = widths[labels.ravel()[at]].T
    return light, rim


def _dashes(within: NDArray[np.uint8], pen: Pen, at: Places) -> tuple[MaskArray, MaskArray]:
    """Returns which of some pixels belong to a dash, and which to a dash or the dark line around it.

    Args:
        within: The region and half the line around it: its border is the middle of the line.
        pen: The widths of the line.
        at: The pixels.
    """
    outlines, _ = cv2.findContours(within, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    elsewhere = np.ones(within.shape, dtype=np.uint8)
    dash = np.zeros((2, *within.shape), dtype=bool)
    for outline in outlines:
        points = outline[:, 0]
        along = np.cumsum(np.hypot(*(points - np.roll(points, 1, axis=0)).T))
        period = along[-1] / max(2, round(along[-1] / (10 * pen.light))) or 1.0
        phase = along % period
        x, y = points.T
        elsewhere[y, x] = 0
        dash[0, y, x] = phase < period / 2
        dash[1, y, x] = (phase < period / 2 + pen.rim) | (phase >= period - pen.rim)
    # Each pixel does as the nearest one in the middle of the line.
    _, nearest = cv2.distanceTransformWithLabels(
        elsewhere, cv2.DIST_L2, cv2.DIST_MASK_5, labelType=cv2.DIST_LABEL_PIXEL
    )
    middle = np.flatnonzero(elsewhere == 0)
    table = np.zeros((2, nearest.max() + 1), dtype=bool)
    table[:, nearest.ravel()[middle]] = dash.reshape(2, -1)[:, middle]
    on, near = table[:, nearest.ravel()[at]]
    return on, near
