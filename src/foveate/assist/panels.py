"""The four corners of a panel of text: a label, a sign, a screen that the camera saw from one side or turned.

Lines of one paragraph are parallel on the panel. In the photo they run towards one point, and so do its two sides;
where the lines tell that, the corners are those of the panel in perspective, else of a turned rectangle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from foveate.core.rle import MaskArray
from foveate.perception.text_lines import TextLine, turned

Corners = NDArray[np.float64]
Pair = tuple[float, float]
# Lines that run otherwise belong to something else; perspective turns the lines of one panel by less.
_SAME_WAY = 25.0
# From so many lines on, starts in a row are no chance; and how far off they may be, in heights of a line.
_FEWEST_ROWS, _OFF_ROW = 3, 0.3
# Readers turn boxes by half a degree, so that lines must differ by more to tell of perspective, in degrees.
_LEAST_CHANGE = 2.0
_LEAST_TILT = 2.0
_FULL = 0.9
# Widths that are alike to so much (as a logarithm) need no witness; letters grow at least so much as widths do, in
# perspective about twice.
_ALIKE, _LEAST_GROWTH = 0.005, 0.5
_LEAST_ANGLE, _LEAST_RATIO = 50.0, 0.4


@dataclass(frozen=True, eq=False)
class Panel:
    """A panel in a photo.

    Attributes:
        corners: ``float64 (4, 2)``, pixels of the photo, clockwise from where its upper edge begins, as it is read.
        around: How much around it belongs to it, pixels.
    """

    corners: Corners
    around: float

    @property
    def size_wh(self) -> tuple[float, float]:
        """Its width and height when it is straight: the longer of each two sides."""
        top, right, bottom, left = _sides(self.corners)
        return max(top, bottom), max(right, left)

    @property
    def tilted(self) -> bool:
        """Whether one of its sides is clearly neither level nor upright, or it is read otherwise than from the left."""
        along = np.roll(self.corners, -1, axis=0) - self.corners
        turn = np.degrees(np.arctan2(along[:, 1], along[:, 0])) - np.array([0.0, 90.0, 180.0, 270.0])
        return bool((np.abs((turn + 180.0) % 360.0 - 180.0) >= _LEAST_TILT).any())


def panel_of_lines(lines: Sequence[TextLine], within: Corners | None = None) -> Panel | None:
    """Returns the panel on which lines of text stand; None without lines.

    Only lines that run about the way of the longest count.

    Args:
        lines: What tells which way the panel lies.
        within: ``float64 (N, 2)``, pixels of the photo: what is on the panel whether lines were read there or not.
    """
    if not lines:
        return None
    way = max(lines, key=_length).orientation
    same = [line for line in lines if _apart(line.orientation, way) <= _SAME_WAY]
    quads = np.stack([turned(np.asarray(line.quad), way) for line in same])
    height = float(np.median([line.height for line in same]))
    others = turned(np.empty((0, 2)) if within is None else within, way)
    points = np.concatenate([quads.reshape(-1, 2), others])
    corners = _around(points, *_directions(quads, others, height))
    if not _is_sound(corners):
        corners = _around(points, (0.0, 0.0), (0.0, 0.0))
    # Back from the frame of whoever reads it.
    return Panel(turned(corners, -way), 0.6 * height)


def panel_of_mask(mask: MaskArray) -> Panel | None:
    """Returns the panel that a mask fills; None for one that is no quadrilateral.

    Args:
        mask: ``bool (H, W)``, with at least one pixel.
    """
    hull = _hull(mask)
    if len(hull) < 4:
        return None
    corners = np.asarray(cv2.approxPolyN(hull, 4, ensure_convex=True), dtype=np.float64).reshape(-1, 2)
    # OpenCV's corners are middles of pixels.
    corners = _from_upper_left(corners + 0.5)
    enclosed = cv2.contourArea(corners.astype(np.float32))
    if not _is_sound(corners) or mask.sum() < _FULL * enclosed:
        return None
    return Panel(corners, 0.03 * min(_sides(corners)))


def outermost(mask: MaskArray) -> Corners:
    """Returns the points ``float64 (N, 2)`` of which each side around a mask touches one.

    Args:
        mask: ``bool (H, W)``, with at least one pixel.
    """
    # OpenCV's points are pixels, which reach half a pixel to each side of their middles.
    pixels = _hull(mask).reshape(-1, 1, 2).astype(np.float64)
    return np.asarray(pixels + np.array([(0, 0), (1, 0), (1, 1), (0, 1)]), dtype=np.float64).reshape(-1, 2)


def _hull(mask: MaskArray) -> NDArray[np.int32]:
    pieces, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return np.asarray(cv2.convexHull(np.concatenate(list(pieces))), dtype=np.int32)


def _directions(quads: Corners, others: Corners, height: float) -> tuple[Pair, Pair]:
    """Returns the slopes of a panel's upper and lower side and the leans of its left and right one (see `_around`).

    Args:
        quads: ``float64 (N, 4, 2)``, of the lines, each clockwise from its start; in their frame.
        others: ``float64 (M, 2)``, what else is on the panel.
        height: Of a line.
    """
    middles = quads.mean(axis=1)
    down = middles[:, 1]
    ends = quads[:, [1, 2]].mean(axis=1) - quads[:, [0, 3]].mean(axis=1)
    weights = np.hypot(ends[:, 0], ends[:, 1])
    slopes = ends[:, 1] / np.maximum(ends[:, 0], 1e-6)
    level = float(np.average(slopes, weights=weights))
    upper = lower = level
    if np.ptp(down) > height:
        change, at_zero = np.polyfit(down, slopes, 1, w=weights)
        if abs(math.degrees(math.atan(change * np.ptp(down)))) >= _LEAST_CHANGE:
            # What is above and below the lines runs on towards the same point.
            rows = np.concatenate([down, others[:, 1]])
            upper, lower = (float(at_zero + change * row) for row in (rows.min(), rows.max()))
    return (upper, lower), _leans(quads, others, height, -level)


def _leans(quads: Corners, others: Corners, height: float, upright: float) -> Pair:
    """Returns how far right the left and the right side go by each pixel down; `upright` where nothing tells."""
    starts, ends = quads[:, [0, 3]].mean(axis=1), quads[:, [1, 2]].mean(axis=1)
    left, right = _row(starts, height), _row(ends, height)
    if left is None or right is None:
        # One side tells of the other; without either the sides stand upright on the lines.
        one = next((side for side in (left, right) if side is not None), upright)
        return one, one
    if _grows_as_letters_do(quads):
        columns = np.array([starts[:, 0].mean(), ends[:, 0].mean()])
        wide = np.concatenate([columns, others[:, 0]])
        change = (right - left) / (columns[1] - columns[0])
        return left + change * float(wide.min() - columns[0]), right + change * float(wide.max() - columns[1])
    # Lines that get longer by themselves: what both sides lean to is the panel's, at most.
    if (left - upright) * (right - upright) <= 0:
        return upright, upright
    nearer = min(left, right, key=lambda lean: abs(lean - upright))
    return nearer, nearer


def _grows_as_letters_do(quads: Corners) -> bool:
    """Returns whether letters grow down the panel as its width does: what is nearer is larger in both ways."""
    middles = quads.mean(axis=1)
    down = np.array([middles[:, 1].min(), middles[:, 1].max()])
    widths = np.polyval(np.polyfit(middles[:, 1], quads[:, 1, 0] - quads[:, 0, 0], 1), down)
    heights = np.polyval(np.polyfit(middles[:, 1], np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1), 1), down)
    if min(*widths, *heights) <= 0:
        return False
    width, height = (math.log(pair[1] / pair[0]) for pair in (widths, heights))
    return abs(width) < _ALIKE or height / width >= _LEAST_GROWTH


def _row(points: Corners, height: float) -> float | None:
    """Returns how far right points move by each pixel down, if they stand in one row; else None."""
    if len(points) < _FEWEST_ROWS:
        return None
    x, y = points.T
    lean, start = np.polyfit(y, x, 1)
    off = float(np.sqrt(np.mean((x - lean * y - start) ** 2)))
    return float(lean) if off <= _OFF_ROW * height else None


def _around(points: Corners, slopes: Pair, leans: Pair) -> Corners:
    """Returns the corners of the quadrilateral around points whose four sides have given directions.

    Args:
        points: ``float64 (N, 2)``.
        slopes: Pixels down by pixel right, of the upper and the lower side.
        leans: Pixels right by pixel down, of the left and the right side.
    """
    x, y = points.T
    rows = [(y - slopes[0] * x).min(), (y - slopes[1] * x).max()]
    columns = [(x - leans[0] * y).min(), (x - leans[1] * y).max()]
    corners = []
    for row, column in ((0, 0), (0, 1), (1, 1), (1, 0)):
        # y = slope x + a and x = lean y + b meet.
        slope, lean, a, b = slopes[row], leans[column], rows[row], columns[column]
        down = (slope * b + a) / (1 - slope * lean)
        corners.append((lean * down + b, down))
    return np.array(corners)


def _is_sound(corners: Corners) -> bool:
    """Returns whether corners are those of a rectangle that a camera may have seen so: convex, not too far from one."""
    along = np.roll(corners, -1, axis=0) - corners
    before = np.roll(along, 1, axis=0)
    lengths = np.hypot(along[:, 0], along[:, 1])
    if lengths.min() < 1.0:
        return False
    cross = before[:, 0] * along[:, 1] - before[:, 1] * along[:, 0]
    turns = np.degrees(np.arctan2(cross, (before * along).sum(axis=1)))
    ratios = lengths / np.roll(lengths, 2)
    return bool((turns >= _LEAST_ANGLE).all() and (turns <= 180 - _LEAST_ANGLE).all() and ratios.min() >= _LEAST_RATIO)


def _from_upper_left(corners: Corners) -> Corners:
    """Returns corners clockwise, beginning with the one whose following side runs most to the right."""
    x, y = corners.T
    if float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) < 0:
        corners = corners[::-1]
    along = np.roll(corners, -1, axis=0) - corners
    first = int(np.argmax(along[:, 0] / np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)))
    return np.roll(corners, -first, axis=0)


def _sides(corners: Corners) -> tuple[float, float, float, float]:
    along = np.roll(corners, -1, axis=0) - corners
    top, right, bottom, left = np.hypot(along[:, 0], along[:, 1]).tolist()
    return top, right, bottom, left


def _length(line: TextLine) -> tuple[float, tuple[tuple[float, float], ...]]:
    corners = np.asarray(line.quad)
    return float(np.linalg.norm(corners[1] - corners[0])), line.quad


def _apart(first: float, second: float) -> float:
    turn = abs(first - second) % 360.0
    return min(turn, 360.0 - turn)
