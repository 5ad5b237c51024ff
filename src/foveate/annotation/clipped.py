"""A work as it is stored: its geometry on the photo and in its plain form."""

from __future__ import annotations

from foveate.annotation.outlines import plain
from foveate.annotation.work import BoxWork, GroundingWork, PolygonWork, Work
from foveate.core.boxes import SizeHW, clip_boxes


def clipped(work: Work, size_hw: SizeHW) -> Work:
    """Returns a work whose geometry is as it is stored; all else stays.

    What reaches outside the photo is moved onto its edge (a work that may be sent reaches half a pixel out at most). A
    repeated closing point and points equal to the one before them are left out; order and direction stay.

    Args:
        work: What a person has filled in.
        size_hw: Height and width of the upright photo.
    """
    if isinstance(work, GroundingWork | PolygonWork):
        return work.model_copy(update={"polygon": [(x, y) for x, y in plain(work.polygon, size_hw).tolist()]})
    if isinstance(work, BoxWork) and work.box is not None:
        x0, y0, x1, y1 = (clip_boxes(work.box, size_hw) + 0.0).tolist()  # No -0.0.
        return work.model_copy(update={"box": (x0, y0, x1, y1)})
    return work
