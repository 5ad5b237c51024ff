"""AURC: the area under the risk–coverage curve; low when the method's score tells good regions from bad ones."""

from __future__ import annotations

from foveate.core.cards import MetricCard
from foveate.metrics._cases import Case, box_case
from foveate.metrics._overlaps import Column, Columns, Values
from foveate.metrics._selective import area_under_risk, measure, why_not

__all__ = ["CARD", "CASES", "measure", "reduce", "why_not"]

CARD = MetricCard(
    name="aurc",
    summary="Area under the risk-coverage curve: mean loss (1 - IoU) as ever less sure predictions are accepted.",
    shapes=("box", "polygon", "mask"),
    low=0.0,
    high=1.0,
    better="lower",
    states="over predictions with a region and a score; without a target the loss is 1 (not in value_scored)",
    reference=(
        "Geifman, Uziel, El-Yaniv: Bias-Reduced Uncertainty Estimation, ICLR 2019 (AURC); El-Yaniv, Wiener, JMLR 2010. "
        "Samples of one score are accepted together."
    ),
)

_RIGHT = ((0.0, 0.0, 10.0, 10.0), (0.0, 0.0, 10.0, 10.0))
_WRONG = ((0.0, 0.0, 10.0, 10.0), (20.0, 0.0, 30.0, 10.0))

CASES = (
    # Risks down the list: 0, then (0 + 1) / 2; their mean is 1/4.
    Case("sure where right", [box_case(*_RIGHT, score=0.9), box_case(*_WRONG, score=0.1)], 0.25, 0.25),
    # Risks: 1, then (1 + 0) / 2; their mean is 3/4.
    Case("sure where wrong", [box_case(*_RIGHT, score=0.1), box_case(*_WRONG, score=0.9)], 0.75, 0.75),
    # Both are accepted at once, with a risk of 1/2.
    Case("one score for all", [box_case(*_RIGHT, score=0.5), box_case(*_WRONG, score=0.5)], 0.5, 0.5),
    Case("no region is not accepted", [box_case(*_RIGHT), box_case(None, (0, 0, 4, 4))], 0.0, 0.0),
    # Risks: 1 (nothing is there), then 1/2; with targets only: 0.
    Case("a needless region", [box_case((0, 0, 4, 4), None, score=0.9), box_case(*_RIGHT, score=0.1)], 0.75, 0.0),
)


def reduce(columns: Columns, weights: Column, parameter: float | None = None) -> Values:
    """Returns `value`, `value_scored` and `n`, ``(B,)`` each, for weights ``(B, N)``; NaN without any score."""
    return {
        "value": area_under_risk(columns, weights * columns["rated"]),
        "value_scored": area_under_risk(columns, weights * columns["scored"]),
        "n": weights @ columns["rated"],
    }
