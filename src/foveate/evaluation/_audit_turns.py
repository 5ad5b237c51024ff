"""A label as it would lie if it had been drawn on a photo that was turned or mirrored."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from foveate.core.boxes import SizeHW
from foveate.core.polygons import Corners, clip_corners
from foveate.core.regions import Box, Polygon
from foveate.core.rle import Rle, decode, encode, from_runs
from foveate.core.truths import TargetShape

Turn = Callable[[Corners], Corners]


def _turn(swap: bool, x: bool, y: bool) -> Turn:
    """Returns a symmetry of the unit square: the axes swapped, then turned over."""

    def turned(points: Corners) -> Corners:
        found = points[:, ::-1] if swap else points
        return np.where([x, y], 1.0 - found, found)

    return turned


# What was done to it in the photo's own shares; each is undone by trying all.
TURNS: Mapping[str, Turn] = {
    "turned by 180 degrees": _turn(False, True, True),
    "mirrored left to right": _turn(False, True, False),
    "mirrored top to bottom": _turn(False, False, True),
    "turned by 90 degrees": _turn(True, True, False),
    "turned by 270 degrees": _turn(True, False, True),
    "transposed": _turn(True, False, False),
    "transposed and turned": _turn(True, True, True),
}


def turned_label(shape: TargetShape, size_hw: SizeHW, turn: Turn) -> Rle:
    """Returns the mask of a label after a turn, stretched to the photo where its sides are swapped."""
    height, width = size_hw
    scale = np.array([width, height], dtype=np.float64)
    if isinstance(shape, Box | Polygon):
        parts = shape.parts if isinstance(shape, Polygon) else (_corners(shape),)
        moved = tuple(
            tuple((x, y) for x, y in clip_corners(turn(np.array(part) / scale) * scale, size_hw).tolist())
            for part in parts
        )
        try:
            return Polygon(moved).rle(size_hw)
        except ValueError:  # Rounding may flatten a sliver.
            return from_runs([height * width], size_hw)
    return _turned_mask(shape.rle(size_hw), turn)


def _corners(box: Box) -> tuple[tuple[float, float], ...]:
    x0, y0, x1, y1 = box.xyxy
    return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


def _turned_mask(rle: Rle, turn: Turn) -> Rle:
    """Returns a mask after a turn: each pixel is that at the place its middle comes from, by the turn's inverse."""
    height, width = rle.size_hw
    unit = turn(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
    swapped = unit[1, 0] == unit[0, 0]
    bits = decode(rle)
    if swapped:
        # Row by row of the photo the column it comes from, and the other way round.
        columns = ((np.arange(height) + 0.5) * width / height).astype(int)
        rows = ((np.arange(width) + 0.5) * height / width).astype(int)
        bits = bits.T[np.ix_(columns, rows)]
    if unit[0, 0] == 1:
        bits = bits[:, ::-1]
    if unit[0, 1] == 1:
        bits = bits[::-1]
    return encode(bits)
