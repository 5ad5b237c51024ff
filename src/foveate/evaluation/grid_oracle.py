"""What the grid of an attention map allows: the region of whole cells that fits a target best, the target known."""

from __future__ import annotations

import numpy as np

from foveate.core.boxes import SizeHW
from foveate.core.regions import Mask
from foveate.core.rle import decode, encode
from foveate.core.soft_maps import SoftMap
from foveate.core.truths import TargetShape


def best_cells(soft: SoftMap, shape: TargetShape, size_hw: SizeHW) -> Mask | None:
    """Returns the cells of a map's grid whose union has the highest IoU with a target; None where no cell has a part.

    Cells are taken in the order of the share of each that the target covers. No other choice is better: if v is the
    highest IoU, a cell is worth taking exactly where its covered part is more than v times the rest of it.

    Args:
        soft: Its grid; the values do not matter.
        shape: The target, compared by its pixels.
        size_hw: Of the photo.
    """
    inside = decode(shape.rle(size_hw))
    cells, count = _cell_of_each_pixel(soft, size_hw)
    # Pixels beside the grid are in no cell, and come last.
    total = np.bincount(cells.ravel(), minlength=count + 1)[:count]
    covered = np.bincount(cells[inside], minlength=count + 1)[:count]
    order = np.argsort(-covered / np.maximum(total, 1), kind="stable")
    order = order[covered[order] > 0]
    if not order.size:
        return None
    shared, taken = covered[order].cumsum(), total[order].cumsum()
    best = int(np.argmax(shared / (taken + inside.sum() - shared)))
    chosen = np.zeros(count + 1, dtype=np.bool_)
    chosen[order[: best + 1]] = True
    return Mask(encode(chosen[cells]))


def _cell_of_each_pixel(soft: SoftMap, size_hw: SizeHW) -> tuple[np.ndarray[tuple[int, int], np.dtype[np.int64]], int]:
    rows, columns = soft.values.shape
    scale_x, scale_y, offset_x, offset_y = soft.affine
    across = np.floor((np.arange(size_hw[1]) + 0.5 - offset_x) / scale_x).astype(np.int64)
    down = np.floor((np.arange(size_hw[0]) + 0.5 - offset_y) / scale_y).astype(np.int64)
    cells = down[:, None] * columns + across[None]
    outside = ((down < 0) | (down >= rows))[:, None] | ((across < 0) | (across >= columns))[None]
    return np.where(outside, rows * columns, cells), rows * columns
