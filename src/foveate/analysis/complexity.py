"""Boundary complexity: how unlike a circle or a rectangle an outline is, as the entropy of its distances.

The distances from the outline's centroid, divided by the greatest, fall into bins of equal width from 0 to 1; the
entropy of their shares, divided by that of equal shares, is the complexity, 0 to 1 (`design/analysis.md`).

References:
    Chen, Anjum, Gurari: Grounding Answers for Visual Questions Asked by Visually Impaired People, CVPR 2022,
    section 3.2;
    Chen, Sundaram: Estimating Complexity of 2D Shapes, 2005 (the entropy of centroid distances).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from foveate.core.polygons import as_corners, polygon_area
from foveate.core.regions import Box, Polygon
from foveate.core.rle import Rle, decode
from foveate.errors import UsageError, did_you_mean

Points = Literal["vertices", "contour"]
DEFAULT_BINS = 10
SENSITIVITY_BINS = (10, 20, 50)
# So many points stand for a dense contour, at equal distances along it.
CONTOUR_POINTS = 256
# Of a share of the greatest distance: what rounding may take from a distance must not move it to another bin.
_ROUNDING = 1e-9
Corners = NDArray[np.float64]


def points_named(name: str) -> Points:
    """Returns the points of a name.

    Raises:
        UsageError: There are none of this name.
    """
    for points in get_args(Points):
        if name == points:
            return cast(Points, points)
    raise UsageError(f"--points {name}", "there are no points of this name", did_you_mean(name, get_args(Points)))


def complexity(corners: Corners, bins: int = DEFAULT_BINS) -> float:
    """Returns the boundary complexity of one outline, 0 to 1; every rectangle and regular polygon has 0.

    Args:
        corners: ``float64 (N, 2)``, x and y, without a repeated closing point.
        bins: How many bins the distances fall into, at least 2.

    Example:
        >>> complexity(np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [0.0, 3.0]]))
        0.0
    """
    return entropy(relative_distances(corners), bins)


def relative_distances(corners: Corners) -> NDArray[np.float64]:
    """Returns how far each corner is from the centroid, as shares of the greatest distance, ``(N,)``."""
    distances: NDArray[np.float64] = np.hypot(*(corners - centroid(corners)).T)
    greatest = distances.max()
    return distances / greatest if greatest > 0 else np.zeros(len(corners))


def entropy(relative: NDArray[np.float64], bins: int) -> float:
    """Returns the entropy of the shares of so many bins, divided by that of equal shares, 0 to 1.

    Args:
        relative: What falls into the bins, 0 to 1.
        bins: How many there are, at least 2.
    """
    bin_of = np.minimum(np.floor(relative * bins + _ROUNDING), bins - 1).astype(np.int64)
    shares = np.bincount(bin_of) / len(relative)
    shares = shares[shares > 0]
    return abs(float(-(shares * np.log(shares)).sum() / np.log(bins)))


def centroid(corners: Corners) -> NDArray[np.float64]:
    """Returns the centroid of the area inside, ``(2,)``; the mean of the corners where the area is nothing."""
    middle: NDArray[np.float64] = corners.mean(axis=0)
    x, y = (corners - middle).T
    cross = x * np.roll(y, -1) - np.roll(x, -1) * y
    area = cross.sum() / 2
    if abs(area) < _ROUNDING * max(float(np.ptp(x) * np.ptp(y)), 1.0):
        return middle
    away = np.array([((x + np.roll(x, -1)) * cross).sum(), ((y + np.roll(y, -1)) * cross).sum()])
    return np.asarray(middle + away / (6 * area))


def outlines_of(shapes: Iterable[object]) -> list[Corners] | None:
    """Returns the drawn outlines of shapes; None where one is a mask, whose outline nobody drew."""
    found: list[Corners] = []
    for shape in shapes:
        if isinstance(shape, Polygon):
            found.extend(as_corners(part) for part in shape.parts)
        elif isinstance(shape, Box):
            x0, y0, x1, y1 = shape.xyxy
            found.append(as_corners([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]))
        else:
            return None
    return found


def largest(outlines: Sequence[Corners]) -> Corners:
    """Returns the outline that encloses most: of several it speaks for the sample."""
    return max(outlines, key=polygon_area)


def contour_of(rle: Rle, points: int = CONTOUR_POINTS) -> Corners | None:
    """Returns the outer contour of a mask's largest part, at equal steps ``(points, 2)``; None for a few pixels."""
    import cv2

    found, _ = cv2.findContours(decode(rle).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    contours = [contour[:, 0, :].astype(np.float64) for contour in found if len(contour) > 2]
    return at_equal_steps(largest(contours), points) if contours else None


def at_equal_steps(corners: Corners, points: int) -> Corners:
    """Returns so many points at equal distances along a closed outline, from its first corner on."""
    closed = np.vstack([corners, corners[:1]])
    steps = np.hypot(*np.diff(closed, axis=0).T)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    at = np.linspace(0.0, along[-1], points, endpoint=False)
    return np.column_stack([np.interp(at, along, closed[:, 0]), np.interp(at, along, closed[:, 1])])
