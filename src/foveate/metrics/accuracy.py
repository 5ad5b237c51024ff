"""Accuracy at a threshold: the share of samples whose IoU reaches it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foveate.core.cards import MetricCard
from foveate.metrics._cases import Case, box_case
from foveate.metrics._overlaps import Columns, Values, means, measure

__all__ = ["CARD", "CASES", "measure", "reduce"]

CARD = MetricCard(
    name="accuracy",
    summary="Share of samples whose predicted region has an IoU of at least the threshold with its target.",
    shapes=("box", "polygon", "mask"),
    low=0.0,
    high=1.0,
    better="higher",
    states="anything but `ok` on a truth with a target counts 0; a truth without a target is left out",
    reference="Referring-expression practice (accuracy@0.5, precision@1): an IoU of exactly the threshold counts.",
    parameter="the least IoU that counts, above 0 and at most 1",
    default_parameter=0.5,
)

CASES = (
    # 50 shared of 100: exactly one half counts.
    Case("exactly at the threshold", [box_case((0, 0, 10, 10), (0, 0, 10, 5))], value=1.0, value_scored=1.0),
    Case("just below it", [box_case((0, 0, 10, 10), (0, 0, 10, 4.9))], value=0.0, value_scored=0.0),
    Case(
        "no region counts 0",
        [box_case((0, 0, 10, 10), (0, 0, 10, 10)), box_case(None, (0, 0, 4, 4))],
        value=0.5,
        value_scored=1.0,
    ),
)


def reduce(columns: Columns, weights: NDArray[np.float64], parameter: float | None = None) -> Values:
    """Returns `value`, `value_scored` and `n`, ``(B,)`` each, for weights ``(B, N)``; NaN where no sample counts.

    Raises:
        ValueError: The threshold is not above 0 and at most 1.
    """
    threshold = CARD.default_parameter if parameter is None else parameter
    if threshold is None or not 0.0 < threshold <= 1.0:
        raise ValueError(f"accuracy takes a threshold above 0 and at most 1, not {threshold}")
    hit = (columns["iou"] >= threshold).astype(np.float64)
    return means(hit, columns["grounded"], columns["scored"], weights)
