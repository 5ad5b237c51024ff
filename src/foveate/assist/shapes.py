"""A region as the pixels of a photo, as the pictures take it: never empty, and inside the photo."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from foveate.core.boxes import SizeHW
from foveate.core.regions import Region, Shape
from foveate.core.rle import MaskArray, decode
from foveate.errors import UsageError


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a photo in whole pixels, half-open.

    Attributes:
        x0: Left.
        y0: Top.
        x1: Right.
        y1: Bottom.
    """

    x0: int
    y0: int
    x1: int
    y1: int

    @property
    def size_hw(self) -> SizeHW:
        """Height and width."""
        return self.y1 - self.y0, self.x1 - self.x0

    @property
    def place(self) -> tuple[slice, slice]:
        """Its rows and columns."""
        return slice(self.y0, self.y1), slice(self.x0, self.x1)

    def grown(self, by: int, size_hw: SizeHW) -> Window:
        """Returns the window with so many pixels more on each side, within a photo."""
        height, width = size_hw
        return Window(max(0, self.x0 - by), max(0, self.y0 - by), min(width, self.x1 + by), min(height, self.y1 + by))


def shape_of(region: Region | Shape) -> Shape:
    """Returns a region's shape."""
    return region.shape if isinstance(region, Region) else region


def window_of(region: Region | Shape, size_hw: SizeHW) -> Window:
    """Returns the pixels of a photo that the box around a region touches, at least one.

    Raises:
        UsageError: The region is a mask of another size, or lies outside the photo.
    """
    shape = shape_of(region)
    height, width = size_hw
    x0, y0, x1, y1 = shape.xyxy
    problem = shape.problem(size_hw)
    # A box may reach a little beyond its photo; a mask of another size is of another photo.
    if x1 <= 0 or y1 <= 0 or x0 >= width or y0 >= height or (problem and problem.startswith("the mask")):
        raise UsageError("the region", problem or "it lies outside the photo", "Give a region of this photo.")
    return Window(max(0, math.floor(x0)), max(0, math.floor(y0)), min(width, math.ceil(x1)), min(height, math.ceil(y1)))


def pixels_of(region: Region | Shape, size_hw: SizeHW) -> MaskArray:
    """Returns a region's pixels, ``bool (H, W)``; of one too small to hold a pixel's centre those that it touches.

    Raises:
        UsageError: As for `window_of`.
    """
    window = window_of(region, size_hw)
    mask = decode(shape_of(region).rle(size_hw))
    if not mask.any():
        mask[window.place] = True
    return mask


def margin_of(size_hw: SizeHW) -> int:
    """Returns the margin around what is kept or hidden: 2 % of the shorter side, at least 4 pixels.

    Example:
        >>> margin_of((480, 640)), margin_of((10, 10))
        (10, 4)
    """
    return max(4, round(0.02 * min(size_hw)))


def widened(mask: MaskArray, by: int) -> MaskArray:
    """Returns a mask with all pixels no farther than `by` from one of its own, from middle to middle."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return mask.copy()
    inner = Window(int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1)
    place = inner.grown(by, (mask.shape[0], mask.shape[1])).place
    outside = np.ascontiguousarray(~mask[place], dtype=np.uint8)
    wide = np.zeros_like(mask)
    # OpenCV's distances are exact with this mask, but for the last digits of their 32 bits.
    wide[place] = cv2.distanceTransform(outside, cv2.DIST_L2, cv2.DIST_MASK_PRECISE) <= by + 1e-3
    return wide
