"""The one box, in shares of the photo, that overlaps the targets best on average: the strongest prior of its kind.

The search is documented rather than exact, since the mean of many overlaps has more than one peak: all boxes with
edges on a grid of 16 x 16 are measured; from the best five, every edge is moved by a step either way or not at all (81
boxes at a time) until none is better, with steps that halve. Targets that are one box a sample are compared as boxes,
with no pixel in between, down to 1/1024 of a side; others as masks on the grid of the prior, whose cells are the
smallest step. It can miss the best a little: of 121 random sets of five boxes it was once below a box of another grid,
by .0003 (a case of the tests).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from foveate.analysis.columns import Columns
from foveate.core.overlap import box_iou, over_union
from foveate.core.regions import Box, Sides
from foveate.datasets._open import Dataset

COARSE, STARTS = 16, 5
_FINEST = 1 / 1024
# Shares of a cell are kept in this many parts (`foveate.analysis.priors`).
_PARTS = 255
_CHUNK = 2**22

Boxes = NDArray[np.float64]
Means = Callable[[Boxes], NDArray[np.float64]]


@dataclass(frozen=True)
class BestBox:
    """The box that was found.

    Attributes:
        xyxy: Its sides, as shares of width and height.
        value: Its mean IoU with the targets that it was chosen by.
    """

    xyxy: Sides
    value: float


def best_box(data: Dataset, columns: Columns, found: NDArray[np.uint8]) -> BestBox:
    """Returns the best box.

    Args:
        data: The data set.
        columns: Of the same; at least one row.
        found: The targets on the grid of the prior, ``uint8 (N, h, w)``, in 255ths, whose side 16 divides.
    """
    boxes = _boxes(data, columns)
    if boxes is not None:
        return searched(means_of_boxes(boxes), _FINEST)
    return searched(means_of_grids(found), 1 / found.shape[1])


def searched(means: Means, finest: float) -> BestBox:
    """Returns the best box of a search from coarse to fine.

    Args:
        means: Gives the mean overlap of each box ``(M, 4)``.
        finest: The smallest step.
    """
    edges = min(COARSE, round(1 / finest))
    coarse = _all_boxes(edges)
    first = means(coarse)
    starts = coarse[np.argsort(-first, kind="stable")[:STARTS]]
    climbed = [_climbed(means, start, 1 / edges, finest) for start in starts]
    box, value = max(climbed, key=lambda one: one[1])
    x0, y0, x1, y1 = box.tolist()
    return BestBox((x0, y0, x1, y1), value)


def means_of_boxes(targets: Boxes) -> Means:
    """Returns what measures boxes against targets that are boxes, all in shares ``(N, 4)``."""

    def means(boxes: Boxes) -> NDArray[np.float64]:
        rows = max(1, _CHUNK // len(targets))
        parts = [
            box_iou(boxes[at : at + rows, None], targets[None], empty=0.0).mean(axis=1)
            for at in range(0, len(boxes), rows)
        ]
        return np.concatenate(parts)

    return means


def means_of_grids(found: NDArray[np.uint8]) -> Means:
    """Returns what measures boxes with edges between cells against targets on a grid ``(N, h, w)``, in 255ths."""
    n, height, width = found.shape
    scale = np.array([width, height, width, height])

    def means(boxes: Boxes) -> NDArray[np.float64]:
        edges = np.rint(boxes * scale).astype(np.int64)
        x0, y0, x1, y1 = edges.T
        areas = _PARTS * ((x1 - x0) * (y1 - y0)).astype(np.float64)
        total = np.zeros(len(boxes))
        rows = max(1, _CHUNK // len(boxes))
        for at in range(0, n, rows):
            sums = _summed(found[at : at + rows])
            inside = sums[:, y1, x1] - sums[:, y0, x1] - sums[:, y1, x0] + sums[:, y0, x0]
            union = areas + sums[:, -1, -1][:, None] - inside
            total += over_union(inside.astype(np.float64), union, empty=0.0).sum(axis=0)
        return np.asarray(total / n)

    return means


def _summed(found: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Returns the sums of all cells above and to the left of each corner ``(n, h + 1, w + 1)``."""
    sums = found.cumsum(axis=1, dtype=np.int64).cumsum(axis=2)
    return np.pad(sums, ((0, 0), (1, 0), (1, 0)))


def _all_boxes(edges: int) -> Boxes:
    pairs = [(low, high) for low in range(edges) for high in range(low + 1, edges + 1)]
    return np.array([(x0, y0, x1, y1) for (y0, y1), (x0, x1) in product(pairs, pairs)]) / edges


def _climbed(means: Means, box: Boxes, step: float, finest: float) -> tuple[Boxes, float]:
    moves = np.array(list(product((0, -1, 1), repeat=4)), dtype=np.float64)
    value = float(means(box[None])[0])
    while step >= finest:
        near = box + moves * step
        inside = (near >= 0).all(axis=1) & (near <= 1).all(axis=1)
        near = near[inside & (near[:, 2] - near[:, 0] >= finest) & (near[:, 3] - near[:, 1] >= finest)]
        there = means(near)
        best = int(there.argmax())
        if there[best] > value:
            box, value = near[best], float(there[best])
        else:
            step /= 2
    return box, value


def _boxes(data: Dataset, columns: Columns) -> Boxes | None:
    """Returns the targets in shares, where each sample has one box; else None."""
    rows = {name: row for row, name in enumerate(columns.ids)}
    boxes = np.zeros((len(columns), 4))
    for truth in data.truths():
        row = rows.get(truth.id)
        if row is None:
            continue
        shape = truth.targets[0].shape
        if len(truth.targets) > 1 or not isinstance(shape, Box):
            return None
        boxes[row] = shape.xyxy
    height, width = columns.size_hw.T
    return np.asarray(boxes / np.stack([width, height, width, height], axis=1))
