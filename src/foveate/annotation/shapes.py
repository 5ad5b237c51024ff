"""The region that somebody's work draws."""

from __future__ import annotations

from foveate.annotation.work import BoxWork, GroundingWork, PolygonWork, Work
from foveate.core.boxes import SizeHW
from foveate.core.regions import Box, Polygon


def drawn_shape(work: Work, size_hw: SizeHW) -> Box | Polygon | None:
    """Returns what somebody drew, the whole photo where they chose it; None where they drew nothing.

    Raises:
        ValueError: It is no region: too few points, no area, an inverted box.
    """
    height, width = size_hw
    if not isinstance(work, BoxWork | GroundingWork | PolygonWork):
        return None
    if isinstance(work, BoxWork):
        whole = (0.0, 0.0, float(width), float(height))
        box = work.box if work.outcome == "box" else whole if work.outcome == "whole_image" else None
        return Box(box) if box else None
    if work.outcome == "whole_image":
        return Polygon((((0.0, 0.0), (width, 0.0), (width, height), (0.0, height)),))
    return Polygon((tuple(work.polygon),)) if work.outcome == "polygon" else None
