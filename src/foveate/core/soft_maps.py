"""Soft maps: how strongly each place counts, 0 to 1, on a grid that is laid over the photo.

A method's attention is one (`Prediction.map`), and so is a target that says how many people marked each place. The grid
is the method's own; an affine rule tells where it lies on the upright photo, which also undoes a letterbox: column
``c`` and row ``r``, counted from the grid's outer edge, are at ``x = scale_x * c + offset_x`` and
``y = scale_y * r + offset_y``. There is no rotation in it, since everything here is upright.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, Protocol, get_args, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.core.cubic import cubic_weights
from foveate.core.rle import Rle, encode

Values = NDArray[np.float32]
Steps = NDArray[np.uint8]
Affine = tuple[float, float, float, float]
# A run keeps a map in steps of its highest value; what lies below that, however little, is a step lower.
_STEPS = 255
# How a map is read between the middles of its cells: along straight lines, along curves, or not at all.
Reading = Literal["bilinear", "bicubic", "cells"]
READINGS: tuple[Reading, ...] = get_args(Reading)
# Where a soft map is asked for its region: a place counts from here on.
HALF = 0.5


@runtime_checkable
class ScoreMap(Protocol):
    """A lazy reference to a soft map; a run reads the map when it is asked for."""

    def load(self) -> SoftMap:
        """Returns the map."""


@dataclass(frozen=True, slots=True, eq=False)
class SoftMap:
    """Values on a grid, and where the grid lies.

    Attributes:
        values: ``float32 (h, w)``, 0 to 1.
        affine: ``(scale_x, scale_y, offset_x, offset_y)`` from grid to upright pixels; scales are above 0.
        reading: How it is read between the middles of its cells; by no way is a value outside the range of the grid's.

    Raises:
        ValueError: It is no plane, a value is not from 0 to 1, or the affine rule or the reading is none.
    """

    values: Values
    affine: Affine
    reading: Reading = "bilinear"

    def __post_init__(self) -> None:
        values = np.array(self.values, dtype=np.float32)  # A copy: what is frozen must not change from outside.
        if values.ndim != 2 or not values.size:
            raise ValueError(f"a soft map has the shape (h, w), not {values.shape}")
        if not (np.isfinite(values).all() and values.min() >= 0 and values.max() <= 1):
            raise ValueError("the values of a soft map are numbers from 0 to 1")
        scale_x, scale_y, offset_x, offset_y = (float(number) for number in self.affine)
        if not (scale_x > 0 and scale_y > 0 and math.isfinite(scale_x + scale_y + offset_x + offset_y)):
            raise ValueError(f"a soft map's affine rule has two scales above 0 and two offsets, not {self.affine}")
        if self.reading not in READINGS:
            raise ValueError(f"a soft map is read {', '.join(READINGS)}, not {self.reading}")
        values.setflags(write=False)
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "affine", (scale_x, scale_y, offset_x, offset_y))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SoftMap):
            return NotImplemented
        same = (self.affine, self.reading) == (other.affine, other.reading)
        return same and np.array_equal(self.values, other.values)

    def __hash__(self) -> int:
        return hash((self.affine, self.reading, self.values.tobytes()))

    @classmethod
    def over(cls, values: NDArray[np.floating], size_hw: SizeHW, reading: Reading = "bilinear") -> SoftMap:
        """Returns the map whose grid covers a photo from edge to edge."""
        height, width = size_hw
        rows, columns = values.shape
        return cls(values.astype(np.float32), (width / columns, height / rows, 0.0, 0.0), reading)

    def load(self) -> SoftMap:
        """Returns itself, so that a map is its own reference."""
        return self

    @property
    def xyxy(self) -> tuple[float, float, float, float]:
        """The box around the cells of at least one half.

        Raises:
            ValueError: There is none.
        """
        rows, columns = np.nonzero(self.values >= HALF)
        if not rows.size:
            raise ValueError(_NOWHERE)
        scale_x, scale_y, offset_x, offset_y = self.affine
        return (
            float(columns.min() * scale_x + offset_x),
            float(rows.min() * scale_y + offset_y),
            float((columns.max() + 1) * scale_x + offset_x),
            float((rows.max() + 1) * scale_y + offset_y),
        )

    def problem(self, size_hw: SizeHW) -> str | None:
        """Returns what is wrong with the map as a target on an image, or None."""
        return None if (self.on(size_hw) >= HALF).any() else _NOWHERE

    def rle(self, size_hw: SizeHW) -> Rle:
        """Returns the pixels of at least one half; the other shades are lost."""
        return self.above(HALF, size_hw)

    def above(self, threshold: float, size_hw: SizeHW) -> Rle:
        """Returns the pixels whose value is at least `threshold`."""
        return encode(self.on(size_hw) >= threshold)

    def on(self, size_hw: SizeHW) -> Values:
        """Returns the map in the photo's pixels, ``float32 (H, W)``.

        Where the grid does not reach it is 0. A curve would swing beyond the values that it joins, and is held in
        their range.
        """
        height, width = size_hw
        scale_x, scale_y, offset_x, offset_y = self.affine
        down = _DOWN[self.reading]
        across, outside_x = down(self.values.T, width, scale_x, offset_x)
        found, outside_y = down(across.T, height, scale_y, offset_y)
        found = np.asarray(np.clip(found, self.values.min(), self.values.max()), dtype=np.float32)
        found[outside_y] = 0
        found[:, outside_x] = 0
        return found

    def peak(self) -> tuple[float, float] | None:
        """Returns the middle of the cell of the highest value, x and y, of equal ones the first in reading order.

        A map that is the same everywhere points nowhere: None.
        """
        if self.values.min() == self.values.max():
            return None
        row, column = np.unravel_index(int(np.argmax(self.values)), self.values.shape)
        scale_x, scale_y, offset_x, offset_y = self.affine
        return float((column + 0.5) * scale_x + offset_x), float((row + 0.5) * scale_y + offset_y)


def to_steps(values: NDArray[np.floating]) -> Steps:
    """Returns values of at least 0 in steps of the highest, which alone has the last one; all 0 where it is 0."""
    highest = float(values.max())
    if highest == 0:
        return np.zeros(values.shape, dtype=np.uint8)
    steps = np.minimum(np.rint(values.astype(np.float64) / highest * _STEPS), _STEPS - 1)
    return np.where(values == values.max(), _STEPS, steps).astype(np.uint8)


def from_steps(steps: Steps, highest: float) -> Values:
    """Returns the values of steps; next to nothing, where numbers lie far apart, none is rounded up to the highest.

    A map that was made of steps is the same after it was kept and read again, bit for bit.
    """
    top = np.float32(highest)
    values = np.minimum((steps / _STEPS * highest).astype(np.float32), np.nextafter(top, np.float32(0)))
    return np.where(steps == _STEPS, top, values)


_NOWHERE = f"the soft map reaches {HALF} nowhere"


def _at(pixels: int, scale: float, offset: float, cells: int) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Returns where the middles of pixels lie, in cells, and which lie beside the grid."""
    at: NDArray[np.float64] = (np.arange(pixels, dtype=np.float64) + 0.5 - offset) / scale
    return at, (at < 0) | (at > cells)


def _straight(values: Values, pixels: int, scale: float, offset: float) -> tuple[Values, NDArray[np.bool_]]:
    """Returns the values read along the first axis at the middles of pixels ``(pixels, w)``; which lie outside."""
    at, outside = _at(pixels, scale, offset, len(values))
    middle = np.clip(at - 0.5, 0, len(values) - 1)
    low = np.floor(middle).astype(int)
    part = (middle - low).astype(np.float32)[:, None]
    return values[low] * (1 - part) + values[np.minimum(low + 1, len(values) - 1)] * part, outside


def _curved(values: Values, pixels: int, scale: float, offset: float) -> tuple[Values, NDArray[np.bool_]]:
    at, outside = _at(pixels, scale, offset, len(values))
    weights = cubic_weights(np.clip(at, 0, len(values)), len(values))
    return (weights @ values).astype(np.float32), outside


def _stepped(values: Values, pixels: int, scale: float, offset: float) -> tuple[Values, NDArray[np.bool_]]:
    at, outside = _at(pixels, scale, offset, len(values))
    return values[np.clip(np.floor(at).astype(int), 0, len(values) - 1)], outside


_DOWN = {"bilinear": _straight, "bicubic": _curved, "cells": _stepped}
