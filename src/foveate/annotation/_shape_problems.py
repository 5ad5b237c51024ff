"""What is wrong with a drawn box or polygon: pairs of a sentence and a remedy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from foveate.annotation.outlines import TOLERANCE, first_meeting, plain
from foveate.core.boxes import SizeHW, clip_boxes, format_box
from foveate.core.polygons import Corners, clip_corners, rasterise
from foveate.core.regions import Point, Sides
from foveate.core.rle import area

Told = tuple[str, str]
_WHY_ONE_OUTLINE = "A region is one outer boundary, as in the official targets, so that holes are not cut out."


def box_problems(box: Sides | None, size_hw: SizeHW) -> Iterator[Told]:
    """Yields what is wrong with a box, at most one thing."""
    if box is None:
        yield "no box is drawn", "Draw one, or choose the whole image."
        return
    x0, y0, x1, y1 = box
    kept = clip_boxes(box, size_hw)
    outside = float(np.abs(np.asarray(box) - kept).max())
    shown = format_box(box)
    if x1 <= x0 or y1 <= y0:
        yield f"the box {shown} has no area", "Draw it from one corner to the opposite one."
    elif outside > TOLERANCE:
        yield f"the box {shown} reaches {_pixels(outside)} outside the photo, {_photo(size_hw)}", "Draw it inside."
    elif kept[2] - kept[0] < 1 or kept[3] - kept[1] < 1:
        shown = f"{kept[2] - kept[0]:.4g} x {kept[3] - kept[1]:.4g}"
        yield f"the box is {shown} pixels, the least is 1 x 1", "Draw it around the whole thing."


def polygon_problems(points: Sequence[Point], closed: bool, size_hw: SizeHW) -> Iterator[Told]:
    """Yields what is wrong with a polygon: points outside, else the first thing that makes it no region."""
    outside = list(_outside(points, size_hw))
    if outside:
        yield from outside
        return
    corners = plain(points, size_hw)
    distinct = len(np.unique(corners, axis=0))
    if distinct < 3:
        yield f"the polygon has {distinct} different points, it needs 3", "Set more points."
        return
    if not closed:
        yield "the polygon is not closed", "Close it at its first point, or press Enter."
    yield from _of_sides(corners, size_hw)


def _outside(points: Sequence[Point], size_hw: SizeHW) -> Iterator[Told]:
    corners = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    by = np.abs(corners - clip_corners(corners, size_hw)).max(axis=1, initial=0.0)
    for at in np.flatnonzero(by > TOLERANCE).tolist():
        x, y = corners[at].tolist()
        problem = f"point {at + 1} ({x:.10g}, {y:.10g}) lies {_pixels(by[at])} outside the photo, {_photo(size_hw)}"
        yield problem, "Move it inside."


def _of_sides(corners: Corners, size_hw: SizeHW) -> Iterator[Told]:
    meeting = first_meeting(corners)
    if meeting is not None:
        what = "crosses" if meeting.crosses else "touches"
        problem = f"side {meeting.first} {what} side {meeting.second} (side 1 goes from point 1 to point 2)"
        yield problem, f"Move their points apart. {_WHY_ONE_OUTLINE}"
    elif area(rasterise([corners], size_hw)) == 0:
        yield "the polygon covers the middle of no pixel", "Draw it around the whole region."


def _pixels(number: float) -> str:
    return f"{number:.4g} pixel{'' if number == 1 else 's'}"


def _photo(size_hw: SizeHW) -> str:
    return f"{size_hw[1]} x {size_hw[0]}"
