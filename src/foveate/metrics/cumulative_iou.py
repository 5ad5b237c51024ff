"""Cumulative IoU: all intersections over all unions, so that large regions count more."""

from __future__ import annotations

from foveate.core.cards import MetricCard
from foveate.metrics._cases import Case, box_case
from foveate.metrics._overlaps import Column, Columns, Values, measure, ratio, weighted_sum

__all__ = ["CARD", "CASES", "measure", "reduce"]

CARD = MetricCard(
    name="cumulative_iou",
    summary="Sum of the intersections over the sum of the unions, in pixels: large regions count more than small ones.",
    shapes=("box", "polygon", "mask"),
    low=0.0,
    high=1.0,
    better="higher",
    states="anything but `ok` on a truth with a target adds the target to the unions; one without a target is left out",
    reference="Referring-expression segmentation practice (overall IoU), as in Hu, Rohrbach, Darrell, ECCV 2016.",
)

CASES = (
    # (50 + 0) / (100 + 200).
    Case(
        "half of one, none of another",
        [box_case((0, 0, 10, 10), (0, 0, 10, 5)), box_case((0, 0, 10, 10), (20, 0, 30, 10))],
        50 / 300,
        50 / 300,
    ),
    # (100 + 0) / (100 + 16); only where ok: 100 / 100.
    Case("no region", [box_case((0, 0, 10, 10), (0, 0, 10, 10)), box_case(None, (0, 0, 4, 4))], 100 / 116, 1.0),
    Case("no target is left out", [box_case((0, 0, 10, 10), (0, 0, 10, 20)), box_case((0, 0, 4, 4), None)], 0.5, 0.5),
)


def reduce(columns: Columns, weights: Column, parameter: float | None = None) -> Values:
    """Returns `value`, `value_scored` and `n`, ``(B,)`` each, for weights ``(B, N)``; NaN where no sample counts."""

    def over(of: Column) -> Column:
        return ratio(*(weighted_sum(columns[name] * of, weights) for name in ("intersection", "union")))

    return {
        "value": over(columns["grounded"]),
        "value_scored": over(columns["scored"]),
        "n": weights @ columns["grounded"],
    }
