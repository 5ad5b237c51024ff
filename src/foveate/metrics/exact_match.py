"""Exact match: the share of samples whose predicted answer is the most common one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foveate.core.cards import MetricCard
from foveate.metrics._answers import measure, reduce_answers, why_not_answered
from foveate.metrics._cases import Case, box_case
from foveate.metrics._overlaps import Columns, Values

__all__ = ["CARD", "CASES", "measure", "reduce", "why_not"]

CARD = MetricCard(
    name="exact_match",
    summary="Share of samples whose answer equals the most common answer, both after the official VQA normalisation.",
    shapes=("box", "polygon", "mask"),
    low=0.0,
    high=1.0,
    better="higher",
    states=(
        "the answer counts whatever the region's state is; a missing prediction, or one without an answer, counts 0; "
        "a truth without answers is left out; without any answer among the predictions there is no value"
    ),
    reference=(
        "Normalisation: the script of VQA v2 (Antol et al., ICCV 2015), after curly apostrophes are made straight. The "
        "most common answer is the one that the targets carry where they agree (VizWiz-VQA-Grounding states it), else "
        "the most frequent after normalisation, the earliest among equals. Where a data set's answers are no vote of "
        "people (`photos`), each of them is right."
    ),
)

CASES = (
    Case(
        "the same but for its writing",
        [box_case(None, None, answer="A DOG!", answers=("dog",))],
        value=1.0,
        value_scored=1.0,
    ),
    # "cat" twice against "the dog" and "Dog.", which are one answer, and earlier.
    Case(
        "the earliest of two that are equally frequent",
        [
            box_case(None, None, answer="dog", answers=("the dog", "cat", "cat", "Dog.")),
            box_case(None, None, answer="cat", answers=("the dog", "cat", "cat", "Dog.")),
        ],
        value=0.5,
        value_scored=0.5,
    ),
    Case(
        "no answer counts 0, a truth without answers is left out",
        [
            box_case(None, None, answer="two", answers=("2", "3", "2")),
            box_case((0, 0, 4, 4), (0, 0, 4, 4), answer=None, answers=("2",)),
            box_case((0, 0, 4, 4), (0, 0, 4, 4), answer="2", answers=()),
        ],
        value=0.5,
        value_scored=1.0,
    ),
    Case(
        "a method without answers", [box_case(None, None, answer=None, answers=("2",))], value=None, value_scored=None
    ),
)


def why_not(columns: Columns) -> str | None:
    """Returns why there is no value, or None where there may be one."""
    return why_not_answered(columns, "keyed")


def reduce(columns: Columns, weights: NDArray[np.float64], parameter: float | None = None) -> Values:
    """Returns `value`, `value_scored` and `n`, ``(B,)`` each, for weights ``(B, N)``; NaN where no sample counts."""
    return reduce_answers(columns, weights, columns["exact"], columns["keyed"])
