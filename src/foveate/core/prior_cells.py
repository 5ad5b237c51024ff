"""A prior on a photo: cells of a grid of shares of the photo's height and width, as the pixels under them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.core.rle import Rle, decode, encode

Sums = NDArray[np.int64]

# A mean of masks that differ is one half nowhere, so that a fixed threshold would leave most groups without a region.
SHARE_OF_PEAK = 0.4
# An edge that passes a pixel's centre leaves the pixel to the cell behind it.
_HALF_DOWN = 1e-9


def chosen_cells(mean: NDArray[np.floating], share: float = SHARE_OF_PEAK) -> NDArray[np.bool_]:
    """Returns the cells of at least a share of the highest value; all of them where nothing is known."""
    return np.asarray(mean >= share * mean.max())


def on_photo(cells: NDArray[np.bool_], size_hw: SizeHW) -> Rle:
    """Returns the pixels whose centre lies in a chosen cell of the grid."""
    down, across = (np.diff(_edges(side, count)) for side, count in zip(size_hw, cells.shape, strict=True))
    # Column after column, as masks are encoded; else all of it would be turned round for that.
    return encode(cells.T.repeat(down, axis=1).repeat(across, axis=0).T)


def cells_of(region: Rle, grid: int) -> tuple[Sums, Sums]:
    """Returns how many pixels of a region, and how many pixels at all, have their centre in each cell.

    Returns:
        Both ``int64 (grid, grid)``; their sums over chosen cells are intersection and area of `on_photo` of these.

    Example:
        >>> from foveate.core.masks import box_to_rle
        >>> [counts.tolist() for counts in cells_of(box_to_rle((0, 0, 3, 4), (4, 8)), 2)]
        [[[6, 0], [6, 0]], [[8, 8], [8, 8]]]
    """
    rows, columns = (_edges(side, grid) for side in region.size_hw)
    # Column after column, as masks are decoded: sums along what lies side by side in memory are quick.
    by_rows = _summed_between(decode(region).T.view(np.uint8), rows, axis=1)
    inside = _summed_between(by_rows, columns, axis=0).T
    return inside, np.outer(np.diff(rows), np.diff(columns))


def _edges(side: int, count: int) -> Sums:
    """Returns where each of so many equal cells begins on a side, in whole pixels, and where the last one ends."""
    return np.rint(np.arange(count + 1) * side / count - _HALF_DOWN).astype(np.int64)


def _summed_between(values: NDArray[np.integer], edges: Sums, axis: int) -> Sums:
    """Returns the sums from each edge to the next; a cell thinner than a pixel may have none."""
    there = np.flatnonzero(np.diff(edges))
    shape = list(values.shape)
    shape[axis] = len(edges) - 1
    sums = np.zeros(shape, dtype=np.int64)
    at = (slice(None),) * axis + (there,)
    sums[at] = np.add.reduceat(values, edges[there], axis=axis, dtype=np.int64)
    return sums
