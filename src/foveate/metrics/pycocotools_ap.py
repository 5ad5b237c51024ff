"""Average precision to the digit of pycocotools, for comparison with published tables."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foveate.core.cards import MetricCard
from foveate.metrics._average_precision import measure, one_score, reduce_ranked, thresholds, why_not
from foveate.metrics._cases import Case, box_case
from foveate.metrics._overlaps import Columns, Values

__all__ = ["CARD", "CASES", "measure", "reduce", "remark", "why_not"]

CARD = MetricCard(
    name="pycocotools_ap",
    summary="The value of pycocotools: samples of one score are ranked in the order of the data set.",
    shapes=("box", "polygon", "mask"),
    low=0.0,
    high=1.0,
    better="higher",
    states=(
        "anything but `ok` on a truth with a target is a target not found; a region on a truth without a target is "
        "listed and hits nothing (not in value_scored)"
    ),
    reference=(
        "pycocotools 2.0.11, `cocoeval.py`, one category, all areas, ids from 1 in the order of the data set. "
        "Another order of the photos gives another value where scores are equal: of all-equal scores the hits first "
        "give nearly the share of hits, the hits last half of it. Prefer `coco_ap`."
    ),
    parameter="the least IoU that counts, above 0 and at most 1; without it the mean over 0.50, 0.55, … 0.95",
    by_order=True,
)

_RIGHT = ((0.0, 0.0, 10.0, 10.0), (0.0, 0.0, 10.0, 10.0))
_WRONG = ((0.0, 0.0, 10.0, 10.0), (20.0, 0.0, 30.0, 10.0))

CASES = (
    # As `coco_ap` where scores differ.
    Case("sure where right", [box_case(*_WRONG, score=0.1), box_case(*_RIGHT, score=0.9)], 51 / 101, 51 / 101),
    # One score: the order decides. Precision 1 at recall 1/2, or 1/2.
    Case("the hit first", [box_case(*_RIGHT, score=0.5), box_case(*_WRONG, score=0.5)], 51 / 101, 51 / 101),
    Case("the hit last", [box_case(*_WRONG, score=0.5), box_case(*_RIGHT, score=0.5)], 51 / 202, 51 / 202),
    Case("a needless region", [box_case((0, 0, 4, 4), None, score=0.9), box_case(*_RIGHT, score=0.1)], 0.5, 1.0),
    Case("no target", [box_case((0, 0, 4, 4), None)], None, None),
)


def remark(columns: Columns) -> str | None:
    """Returns what a reader of the value must know: that the order of the photos made it."""
    if not one_score(columns):
        return None
    return (
        "all regions have one score, so that the order of the photos decides the value; "
        "coco_ap does not depend on it, image_ap needs no scores"
    )


def reduce(columns: Columns, weights: NDArray[np.float64], parameter: float | None = None) -> Values:
    """Returns `value`, `value_scored` and `n`, ``(B,)`` each, for weights ``(B, N)``; NaN without a target.

    Raises:
        ValueError: The threshold is not above 0 and at most 1.
    """
    return reduce_ranked(columns, weights, thresholds(CARD, parameter), tied=False)
