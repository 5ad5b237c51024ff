"""How far the regions of one task overlap, each with each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.core.overlap import box_iou, mask_iou
from foveate.core.regions import Shape
from foveate.quality.drawings import all_boxes


def overlaps(shapes: Sequence[Shape], size_hw: SizeHW) -> NDArray[np.float64]:
    """Returns the table ``(N, N)`` of the intersections over unions: boxes as boxes, else all as pixels.

    Two regions without a pixel are alike.
    """
    if all_boxes(shapes):
        boxes = np.array([shape.xyxy for shape in shapes]).reshape(-1, 4)
        return box_iou(boxes[:, None], boxes[None], empty=1.0)
    rles = [shape.rle(size_hw) for shape in shapes]
    return np.stack([mask_iou([rle] * len(rles), rles, empty=1.0) for rle in rles])
