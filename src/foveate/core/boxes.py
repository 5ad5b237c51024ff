"""Boxes as arrays: conversions, clipping, area, and what is wrong with a box from outside.

Every array here is ``xyxy: float64 (..., 4)``, upright pixels, half-open: a box covers ``x0 <= x < x1`` and
``y0 <= y < y1``, so that its width is ``x1 - x0`` and two boxes that touch share no area.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Boxes = NDArray[np.float64]
SizeHW = tuple[int, int]
# pycocotools counts the pixels of masks in 32 bits; a photo has a hundredth of that at most.
MOST_PIXELS = 2**32 - 1
# No image reaches so far; products of such numbers would lose their digits, and then overflow.
_FARTHEST = 2.0**31
# Below this side a fraction of a pixel may be meant.
_ANY_PHOTO = 16


def as_boxes(values: ArrayLike) -> Boxes:
    """Returns ``values`` as ``float64 (..., 4)``.

    Raises:
        ValueError: The last axis is not 4 long.
    """
    boxes = np.asarray(values, dtype=np.float64)
    if boxes.ndim == 0 or boxes.shape[-1] != 4:
        raise ValueError(f"boxes have the shape (..., 4), not {boxes.shape}")
    return boxes


def xywh_to_xyxy(xywh: ArrayLike) -> Boxes:
    """Returns corner boxes from ``(left, top, width, height)``.

    Example:
        >>> xywh_to_xyxy([10, 20, 30, 40]).tolist()
        [10.0, 20.0, 40.0, 60.0]
    """
    boxes = as_boxes(xywh)
    return np.concatenate([boxes[..., :2], boxes[..., :2] + boxes[..., 2:]], axis=-1)


def xyxy_to_xywh(xyxy: ArrayLike) -> Boxes:
    """Returns ``(left, top, width, height)`` from corner boxes."""
    boxes = as_boxes(xyxy)
    return np.concatenate([boxes[..., :2], boxes[..., 2:] - boxes[..., :2]], axis=-1)


def cxcywh_to_xyxy(cxcywh: ArrayLike) -> Boxes:
    """Returns corner boxes from ``(centre x, centre y, width, height)``.

    Example:
        >>> cxcywh_to_xyxy([25, 40, 30, 40]).tolist()
        [10.0, 20.0, 40.0, 60.0]
    """
    boxes = as_boxes(cxcywh)
    half = boxes[..., 2:] / 2
    return np.concatenate([boxes[..., :2] - half, boxes[..., :2] + half], axis=-1)


def clip_boxes(xyxy: ArrayLike, size_hw: SizeHW) -> Boxes:
    """Returns the part of each box inside an image of ``size_hw``; a box outside it becomes empty, never inverted."""
    height, width = size_hw
    return np.clip(as_boxes(xyxy), 0.0, np.array([width, height, width, height], dtype=np.float64))


def box_area(xyxy: ArrayLike) -> NDArray[np.float64]:
    """Returns the areas ``(...)`` in square pixels; an inverted box has area 0."""
    boxes = as_boxes(xyxy)
    sides = np.clip(boxes[..., 2:] - boxes[..., :2], 0.0, None)
    return np.asarray(sides[..., 0] * sides[..., 1])


def box_problem(xyxy: Sequence[float], size_hw: SizeHW | None = None) -> str | None:
    """Returns what makes one box unusable, with its likely cause, or None.

    Args:
        xyxy: One box, four numbers.
        size_hw: The image's size; without it only the box itself is judged.

    Example:
        >>> box_problem([10, 10, 10, 30])
        'the box 10, 10, 10, 30 has no area'
    """
    # Plain comparisons: this runs several times for each of a million samples. A NaN fails every one of them.
    x0, y0, x1, y1 = xyxy
    if x0 < x1 and y0 < y1 and x0 >= -_FARTHEST and y0 >= -_FARTHEST and x1 <= _FARTHEST and y1 <= _FARTHEST:
        return None if size_hw is None else _outside(x0, y0, x1, y1, size_hw)
    shown = format_box(xyxy)
    if not all(math.isfinite(side) for side in xyxy):
        return f"the box {shown} has a coordinate that is not a finite number"
    if x1 < x0 or y1 < y0:
        return f"the box {shown} is inverted ({_turned(x1 < x0, y1 < y0)}"
    if x0 < x1 and y0 < y1:
        return f"the box {shown} reaches farther than any image"
    return f"the box {shown} has no area"


def size_problem(size_hw: SizeHW) -> str | None:
    """Returns what makes a size that of no image, or None.

    Example:
        >>> size_problem((0, 640))
        'an image is at least 1 x 1 pixels, not 640 x 0'
    """
    height, width = size_hw
    if height < 1 or width < 1:
        return f"an image is at least 1 x 1 pixels, not {width} x {height}"
    if height * width > MOST_PIXELS:
        return f"an image has at most {MOST_PIXELS:,} pixels, not {width} x {height}"
    return None


def size_difference(given: SizeHW, wanted: SizeHW) -> str | None:
    """Returns how a size differs from the wanted one, to follow "the photo is", with its likely cause; or None.

    Example:
        >>> size_difference((48, 64), (64, 48))
        "64 wide and 48 high, not 48 wide and 64 high; it looks transposed, see the photo's EXIF rotation"
    """
    if given == wanted:
        return None
    turned = "; it looks transposed, see the photo's EXIF rotation" if given == wanted[::-1] else ""
    return f"{given[1]} wide and {given[0]} high, not {wanted[1]} wide and {wanted[0]} high{turned}"


def format_box(xyxy: ArrayLike) -> str:
    """Returns ``x0, y0, x1, y1`` without needless zeros."""
    return ", ".join(f"{v:.10g}" for v in as_boxes(xyxy).tolist())


def _turned(sideways: bool, upside_down: bool) -> str:
    """Returns which sides are the wrong way round, and what is likely to be meant."""
    meant = "or are the last two a width and a height?"
    if sideways and upside_down:
        return f"right < left and bottom < top); are its corners swapped, {meant}"
    if sideways:
        return f"right < left); are left and right swapped, {meant}"
    return f"bottom < top); are top and bottom swapped, {meant}"


def _within_a_pixel(x0: float, y0: float, x1: float, y1: float) -> str | None:
    """Shares of the sides given as pixels are the commonest slip, and would score 0 without a word."""
    if all(side == int(side) for side in (x0, y0, x1, y1)):
        return None
    shown = format_box((x0, y0, x1, y1))
    return f"the box {shown} lies within the first pixel; are these shares of the photo's width and height?"


def _outside(x0: float, y0: float, x1: float, y1: float, size_hw: SizeHW) -> str | None:
    height, width = size_hw
    if x0 >= 0 and y0 >= 0 and x1 <= width and y1 <= height:
        shares = x1 <= 1 and y1 <= 1 and min(size_hw) >= _ANY_PHOTO
        return _within_a_pixel(x0, y0, x1, y1) if shares else None
    fits_turned = x0 >= 0 and y0 >= 0 and x1 <= height and y1 <= width
    hint = "; it would fit a transposed image, look at the photo's EXIF rotation" if fits_turned else ""
    shown = format_box((x0, y0, x1, y1))
    return f"the box {shown} lies outside the image, which is {width} wide and {height} high{hint}"
