"""What is seen at each pixel: which solid, how deep, by which of its sides; exact at the pixel's middle.

The masks of the data set are these ids; supersampling, which makes edges smooth for the eye, never touches them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foveate.core.rle import MaskArray
from foveate.scenes.camera import Camera
from foveate.scenes.solids import Crossing, Floats, Solid, crossing

Ids = NDArray[np.int8]
FLOOR = -1
# Pixels added around a box that holds a solid, against rounding.
_SPARE = 2


@dataclass(frozen=True, slots=True)
class Sight:
    """What is seen at places of the picture; arrays of one shape.

    Attributes:
        solid: The number of the solid, or -1 for the floor.
        depth: Its depth, world units; infinite for the floor.
        side: Which of its sides (`Crossing`).
    """

    solid: Ids
    depth: Floats
    side: Ids


def look(camera: Camera, solids: Sequence[Solid]) -> tuple[Sight, tuple[int, ...]]:
    """Returns what is seen at the middle of each pixel ``(H, W)``, and how many pixels each solid would have alone."""
    height, width = camera.size_hw
    sight = _nothing((height, width))
    alone = []
    for number, solid in enumerate(solids):
        x0, y0, x1, y1 = camera.around(solid)
        rows = slice(max(math.floor(y0) - _SPARE, 0), min(math.ceil(y1) + _SPARE, height))
        columns = slice(max(math.floor(x0) - _SPARE, 0), min(math.ceil(x1) + _SPARE, width))
        y, x = np.mgrid[rows, columns] + 0.5
        found = _seen(camera, solid, x.ravel(), y.ravel())
        here = Sight(sight.solid[rows, columns], sight.depth[rows, columns], sight.side[rows, columns])
        _nearer(here, number, found, x.shape)
        alone.append(int(np.count_nonzero(np.isfinite(found.enter))))
    return sight, tuple(alone)


def look_at(camera: Camera, solids: Sequence[Solid], x: Floats, y: Floats) -> Sight:
    """Returns what is seen at any places of the picture, pixels ``(N,)``."""
    sight = _nothing(x.shape)
    for number, solid in enumerate(solids):
        x0, y0, x1, y1 = camera.around(solid)
        near = np.flatnonzero((x > x0 - _SPARE) & (x < x1 + _SPARE) & (y > y0 - _SPARE) & (y < y1 + _SPARE))
        here = Sight(sight.solid[near], sight.depth[near], sight.side[near])
        _nearer(here, number, _seen(camera, solid, x[near], y[near]), near.shape)
        sight.solid[near], sight.depth[near], sight.side[near] = here.solid, here.depth, here.side
    return sight


def masks(sight: Sight, count: int) -> tuple[MaskArray, ...]:
    """Returns the pixels in which each solid is seen, ``bool (H, W)`` each."""
    return tuple(sight.solid == number for number in range(count))


def edges(sight: Sight) -> MaskArray:
    """Returns the pixels beside which another thing, or another side of the same, is seen ``(H, W)``."""
    code = sight.solid.astype(np.int16) * 8 + sight.side
    found = np.zeros(code.shape, bool)
    across, down = code[:, 1:] != code[:, :-1], code[1:] != code[:-1]
    found[:, 1:] |= across
    found[:, :-1] |= across
    found[1:] |= down
    found[:-1] |= down
    return found


def _nothing(shape: tuple[int, ...]) -> Sight:
    return Sight(np.full(shape, FLOOR, np.int8), np.full(shape, np.inf), np.zeros(shape, np.int8))


def _seen(camera: Camera, solid: Solid, x: Floats, y: Floats) -> Crossing:
    place = np.array(camera.place).reshape(3, 1)
    return crossing(solid, place, camera.rays(x, y))


def _nearer(here: Sight, number: int, found: Crossing, shape: tuple[int, ...]) -> None:
    """Writes a solid where it is nearer than what was seen so far."""
    enter = found.enter.reshape(shape)
    nearer = enter < here.depth
    here.solid[nearer] = number
    here.depth[nearer] = enter[nearer]
    here.side[nearer] = found.side.reshape(shape)[nearer]
