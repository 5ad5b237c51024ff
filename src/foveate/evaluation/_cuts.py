"""The IoU of a score map with its target at many thresholds, in one pass over the pixels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from foveate.core.overlap import box_overlap, over_union
from foveate.core.regions import Box
from foveate.core.rle import decode
from foveate.core.soft_maps import Values
from foveate.core.truths import TargetShape

Levels = NDArray[np.uint8]


def overlaps_at(values: Values, shapes: Sequence[TargetShape], thresholds: Sequence[float]) -> NDArray[np.float64]:
    """Returns the IoU at each threshold with the best of the targets ``(T,)``; 0 where no pixel reaches it.

    As in every metric, a region is compared with a box by the box around it, and with anything else by its pixels.

    Args:
        values: The map in the photo's pixels, ``float32 (H, W)``.
        shapes: The accepted targets.
        thresholds: Rising; at most 255.
    """
    levels = np.zeros(values.shape, dtype=np.uint8)
    for threshold in thresholds:  # Twice as fast as a search of each value.
        levels += values >= threshold
    count = len(thresholds)
    found = [
        _of_box(levels, shape, count) if isinstance(shape, Box) else _of_mask(levels, shape, count) for shape in shapes
    ]
    return np.asarray(np.max(found, axis=0))


def _of_mask(levels: Levels, shape: TargetShape, count: int) -> NDArray[np.float64]:
    height, width = levels.shape
    inside = decode(shape.rle((height, width)))
    within = _at_least(levels[inside], count)
    everywhere = _at_least(levels.ravel(), count)
    return over_union(within, everywhere - within + inside.sum(), empty=0.0)


def _at_least(levels: Levels, count: int) -> NDArray[np.float64]:
    """Returns how many pixels reach each threshold ``(T,)``."""
    histogram = np.bincount(levels, minlength=count + 1)
    return histogram[::-1].cumsum()[::-1][1:].astype(np.float64)


def _of_box(levels: Levels, box: Box, count: int) -> NDArray[np.float64]:
    across, down = (levels.max(axis=axis) for axis in (0, 1))
    boxes = np.zeros((count, 4))
    reached = int(across.max())
    for level in range(1, reached + 1):
        xs, ys = np.flatnonzero(across >= level), np.flatnonzero(down >= level)
        boxes[level - 1] = xs[0], ys[0], xs[-1] + 1, ys[-1] + 1
    # Beyond the highest level a box of no area is left, whose IoU is 0.
    intersection, union = box_overlap(boxes, box.xyxy)
    return over_union(intersection, union, empty=0.0)
