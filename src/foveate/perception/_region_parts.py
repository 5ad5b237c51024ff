"""Places in a photo that differ from what is around them, whatever they are: of one brightness or colour, or tokens."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import Boxes, SizeHW, box_area, xywh_to_xyxy

# Longer sides are made smaller: what is left out is below what a token sees.
SIDE = 480
# Of the smaller picture, in pixels and as a share.
_LEAST, _LARGEST = 60, 0.5
_STEP, _UNSTEADY = 5, 0.25
# How far the surroundings of a box reach, in its own half sides.
_AROUND = 0.5


def even_parts(image: NDArray[np.uint8]) -> Boxes:
    """Returns boxes ``(N, 4)`` around parts that keep their shape over many thresholds of one channel.

    The channels are lightness, the two of colour (CIE Lab) and saturation.

    Args:
        image: ``uint8 (H, W, 3)``, RGB, upright.

    References:
        Matas et al.: Robust wide baseline stereo from maximally stable extremal regions, BMVC 2002; OpenCV's `MSER`.
    """
    import cv2

    height, width = image.shape[:2]
    shrink = min(1.0, SIDE / max(height, width))
    small_wh = (max(1, round(width * shrink)), max(1, round(height * shrink)))
    if min(small_wh) < 3:
        return np.zeros((0, 4))
    small = cv2.resize(image, small_wh, interpolation=cv2.INTER_AREA)
    lab, hsv = cv2.cvtColor(small, cv2.COLOR_RGB2LAB), cv2.cvtColor(small, cv2.COLOR_RGB2HSV)
    most = max(_LEAST + 1, int(small_wh[0] * small_wh[1] * _LARGEST))
    found = [np.zeros((0, 4))]
    for channel in (lab[..., 0], lab[..., 1], lab[..., 2], hsv[..., 1]):
        seeker = cv2.MSER_create(  # type: ignore[attr-defined]
            delta=_STEP, min_area=_LEAST, max_area=most, max_variation=_UNSTEADY
        )
        _, boxes = seeker.detectRegions(np.ascontiguousarray(channel))
        found.append(np.asarray(boxes, dtype=np.float64).reshape(-1, 4))
    scale = np.array([width / small_wh[0], height / small_wh[1]] * 2)
    return np.asarray(xywh_to_xyxy(np.concatenate(found)) * scale)


def standing_out(tokens: NDArray[np.float32], xyxy: Boxes, size_hw: SizeHW) -> NDArray[np.float64]:
    """Returns how far boxes differ from what is around them ``(N,)``, 0 to 1: by the angle between mean tokens.

    Args:
        tokens: ``(h, w, D)``, over the photo from edge to edge.
        xyxy: ``(N, 4)``.
        size_hw: Of the photo.
    """
    directed = _unit(tokens.astype(np.float64))
    directed = _unit(directed - directed.mean(axis=(0, 1)))
    inside, around = box_and_ring(directed, xyxy, size_hw)
    return np.asarray((1 - (_unit(inside) * _unit(around)).sum(axis=1)) / 2)


def box_and_ring(tokens: NDArray[np.float64], xyxy: Boxes, size_hw: SizeHW) -> tuple[NDArray[np.float64], ...]:
    """Returns the mean token inside each box ``(N, D)``, and in the ring around it; noughts where there is no ring.

    A token counts by the share of its cell that lies inside.
    """
    height, width = size_hw
    middle, half = (xyxy[:, :2] + xyxy[:, 2:]) / 2, (xyxy[:, 2:] - xyxy[:, :2]) / 2 * (1 + _AROUND)
    wide = np.clip(np.concatenate([middle - half, middle + half], axis=1), 0, [width, height, width, height])
    sums = _Sums(tokens, size_hw)
    inside, outer = sums(xyxy), sums(wide)
    cell = height * width / (tokens.shape[0] * tokens.shape[1])
    area, whole = box_area(xyxy)[:, None] / cell, box_area(wide)[:, None] / cell
    ring = whole - area
    there = ring > 1e-9 * whole
    return inside / area, np.where(there, (outer - inside) / np.where(there, ring, 1.0), 0.0)


class _Sums:
    """Sums of a grid's vectors over boxes, in time that does not grow with them (a table of sums from the corner)."""

    def __init__(self, grid: NDArray[np.float64], size_hw: SizeHW) -> None:
        rows, columns, width = grid.shape
        self._table = np.zeros((rows + 1, columns + 1, width))
        self._table[1:, 1:] = grid.cumsum(axis=0).cumsum(axis=1)
        self._scale = np.array([columns / size_hw[1], rows / size_hw[0]] * 2)

    def __call__(self, xyxy: Boxes) -> NDArray[np.float64]:
        x0, y0, x1, y1 = (xyxy * self._scale).T
        return np.asarray(self._at(y1, x1) - self._at(y0, x1) - self._at(y1, x0) + self._at(y0, x0))

    def _at(self, y: NDArray[np.float64], x: NDArray[np.float64]) -> NDArray[np.float64]:
        """Returns the table between its corners; within a cell a sum grows evenly, so this is exact."""
        last = np.array(self._table.shape[:2]) - 2
        row, column = (np.clip(np.floor(at).astype(int), 0, end) for at, end in zip((y, x), last, strict=True))
        down, across = (y - row)[:, None], (x - column)[:, None]
        above = self._table[row, column] * (1 - across) + self._table[row, column + 1] * across
        below = self._table[row + 1, column] * (1 - across) + self._table[row + 1, column + 1] * across
        return np.asarray(above * (1 - down) + below * down)


def _unit(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9))
