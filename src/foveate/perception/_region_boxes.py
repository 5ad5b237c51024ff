"""Which boxes of a photo stand for its things, known or not: a detector's, segments, and a coarse grid of boxes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import Boxes, SizeHW
from foveate.core.overlap import box_iou


@dataclass(frozen=True, eq=False)
class Candidates:
    """Boxes from one place: ``float64 (N, 4)``, scores ``(N,)`` that compare with those of others, and labels."""

    xyxy: Boxes
    score: NDArray[np.float64]
    labels: tuple[str, ...]


def grid_boxes(size_hw: SizeHW, levels: tuple[int, ...]) -> Boxes:
    """Returns boxes that cover a photo, coarse ones first: `n` by `n` of each level, half of each shared with the next.

    Example:
        >>> grid_boxes((90, 120), (1, 2)).tolist()[:2]
        [[0.0, 0.0, 120.0, 90.0], [0.0, 0.0, 80.0, 60.0]]
    """
    height, width = size_hw
    found = []
    for cells in levels:
        # Neighbours share half of a side: n boxes of a side 2 / (n + 1) reach from edge to edge.
        low = np.arange(cells) / (cells + 1)
        side = 2 / (cells + 1)
        y, x = np.meshgrid(low, low, indexing="ij")
        boxes = np.stack([x, y, x + side, y + side], axis=-1).reshape(-1, 4)
        found.append(np.minimum(boxes, 1.0) * [width, height, width, height])
    return np.concatenate(found)


def best_boxes(candidates: list[Candidates], most: int, same: float) -> Candidates:
    """Returns the best of all, best first; of boxes that overlap by an IoU of `same` the better one stays.

    A box that stays without a label takes that of the best labelled one that it stood for.
    """
    xyxy = np.concatenate([one.xyxy for one in candidates])
    score = np.concatenate([one.score for one in candidates])
    labels = [label for one in candidates for label in one.labels]
    rest = np.argsort(-score, kind="stable")
    kept: list[int] = []
    names: list[str] = []
    while rest.size and len(kept) < most:
        overlap = box_iou(xyxy[rest[0]], xyxy[rest], empty=0.0)
        group = rest[overlap >= same]
        kept.append(int(rest[0]))
        names.append(next((labels[row] for row in group if labels[row]), ""))
        rest = rest[1:][overlap[1:] < same]
    rows = np.array(kept, dtype=np.int64)
    return Candidates(xyxy[rows], score[rows], tuple(names))
