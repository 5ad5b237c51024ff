"""Per-image average precision: COCO's protocol on each photo alone, then the mean; no order, no scores."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foveate.core.cards import MetricCard
from foveate.metrics._average_precision import thresholds
from foveate.metrics._cases import Case, box_case
from foveate.metrics._overlaps import Columns, Values, means, measure

__all__ = ["CARD", "CASES", "measure", "reduce"]

CARD = MetricCard(
    name="image_ap",
    summary="Average precision of each photo alone, then the mean: with one region and one target, 1 for a hit.",
    shapes=("box", "polygon", "mask"),
    low=0.0,
    high=1.0,
    better="higher",
    states="anything but `ok` on a truth with a target counts 0; a truth without a target is left out",
    reference=(
        "Average precision of a list of one (precision@1), averaged over photos: `accuracy@t` at each threshold. "
        "Neither scores nor the order of photos matter; `coco_ap` and `pycocotools_ap` pool all photos instead."
    ),
    parameter="the least IoU that counts, above 0 and at most 1; without it the mean over 0.50, 0.55, … 0.95",
)

CASES = (
    # An IoU of 0.72 reaches 0.50, 0.55, 0.60, 0.65 and 0.70 of the ten thresholds.
    Case("five of ten thresholds", [box_case((0, 0, 10, 10), (0, 0, 10, 7.2))], value=0.5, value_scored=0.5),
    Case(
        "no region counts 0",
        [box_case((0, 0, 10, 10), (0, 0, 10, 10)), box_case(None, (0, 0, 4, 4))],
        value=0.5,
        value_scored=1.0,
    ),
    Case(
        "a region without a target is left out",
        [box_case((0, 0, 10, 10), (0, 0, 10, 10)), box_case((0, 0, 4, 4), None)],
        value=1.0,
        value_scored=1.0,
    ),
)


def reduce(columns: Columns, weights: NDArray[np.float64], parameter: float | None = None) -> Values:
    """Returns `value`, `value_scored` and `n`, ``(B,)`` each, for weights ``(B, N)``; NaN where no sample counts.

    Raises:
        ValueError: The threshold is not above 0 and at most 1.
    """
    hits = [columns["iou"] >= threshold for threshold in thresholds(CARD, parameter)]
    return means(np.mean(hits, axis=0), columns["grounded"], columns["scored"], weights)
