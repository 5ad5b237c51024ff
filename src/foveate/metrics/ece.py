"""ECE: how far a prediction's score is from how often predictions of that score hit."""

from __future__ import annotations

from foveate.core.cards import MetricCard
from foveate.metrics._cases import Case, box_case
from foveate.metrics._overlaps import Column, Columns, Values
from foveate.metrics._selective import calibration_error, measure, why_not

__all__ = ["CARD", "CASES", "measure", "reduce", "why_not"]

CARD = MetricCard(
    name="ece",
    summary="Expected calibration error: |mean score - share of hits (IoU at least 0.5)|, averaged over bins of score.",
    shapes=("box", "polygon", "mask"),
    low=0.0,
    high=1.0,
    better="lower",
    states="over predictions with a region and a score; none on a truth without a target hits (not in value_scored)",
    reference="Naeini, Cooper, Hauskrecht, AAAI 2015; Guo, Pleiss, Sun, Weinberger, ICML 2017 (15 bins of one width).",
    parameter="the number of bins, a whole number of at least 1",
    default_parameter=15.0,
)

_RIGHT = ((0.0, 0.0, 10.0, 10.0), (0.0, 0.0, 10.0, 10.0))
_WRONG = ((0.0, 0.0, 10.0, 10.0), (20.0, 0.0, 30.0, 10.0))

CASES = (
    Case("sure and right", [box_case(*_RIGHT, score=1.0)], 0.0, 0.0),
    Case("sure and wrong", [box_case(*_WRONG, score=1.0)], 1.0, 1.0),
    # In one bin: mean score 0.5, half of them hit.
    Case("half sure, half right", [box_case(*_RIGHT, score=0.5), box_case(*_WRONG, score=0.5)], 0.0, 0.0),
    # Two bins of one each: |0.9 - 1| and |0.2 - 0|.
    Case("two bins", [box_case(*_RIGHT, score=0.9), box_case(*_WRONG, score=0.2)], 0.15, 0.15),
    # |0.9 - 0| where nothing is to ground, |1 - 1|.
    Case("a needless region", [box_case((0, 0, 4, 4), None, score=0.9), box_case(*_RIGHT)], 0.45, 0.0),
)


def reduce(columns: Columns, weights: Column, parameter: float | None = None) -> Values:
    """Returns `value`, `value_scored` and `n`, ``(B,)`` each, for weights ``(B, N)``; NaN without any score.

    Raises:
        ValueError: The number of bins is no whole number of at least 1.
    """
    bins = CARD.default_parameter if parameter is None else parameter
    if bins is None or not (1 <= bins <= 10_000 and bins == int(bins)):
        raise ValueError(f"ece takes a whole number of bins from 1 to 10000, not {bins}")
    return {
        "value": calibration_error(columns, columns["rated"], weights, int(bins)),
        "value_scored": calibration_error(columns, columns["scored"], weights, int(bins)),
        "n": weights @ columns["rated"],
    }
