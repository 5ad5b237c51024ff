"""Answer and region as one number a sample: the geometric mean of how good each is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from foveate.core.predictions import Prediction
from foveate.metrics._answers import measure_both, where_answered
from foveate.metrics._built import Built
from foveate.metrics._overlaps import Column, Columns, Values, means

REFERENCE = (
    "VistaQA (arXiv 2605.20676) calls the mean over samples of the geometric mean of answer and mask quality Grove. As "
    "described there, not verified: its treatment of samples without evidence could not be read, so that counting them "
    "is an option here, and off."
)
PARAMETER = (
    "1: samples without a target count too, by the answer alone where the prediction is `no_region`, else 0; without "
    "it, or 0: they are left out"
)


def _abstained(_: Columns, predictions: Sequence[Prediction | None]) -> Columns:
    found = [prediction is not None and prediction.status == "no_region" for prediction in predictions]
    return {"abstained": np.array(found, dtype=np.float64)}


# The columns of regions and of answers, with `abstained`: 1 where the prediction is `no_region`.
measure = Built((measure_both,), _abstained)


def why_not(columns: Columns, judged: str) -> str:
    """Returns why there is no value, where there is none.

    Args:
        columns: As measured.
        judged: The column that says which truths have answers to judge by, `polled` or `keyed`.
    """
    if not columns["answered"].any():
        return "the predictions have no answers"
    people = " of four people or more" if judged == "polled" else ""
    return f"no sample with a target has answers{people}"


def reduce_geometric(
    columns: Columns, weights: Column, quality: Column, judged: Column, parameter: float | None
) -> Values:
    """Returns the mean of ``sqrt(quality * region)`` where `judged` is 1; `value_scored` over regions with an answer.

    The quality of a region is its IoU; on a truth without a target, where such count, 1 for `no_region` and else 0.

    Args:
        columns: As measured.
        weights: ``(B, N)``.
        quality: Of the answer, 0 to 1 ``(N,)``.
        judged: 1 where the truth has answers to judge by ``(N,)``.
        parameter: 1 to count truths without a target.

    Raises:
        ValueError: The parameter is neither 0 nor 1.
    """
    if parameter not in (None, 0.0, 1.0):
        raise ValueError(f"it takes 1, to count samples without a target, or 0, not {parameter}")
    grounded = columns["grounded"] > 0
    region = np.where(grounded, columns["iou"], columns["abstained"])
    given = np.where(grounded, columns["scored"], columns["abstained"]) * columns["answered"]
    of = judged * (np.ones_like(judged) if parameter else columns["grounded"])
    return where_answered(columns, means(np.sqrt(quality * region), of, of * given, weights))
