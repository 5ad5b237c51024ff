"""Places in a photo as regions: the whole of it, a box, and whether two are one place."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.core.overlap import box_iou
from foveate.core.regions import Box, Region, Sides

# Boxes that overlap by this IoU show the same thing.
SAME_PLACE = 0.7


def whole(size_hw: SizeHW, score: float | None = None) -> Region:
    """Returns the whole photo as a region."""
    height, width = size_hw
    return Region(Box((0, 0, width, height)), score)


def sides(xyxy: NDArray[np.float64]) -> Sides:
    """Returns the row of a box as plain numbers."""
    x0, y0, x1, y1 = xyxy.tolist()
    return x0, y0, x1, y1


def same_place(first: Region, second: Region) -> bool:
    """Returns whether two regions lie at one place, as far as their boxes tell."""
    return bool(box_iou(np.array(first.shape.xyxy), np.array(second.shape.xyxy), empty=0.0) >= SAME_PLACE)


def apart(regions: Iterable[Region]) -> list[Region]:
    """Returns the regions that do not lie where an earlier one does."""
    kept: list[Region] = []
    for region in regions:
        if not any(same_place(region, other) for other in kept):
            kept.append(region)
    return kept
