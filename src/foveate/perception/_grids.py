"""Grids over a photo: how much of each cell a box covers, reading a grid between its cells, drawing it to edges."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import Boxes, SizeHW
from foveate.core.cubic import cubic_weights

Plane = NDArray[np.float64]
# Edges are looked for at no finer grain, within half a cell's width.
_EDGES_SIDE = 256
_EDGES_REACH = 0.5
_EDGES_SMOOTH = 1e-3


class Window(NamedTuple):
    """Whole pixels ``x0 <= x < x1``, ``y0 <= y < y1``, at least one."""

    x0: int
    y0: int
    x1: int
    y1: int

    @property
    def size_hw(self) -> SizeHW:
        """How many rows and columns of pixels."""
        return self.y1 - self.y0, self.x1 - self.x0

    def grown(self, by: int, size_hw: SizeHW) -> Window:
        """Returns it with a margin on each side, as far as the photo reaches."""
        height, width = size_hw
        return Window(max(self.x0 - by, 0), max(self.y0 - by, 0), min(self.x1 + by, width), min(self.y1 + by, height))


def pixels_of(box: Boxes, size_hw: SizeHW) -> Window:
    """Returns the pixels whose centres lie in a box inside the photo; the one in its middle where there is none."""
    middle = np.minimum(np.floor((box[:2] + box[2:]) / 2), np.array(size_hw[::-1]) - 1)
    low, high = np.ceil(box[:2] - 0.5), np.ceil(box[2:] - 0.5)
    low, high = np.where(high > low, low, middle), np.where(high > low, high, middle + 1)
    return Window(int(low[0]), int(low[1]), int(high[0]), int(high[1]))


def cover(box: Boxes, size_hw: SizeHW, grid_hw: SizeHW) -> Plane:
    """Returns the share of each cell ``(h, w)`` that lies in a box.

    Example:
        >>> cover(np.array([0.0, 0.0, 3.0, 2.0]), (4, 4), (2, 2)).tolist()
        [[1.0, 0.5], [0.0, 0.0]]
    """
    (height, width), (rows, columns) = size_hw, grid_hw
    x0, y0, x1, y1 = (box / [width, height, width, height] * [columns, rows, columns, rows]).tolist()
    return np.asarray(np.outer(_covered(y0, y1, rows), _covered(x0, x1, columns)), dtype=np.float64)


def read(grid: Plane, size_hw: SizeHW, window: Window, target_hw: SizeHW | None = None) -> Plane:
    """Returns a grid over the photo, read bicubically at the pixels of a window, or at `target_hw` points over it."""
    rows, columns = target_hw or window.size_hw
    y = window.y0 + (np.arange(rows) + 0.5) * window.size_hw[0] / rows
    x = window.x0 + (np.arange(columns) + 0.5) * window.size_hw[1] / columns
    down = cubic_weights(y * grid.shape[0] / size_hw[0], grid.shape[0])
    across = cubic_weights(x * grid.shape[1] / size_hw[1], grid.shape[1])
    return np.asarray(down @ grid @ across.T, dtype=np.float64)


def read_at_edges(grid: Plane, image: NDArray[np.uint8], window: Window) -> Plane:
    """Returns a grid over the photo at the pixels of a window, drawn to the photo's edges.

    References:
        He, Sun, Tang: Guided image filtering, ECCV 2010, section 3.5 (a guide in colours).
    """
    import cv2

    size_hw = (image.shape[0], image.shape[1])
    cell = max(size_hw[0] / grid.shape[0], size_hw[1] / grid.shape[1])
    wide = window.grown(round(cell), size_hw)
    rows, columns = wide.size_hw
    scale = min(1.0, _EDGES_SIDE / max(rows, columns))
    small_hw = (max(1, round(rows * scale)), max(1, round(columns * scale)))
    part = cv2.resize(image[wide.y0 : wide.y1, wide.x0 : wide.x1], small_hw[::-1], interpolation=cv2.INTER_AREA)
    values = np.clip(read(grid, size_hw, wide, small_hw), -1, 1)
    drawn = _guided(np.asarray(part, dtype=np.float64) / 255, values, max(1, round(_EDGES_REACH * cell * scale)))
    full = np.asarray(cv2.resize(drawn, (columns, rows), interpolation=cv2.INTER_LINEAR), dtype=np.float64)
    return full[window.y0 - wide.y0 : window.y1 - wide.y0, window.x0 - wide.x0 : window.x1 - wide.x0]


def _covered(low: float, high: float, cells: int) -> Plane:
    at = np.arange(cells)
    return np.asarray(np.clip(np.minimum(at + 1, high) - np.maximum(at, low), 0, 1), dtype=np.float64)


def _guided(guide: Plane, values: Plane, radius: int) -> Plane:
    """Returns values as, around each place, the linear function of its colour ``(h, w, 3)`` that fits them best."""
    colour, value = _mean(guide, radius), _mean(values, radius)
    products = np.einsum("hwi,hwj->hwij", guide, guide).reshape(*values.shape, 9)
    spread = np.stack([_mean(np.ascontiguousarray(products[:, :, at]), radius) for at in range(9)], axis=2)
    spread = spread.reshape(*values.shape, 3, 3) - np.einsum("hwi,hwj->hwij", colour, colour)
    shared = _mean(guide * values[:, :, None], radius) - colour * value[:, :, None]
    slope = np.linalg.solve(spread + _EDGES_SMOOTH * np.eye(3), shared[..., None])[..., 0]
    level = value - (slope * colour).sum(axis=2)
    return np.asarray((_mean(slope, radius) * guide).sum(axis=2) + _mean(level, radius), dtype=np.float64)


def _mean(plane: Plane, radius: int) -> Plane:
    import cv2

    side = 2 * radius + 1
    return np.asarray(cv2.blur(plane, (side, side), borderType=cv2.BORDER_REFLECT), dtype=np.float64)
