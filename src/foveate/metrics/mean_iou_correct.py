"""Mean IoU of the samples that are answered correctly: does a method look at the right place when it is right?"""

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
    name="mean_iou_correct",
    summary="Mean IoU over the samples with a target whose answer is the most common one (exact match).",
    shapes=("box", "polygon", "mask"),
    low=0.0,
    high=1.0,
    better="higher",
    states=(
        "of the correctly answered, anything but `ok` on a truth with a target counts 0; a truth without a target and "
        "a sample not answered correctly are left out"
    ),
    reference=(
        "Chen, Anjum, Gurari, CVPR 2022, Table 3, which does not say when an answer is correct: here by `exact_match`; "
        "`mean_iou_correct_vqa` takes VQA accuracy instead."
    ),
)

CASES = (
    # Half of the target is hit; the perfect box beside a wrong answer does not count.
    Case(
        "only the correctly answered",
        [
            box_case((0, 0, 10, 5), (0, 0, 10, 10), answer="Red.", answers=("red", "red", "blue")),
            box_case((0, 0, 10, 10), (0, 0, 10, 10), answer="blue", answers=("red", "red", "blue")),
        ],
        value=0.5,
        value_scored=0.5,
    ),
    Case(
        "answered correctly without a region counts 0",
        [
            box_case((0, 0, 10, 10), (0, 0, 10, 10), answer="red", answers=("red",)),
            box_case(None, (0, 0, 10, 10), answer="red", answers=("red",)),
        ],
        value=0.5,
        value_scored=1.0,
    ),
    Case("no target", [box_case((0, 0, 4, 4), None, answer="red", answers=("red",))], value=None, value_scored=None),
    Case(
        "nothing is correct",
        [box_case((0, 0, 4, 4), (0, 0, 4, 4), answer="x", answers=("red",))],
        value=None,
        value_scored=None,
    ),
    Case(
        "no answer",
        [box_case((0, 0, 4, 4), (0, 0, 4, 4), answer=None, answers=("red",))],
        value=None,
        value_scored=None,
    ),
)


def why_not(columns: Columns) -> str:
    """Returns why there is no value, where there is none."""
    return why_not_correct(columns, "keyed")


def reduce(columns: Columns, weights: NDArray[np.float64], parameter: float | None = None) -> Values:
    """Returns `value`, `value_scored` and `n`, ``(B,)`` each, for weights ``(B, N)``; NaN where no sample counts."""
    return reduce_correct(columns, weights, columns["exact"])
