"""COCO's average precision over all photos, where samples of one score enter together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foveate.core.cards import MetricCard
from foveate.metrics._average_precision import measure, one_score, reduce_ranked, thresholds, why_not
from foveate.metrics._cases import Case, box_case
from foveate.metrics._overlaps import Columns, Values

__all__ = ["CARD", "CASES", "measure", "reduce", "remark", "why_not"]

CARD = MetricCard(
    name="coco_ap",
    summary="COCO's average precision over all photos by falling score; samples of one score enter together.",
    shapes=("box", "polygon", "mask"),
    low=0.0,
    high=1.0,
    better="higher",
    states=(
        "anything but `ok` on a truth with a target is a target not found; a region on a truth without a target is "
        "listed and hits nothing (not in value_scored)"
    ),
    reference=(
        "Lin and others: Microsoft COCO, ECCV 2014 (101 recalls, thresholds 0.50 to 0.95). Where no two scores are "
        "equal it is pycocotools' value; where some are, their order in the file does not matter, as it does there."
    ),
    parameter="the least IoU that counts, above 0 and at most 1; without it the mean over 0.50, 0.55, … 0.95",
)

_RIGHT = ((0.0, 0.0, 10.0, 10.0), (0.0, 0.0, 10.0, 10.0))
_WRONG = ((0.0, 0.0, 10.0, 10.0), (20.0, 0.0, 30.0, 10.0))

CASES = (
    Case("all right", [box_case(*_RIGHT, score=0.9), box_case(*_RIGHT, score=0.5)], 1.0, 1.0),
    # Precision 1 up to recall 1/2: at 0.00, 0.01, … 0.50, which are 51 of 101 recalls; 1/2 is never exceeded after.
    Case("sure where right", [box_case(*_RIGHT, score=0.9), box_case(*_WRONG, score=0.1)], 51 / 101, 51 / 101),
    # The first is a miss: precision 1/2 up to recall 1/2.
    Case("sure where wrong", [box_case(*_RIGHT, score=0.1), box_case(*_WRONG, score=0.9)], 51 / 202, 51 / 202),
    # Both enter together: precision 1/2 at recall 1/2, whichever comes first.
    Case("one score for both", [box_case(*_WRONG, score=0.5), box_case(*_RIGHT, score=0.5)], 51 / 202, 51 / 202),
    # A needless region first in the list: precision 1/2 at recall 1.
    Case("a needless region", [box_case((0, 0, 4, 4), None, score=0.9), box_case(*_RIGHT, score=0.1)], 0.5, 1.0),
    Case("no region", [box_case(None, (0, 0, 4, 4)), box_case(*_RIGHT)], 51 / 101, 1.0),
    Case("no target", [box_case((0, 0, 4, 4), None)], None, None),
)


def remark(columns: Columns) -> str | None:
    """Returns what a reader of the value must know: that there was nothing to rank by."""
    if not one_score(columns):
        return None
    return (
        "all regions have one score, so that average precision is nearly the square of the share of hits; "
        "image_ap needs no scores"
    )


def reduce(columns: Columns, weights: NDArray[np.float64], parameter: float | None = None) -> Values:
    """Returns `value`, `value_scored` and `n`, ``(B,)`` each, for weights ``(B, N)``; NaN without a target.

    Raises:
        ValueError: The threshold is not above 0 and at most 1.
    """
    return reduce_ranked(columns, weights, thresholds(CARD, parameter), tied=True)
