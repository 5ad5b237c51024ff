"""Mean IoU of the samples whose answer enough people gave: `mean_iou_correct` with VQA accuracy as the judge."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foveate.core.cards import MetricCard
from foveate.metrics._answers import measure_both as measure
from foveate.metrics._answers import reduce_correct, why_not_correct
from foveate.metrics._cases import Case, box_case
from foveate.metrics._overlaps import Columns, Values

__all__ = ["CARD", "CASES", "measure", "reduce", "why_not"]

CARD = MetricCard(
    name="mean_iou_correct_vqa",
    summary="Mean IoU over the samples with a target whose answer has a VQA accuracy of at least the threshold.",
    shapes=("box", "polygon", "mask"),
    low=0.0,
    high=1.0,
    better="higher",
    states=(
        "of the correctly answered, anything but `ok` on a truth with a target counts 0; a truth without a target or "
        "with fewer than four answers and a sample not answered correctly are left out"
    ),
    reference=(
        "Chen, Anjum, Gurari, CVPR 2022, Table 3, which does not say when an answer is correct: here by `vqa_accuracy`."
    ),
    parameter="the least VQA accuracy of a correct answer, above 0 and at most 1",
    default_parameter=0.5,
)

# VQA accuracy 0.3 for "blue", 0.6 for "pink", 1 for "red" (the derivation is with `vqa_accuracy`).
PEOPLE = ("blue", "pink", "pink", "red", "red", "red", "red", "red", "red", "red")

CASES = (
    # 1/2 and 1; the third answer is not correct.
    Case(
        "two people of ten are enough, one is not",
        [
            box_case((0, 0, 10, 5), (0, 0, 10, 10), answer="pink", answers=PEOPLE),
            box_case((0, 0, 10, 10), (0, 0, 10, 10), answer="red", answers=PEOPLE),
            box_case((0, 0, 10, 10), (0, 0, 10, 10), answer="blue", answers=PEOPLE),
        ],
        value=0.75,
        value_scored=0.75,
    ),
    Case(
        "answered correctly without a region counts 0",
        [
            box_case((0, 0, 4, 4), (0, 0, 4, 4), answer="red", answers=PEOPLE),
            box_case(None, (0, 0, 4, 4), answer="pink", answers=PEOPLE),
        ],
        value=0.5,
        value_scored=1.0,
    ),
    Case(
        "three people cannot say",
        [box_case((0, 0, 4, 4), (0, 0, 4, 4), answer="red", answers=("red", "red", "red"))],
        value=None,
        value_scored=None,
    ),
)


def why_not(columns: Columns) -> str:
    """Returns why there is no value, where there is none."""
    return why_not_correct(columns, "polled")


def reduce(columns: Columns, weights: NDArray[np.float64], parameter: float | None = None) -> Values:
    """Returns `value`, `value_scored` and `n`, ``(B,)`` each, for weights ``(B, N)``; NaN where no sample counts.

    Raises:
        ValueError: The threshold is not above 0 and at most 1.
    """
    threshold = CARD.default_parameter if parameter is None else parameter
    if threshold is None or not 0.0 < threshold <= 1.0:
        raise ValueError(f"mean_iou_correct_vqa takes a threshold above 0 and at most 1, not {threshold}")
    return reduce_correct(columns, weights, (columns["vqa"] >= threshold).astype(np.float64))
