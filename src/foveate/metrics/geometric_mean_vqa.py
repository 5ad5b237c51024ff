"""Answer and region together: the geometric mean of VQA accuracy and IoU."""

from __future__ import annotations

from foveate.core.cards import MetricCard
from foveate.metrics import _geometric
from foveate.metrics._cases import Case, box_case
from foveate.metrics._geometric import measure, reduce_geometric
from foveate.metrics._overlaps import Column, Columns, Values

__all__ = ["CARD", "CASES", "measure", "reduce", "why_not"]

CARD = MetricCard(
    name="geometric_mean_vqa",
    summary="Mean over samples of sqrt(VQA accuracy x IoU).",
    shapes=("box", "polygon", "mask"),
    low=0.0,
    high=1.0,
    better="higher",
    states=(
        "on a truth with a target anything but `ok` counts 0, and so does a sample without an answer; a truth without "
        "four answers of people or more is left out and, but for `@1`, a truth without a target is left out; without "
        "any answer among the predictions there is no value"
    ),
    reference=_geometric.REFERENCE,
    parameter=_geometric.PARAMETER,
)

# VQA accuracy 0.6 for "cat" (the derivation is with `vqa_accuracy`), 1 for "dog".
PEOPLE = ("cat", "The cat.", "dog", "dog", "dog", "dog", "dog", "dog", "dog", "dog")

CASES = (
    # sqrt(0.6 * 0.6): the region has six tenths of the target.
    Case(
        "both at six tenths",
        [box_case((0, 0, 10, 6), (0, 0, 10, 10), answer="cat", answers=PEOPLE)],
        value=0.6,
        value_scored=0.6,
    ),
    # 1 for a quarter is sqrt(1/4); then nothing for a right answer beside the target.
    Case(
        "one without the other counts 0",
        [
            box_case((0, 0, 5, 5), (0, 0, 10, 10), answer="dog", answers=PEOPLE),
            box_case((20, 20, 30, 30), (0, 0, 10, 10), answer="dog", answers=PEOPLE),
        ],
        value=0.25,
        value_scored=0.25,
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
    return _geometric.why_not(columns, "polled")


def reduce(columns: Columns, weights: Column, parameter: float | None = None) -> Values:
    """Returns `value`, `value_scored` and `n`, ``(B,)`` each, for weights ``(B, N)``; NaN where no sample counts.

    Raises:
        ValueError: The parameter is neither 0 nor 1.
    """
    return reduce_geometric(columns, weights, columns["vqa"], columns["polled"], parameter)
