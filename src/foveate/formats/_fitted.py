"""Regions from files, laid on their photo: what is drawn a little outside is cut off, the rest is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from foveate.core.boxes import SizeHW, clip_boxes
from foveate.core.polygons import TOLERATED_PIXELS, as_corners, clip_corners, outside_by
from foveate.core.regions import Box, Polygon, Sides
from foveate.core.rle import area
from foveate.core.truths import TargetShape


def fitted(shape: TargetShape, size_hw: SizeHW | None) -> TargetShape:
    """Returns a shape that lies on its photo; as with VizWiz's files, up to ten pixels outside it are cut off.

    Args:
        shape: As it is written.
        size_hw: Of the photo; without it nothing can be cut off.

    Raises:
        ValueError: It lies farther outside, nothing is left, or it is of another photo's size.
    """
    if size_hw is None or shape.problem(size_hw) is None:
        return shape
    if isinstance(shape, Polygon):
        return _clipped_polygon(shape, size_hw)
    if isinstance(shape, Box) and _beyond(shape.xyxy, size_hw) <= TOLERATED_PIXELS:
        shape = replace(shape, xyxy=cast(Sides, tuple(clip_boxes(shape.xyxy, size_hw).tolist())))
    problem = shape.problem(size_hw)
    if problem:
        raise ValueError(problem)
    return shape


def _clipped_polygon(polygon: Polygon, size_hw: SizeHW) -> Polygon:
    corners = [as_corners(part) for part in polygon.parts]
    if max(outside_by(part, size_hw) for part in corners) > TOLERATED_PIXELS:
        raise ValueError(f"{polygon.problem(size_hw)}; up to {TOLERATED_PIXELS:g} pixels are cut off at its edge")
    clipped = Polygon(tuple(tuple((x, y) for x, y in clip_corners(part, size_hw).tolist()) for part in corners))
    if area(clipped.rle(size_hw)) == 0:
        raise ValueError("nothing of the polygon is left on the photo")
    return clipped


def _beyond(xyxy: Sides, size_hw: SizeHW) -> float:
    x0, y0, x1, y1 = xyxy
    height, width = size_hw
    return max(-x0, -y0, x1 - width, y1 - height)
