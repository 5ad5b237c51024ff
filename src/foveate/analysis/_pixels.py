"""What a mask's runs tell without unpacking its pixels: how many there are, their middle, how many parts they make."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foveate.core.rle import Rle, decode, runs_of, tight_box

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Pixels:
    """What a mask's pixels are like.

    Attributes:
        area: How many there are; of a box that is measured by its own arithmetic, its sides' product.
        centre: Mean x and y of their middles, in pixels.
        parts: How many connected parts they make; pixels that touch at a side or a corner are connected.
    """

    area: float
    centre: tuple[float, float]
    parts: int


def pixels_of(rle: Rle) -> Pixels:
    """Returns what a mask's pixels are like.

    Raises:
        ValueError: The mask is empty.
    """
    starts, ends = _runs(rle)
    if not starts.size:
        raise ValueError("the mask is empty")
    height = rle.size_hw[0]
    area = int((ends - starts).sum())
    # The number of a pixel is x * height + y: x is summed over whole columns, y is what remains.
    x_sum = int((_columns_before(ends, height) - _columns_before(starts, height)).sum())
    number_sum = int(((starts + ends - 1) * (ends - starts) // 2).sum())
    y_sum = number_sum - height * x_sum
    return Pixels(area, (x_sum / area + 0.5, y_sum / area + 0.5), _parts(rle, starts, ends))


def _runs(rle: Rle) -> tuple[Ints, Ints]:
    """Returns the first and the last but one pixel of each run, numbered down the columns."""
    edges = np.cumsum(runs_of(rle))
    return edges[: edges.size - edges.size % 2 : 2], edges[1::2]


def _columns_before(number: Ints, height: int) -> Ints:
    """Returns the sum of the columns of all pixels with a smaller number."""
    whole, rest = number // height, number % height
    return height * whole * (whole - 1) // 2 + whole * rest


def _parts(rle: Rle, starts: Ints, ends: Ints) -> int:
    """Returns the number of connected parts; most masks are one that each column crosses once, which is soon seen."""
    height = rle.size_hw[0]
    first, last = starts // height, (ends - 1) // height
    count = last - first + 1
    column = np.repeat(first, count) + np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    top = np.maximum(np.repeat(starts, count), column * height) - column * height
    bottom = np.minimum(np.repeat(ends, count), (column + 1) * height) - column * height
    next_to = np.diff(column) == 1
    touching = (top[1:] <= bottom[:-1]) & (top[:-1] <= bottom[1:])
    return 1 if bool((next_to & touching).all()) else _counted_parts(rle)


def _counted_parts(rle: Rle) -> int:
    import cv2

    box = tight_box(rle)
    if box is None:
        return 0
    x0, y0, x1, y1 = (int(side) for side in box)
    crop = np.ascontiguousarray(decode(rle)[y0:y1, x0:x1], dtype=np.uint8)
    return int(cv2.connectedComponents(crop, connectivity=8)[0]) - 1
