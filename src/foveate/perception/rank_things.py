"""How likely each box of the detector holds a thing of its kind: its score, its size and its neighbours, weighed.

The detector's score alone says how much a box looks like its kind. It says less about whether the box is the right one:
small boxes and very large ones are seldom right, a box inside a surer one of the same kind is a part of that thing, and
a place that looks like another kind too is doubtful. The weights of these five were fitted on photos of COCO by
`python benchmarks/rank_things.py`, which also tells what each is worth (design/pocket.md).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW, box_area
from foveate.core.overlap import box_iou, box_overlap
from foveate.perception.propose import Proposals

Chances = NDArray[np.float64]
Features = NDArray[np.float64]

FEATURES = ("log score", "log area", "(log area)²", "log of other kinds", "log of the same around it", "constant")
# In the order of FEATURES, for the sizes of `propose.SIDES`.
WEIGHTS = (1.244, 0.263, -0.067, -0.205, -0.065, 2.474)
# Fainter boxes of a kind are hardly ever right, and each costs time.
MOST_OF_A_KIND = 12
_LEAST = 1e-4


def chances(things: Proposals, size_hw: SizeHW) -> Chances:
    """Returns how likely each box overlaps a thing of its kind by an IoU of at least 0.5: ``float64 (N,)``, 0 to 1.

    It is 0 for all but the twelve best-scored boxes of each kind.

    Args:
        things: Of one photo, all kinds together, best first.
        size_hw: Of the photo.
    """
    chance = np.zeros(len(things))
    rows = best_of_each_kind(things)
    if rows.size:
        # A box of kind k is judged among all boxes of the photo, but only itself is returned.
        logit = features(things, size_hw, rows) @ np.array(WEIGHTS)
        chance[rows] = 1 / (1 + np.exp(-logit))
    return chance


def best_of_each_kind(things: Proposals) -> NDArray[np.int64]:
    """Returns the rows of the twelve best-scored boxes of each kind, in their order."""
    kept = [np.flatnonzero(things.kind == kind)[:MOST_OF_A_KIND] for kind in np.unique(things.kind)]
    return np.sort(np.concatenate(kept)) if kept else np.zeros(0, dtype=np.int64)


def features(things: Proposals, size_hw: SizeHW, rows: NDArray[np.int64]) -> Features:
    """Returns the numbers of `FEATURES` for some of the boxes: ``float64 (len(rows), 6)``.

    "Log of other kinds": the best score of a box of another kind at the same place, counted from an IoU of 0.3, and
    fully from 0.7. "Log of the same around it": the best product of the score of a larger box of the same kind and the
    share of this box that lies in it.
    """
    log_area = np.log(box_area(things.xyxy[rows]) / (size_hw[0] * size_hw[1]))
    columns = (
        _log(things.score[rows]),
        log_area,
        log_area**2,
        _log(_other_kinds(things, rows)),
        _log(_same_around(things, rows)),
        np.ones(len(rows)),
    )
    return np.stack(columns, axis=1)


def _other_kinds(things: Proposals, rows: NDArray[np.int64]) -> Chances:
    agreeing = np.clip((box_iou(things.xyxy[rows, None], things.xyxy, empty=0.0) - 0.3) / 0.4, 0, 1)
    other = things.kind[rows, None] != things.kind
    found: Chances = (agreeing * other * things.score).max(axis=1, initial=0.0)
    return found


def _same_around(things: Proposals, rows: NDArray[np.int64]) -> Chances:
    """Only the boxes in `rows` count as being around: a heap of faint ones says nothing."""
    boxes, kind, score = things.xyxy[rows], things.kind[rows], things.score[rows]
    area = box_area(boxes)
    shared, _ = box_overlap(boxes[:, None], boxes)
    around = (kind[:, None] == kind) & (area > area[:, None])
    found: Chances = (shared / area[:, None] * around * score).max(axis=1, initial=0.0)
    return found


def _log(values: Chances) -> Chances:
    return np.log(np.maximum(values, _LEAST))
