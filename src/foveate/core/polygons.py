"""Polygons, and the one rule by which they become masks.

A polygon is a list of corners in upright pixels, closed from the last to the first, without a repeated closing point.
A pixel belongs to it when its centre lies inside (pycocotools' rasteriser, which follows that rule but for pixels whose
centre an edge passes within a tenth): a box of whole pixels covers exactly its area, as in the half-open frame of
boxes. Pillow and OpenCV also paint the pixels that the outline touches, so that the square (0, 0)-(9, 9) has 100 pixels
there and 81 here (design/rasterisation.md).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pycocotools import mask as _coco

from foveate.core.boxes import MOST_PIXELS, SizeHW, size_problem
from foveate.core.rle import Rle, merge

Corners = NDArray[np.float64]
# How far outside its photo a drawn corner may lie: the official files of VizWiz have up to 5.5 pixels; more is another
# photo, or another size.
TOLERATED_PIXELS = 10.0


def as_corners(points: ArrayLike) -> Corners:
    """Returns the corners ``float64 (N, 2)``, x and y, without a repeated closing point.

    Raises:
        ValueError: There are fewer than three, or a coordinate is not finite.
    """
    corners = np.asarray(points, dtype=np.float64)
    if corners.ndim != 2 or corners.shape[1] != 2:
        raise ValueError(f"a polygon is a list of points (x, y), not {corners.shape}")
    if not np.isfinite(corners).all():
        raise ValueError("a point of the polygon is not a finite number")
    if np.abs(corners).max(initial=0.0) > MOST_PIXELS:
        raise ValueError(f"a point of the polygon lies {np.abs(corners).max():.3g} pixels out, beyond any image")
    if len(corners) > 1 and (corners[0] == corners[-1]).all():
        corners = corners[:-1]
    if len(corners) < 3:
        raise ValueError(f"the polygon has {len(corners)} points, it needs 3")
    return corners


def clip_corners(corners: Corners, size_hw: SizeHW) -> Corners:
    """Returns the corners moved onto the image where they lie outside it; what lay outside is lost, and no more."""
    height, width = size_hw
    return np.clip(corners, 0.0, np.array([width, height], dtype=np.float64))


def outside_by(corners: Corners, size_hw: SizeHW) -> float:
    """Returns by how many pixels the farthest corner lies outside the image; 0 where all lie inside."""
    return float(np.abs(corners - clip_corners(corners, size_hw)).max())


def polygon_area(corners: Corners) -> float:
    """Returns the area that the outline encloses, in square pixels (the shoelace formula; even of one that crosses)."""
    x, y = corners.T
    return float(abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2)


def is_flat(corners: Corners) -> bool:
    """Returns whether all corners lie on one line, so that nothing is enclosed; a bow tie is not flat."""
    sides = corners[1:] - corners[0]
    first = sides[np.argmax(np.abs(sides).max(axis=1))]
    return bool((sides[:, 0] * first[1] == sides[:, 1] * first[0]).all())


def polygon_box(corners: Corners) -> tuple[float, float, float, float]:
    """Returns the box around the corners, ``xyxy``; the shape inside it is lost."""
    (x0, y0), (x1, y1) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    return x0, y0, x1, y1


def rasterise(polygons: Sequence[Corners], size_hw: SizeHW) -> Rle:
    """Returns the mask of the union of polygons on an image; parts outside it are left out.

    Corners are clipped first, since the rasteriser may give wrong pixels for coordinates far outside.

    Raises:
        ValueError: There is no polygon, or no image has that size.
    """
    problem = size_problem(size_hw)
    if problem:
        raise ValueError(problem)
    height, width = size_hw
    flat = [clip_corners(corners, size_hw).ravel().tolist() for corners in polygons]
    if not flat:
        raise ValueError("there is no polygon to rasterise")
    return merge([Rle(size_hw, raw["counts"]) for raw in _coco.frPyObjects(flat, height, width)])
