"""Masks of photos of different sizes on one grid, so that any two can be compared.

A cell has what the pixel under its centre has. In the frame `unit` the grid is stretched over each photo; in `pixels`
one grid, as wide and high as the longest side of all photos, lies at the upper left corner of each.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from foveate.core.rle import Rle, runs_of
from foveate.quality.regions import Frame

# Cells along a side. Beside all pixels, the expected distance of masks is right to a thousandth (design/agreement.md).
GRID = 128
_WORD = 64


def packed(masks: Sequence[Rle], frame: Frame, side: int = GRID) -> NDArray[np.uint64]:
    """Returns masks on a grid of `side` by `side` cells, ``uint64 (N, side² / 64)``.

    A mask so thin that it is under no centre has the cell of one of its pixels; one without a pixel has no cell.
    """
    longest = max((max(mask.size_hw) for mask in masks), default=1)
    words = np.zeros((len(masks), side * side // _WORD), dtype=np.uint64)
    for row, mask in enumerate(masks):
        high, wide = (length if frame == "unit" else longest for length in mask.size_hw)
        words[row] = np.packbits(_cells(mask, high / side, wide / side, side)).view(np.uint64)
    return words


def _cells(mask: Rle, down: float, across: float, side: int) -> NDArray[np.bool_]:
    """Returns the cells, column after column, each `down` by `across` pixels."""
    height, width = mask.size_hw
    ends = np.cumsum(runs_of(mask))
    centres = np.arange(side) + 0.5
    rows, columns = (centres * down).astype(np.int64), (centres * across).astype(np.int64)
    there = (columns < width)[:, None] & (rows < height)
    # Runs begin with one of outside: behind an odd number of ends is inside.
    places = columns[:, None] * height + rows
    cells = np.asarray((np.searchsorted(ends, places, side="right") % 2 == 1) & there)
    if len(ends) > 1 and not cells.any():
        x, y = divmod(int(ends[0]), height)
        cells[min(int(x / across), side - 1), min(int(y / down), side - 1)] = True
    return cells.ravel()
