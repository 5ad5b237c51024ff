"""Mean IoU: the mean over samples of the IoU of one predicted region with its target."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foveate.core.cards import MetricCard
from foveate.metrics._cases import Case, box_case
from foveate.metrics._overlaps import Columns, Values, means, measure

__all__ = ["CARD", "CASES", "measure", "reduce"]

CARD = MetricCard(
    name="mean_iou",
    summary="Mean over samples of the IoU of the predicted region with its target (the cup's AIoU).",
    shapes=("box", "polygon", "mask"),
    low=0.0,
    high=1.0,
    better="higher",
    states="anything but `ok` on a truth with a target counts 0; a truth without a target is left out",
    reference=(
        "WSDM Cup 2023: Toloka VQA challenge (AIoU); Chen, Anjum, Gurari, CVPR 2022, section 4. "
        "Two empty shapes (not possible for valid boxes) have IoU 0."
    ),
)

CASES = (
    Case("the same box", [box_case((0, 0, 10, 10), (0, 0, 10, 10))], value=1.0, value_scored=1.0),
    Case("boxes that touch", [box_case((0, 0, 10, 10), (10, 0, 20, 10))], value=0.0, value_scored=0.0),
    # 25 shared, 100 + 100 - 25 together.
    Case("a quarter shared", [box_case((0, 0, 10, 10), (5, 5, 15, 15))], value=1 / 7, value_scored=1 / 7),
    Case(
        "no region counts 0",
        [box_case((0, 0, 10, 10), (0, 0, 10, 10)), box_case(None, (0, 0, 4, 4))],
        value=0.5,
        value_scored=1.0,
    ),
    Case(
        "no target is left out",
        [box_case((0, 0, 10, 10), (0, 0, 10, 20)), box_case((0, 0, 4, 4), None)],
        value=0.5,
        value_scored=0.5,
    ),
)


def reduce(columns: Columns, weights: NDArray[np.float64], parameter: float | None = None) -> Values:
    """Returns `value`, `value_scored` and `n`, ``(B,)`` each, for weights ``(B, N)``; NaN where no sample counts."""
    return means(columns["iou"], columns["grounded"], columns["scored"], weights)
