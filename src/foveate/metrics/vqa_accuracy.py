"""VQA accuracy: the share of credit that ten people's answers give to the predicted answer."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foveate.core.cards import MetricCard
from foveate.metrics._answers import measure, reduce_answers, why_not_answered
from foveate.metrics._cases import Case, box_case
from foveate.metrics._overlaps import Columns, Values

__all__ = ["CARD", "CASES", "measure", "reduce", "why_not"]

CARD = MetricCard(
    name="vqa_accuracy",
    summary="Mean over samples of min(n / 3, 1), n of the people but one (each left out once) giving that answer.",
    shapes=("box", "polygon", "mask"),
    low=0.0,
    high=1.0,
    better="higher",
    states=(
        "the answer counts whatever the region's state is; a missing prediction, or one without an answer, counts 0; "
        "a truth with fewer than four answers of people is left out; without any answer among the predictions there is "
        "no value"
    ),
    reference=(
        "Antol et al., ICCV 2015; the script of VQA v2 since March 2021: answers are normalised unless all people "
        "wrote the very same; then they are compared as written (`Yes` is not `yes`). Before, it always normalised "
        "the prediction, and of people's answers only the punctuation. VizWiz's script normalises the prediction "
        "alone, and writes curly apostrophes in contractions. People are left out one at a time, as in VizWiz's "
        "script; VQA's drops all records that are equal, which comes to the same where records are numbered (VQA "
        "v2), but on VizWiz's would drop together all who gave one answer with one confidence."
    ),
)

TWO_OF_TEN = ("cat", "The cat.", "dog", "dog", "dog", "dog", "dog", "dog", "dog", "dog")

CASES = (
    # Without one of the two who say so one is left, without one of the eight others two: (2 * 1/3 + 8 * 2/3) / 10.
    Case(
        "two of ten people agree", [box_case(None, None, answer="cat", answers=TWO_OF_TEN)], value=0.6, value_scored=0.6
    ),
    # Without any one of the eight seven are left, more than three.
    Case(
        "eight of ten people agree",
        [box_case(None, None, answer="a DOG!", answers=TWO_OF_TEN)],
        value=1.0,
        value_scored=1.0,
    ),
    # All wrote the same, so that nothing is normalised.
    Case(
        "people who wrote the very same",
        [
            box_case(None, None, answer="Dog", answers=("dog",) * 10),
            box_case(None, None, answer=" dog\n", answers=("dog",) * 10),
        ],
        value=0.5,
        value_scored=0.5,
    ),
    # Without one of the three 2 of 3, without the fourth 3 of 3: (3 * 2/3 + 1) / 4.
    Case(
        "four people", [box_case(None, None, answer="x", answers=("x", "x", "x", "y"))], value=0.75, value_scored=0.75
    ),
    Case(
        "no answer counts 0, three people are left out",
        [
            box_case(None, None, answer="dog", answers=TWO_OF_TEN),
            box_case((0, 0, 4, 4), (0, 0, 4, 4), answer=None, answers=TWO_OF_TEN),
            box_case(None, None, answer="x", answers=("x", "x", "x")),
        ],
        value=0.5,
        value_scored=1.0,
    ),
    Case(
        "a method without answers",
        [box_case(None, None, answer=None, answers=TWO_OF_TEN)],
        value=None,
        value_scored=None,
    ),
)


def why_not(columns: Columns) -> str | None:
    """Returns why there is no value, or None where there may be one."""
    return why_not_answered(columns, "polled")


def reduce(columns: Columns, weights: NDArray[np.float64], parameter: float | None = None) -> Values:
    """Returns `value`, `value_scored` and `n`, ``(B,)`` each, for weights ``(B, N)``; NaN where no sample counts."""
    return reduce_answers(columns, weights, columns["vqa"], columns["polled"])
