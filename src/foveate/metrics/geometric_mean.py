"""Answer and region together: the geometric mean of a right answer (1 or 0, by exact match) and IoU."""

from __future__ import annotations

from foveate.core.cards import MetricCard
from foveate.metrics import _geometric
from foveate.metrics._cases import Case, box_case
from foveate.metrics._geometric import measure, reduce_geometric
from foveate.metrics._overlaps import Column, Columns, Values

__all__ = ["CARD", "CASES", "measure", "reduce", "why_not"]

CARD = MetricCard(
    name="geometric_mean",
    summary="Mean over samples of sqrt(answer x IoU), the answer 1 where it is the most common one, else 0.",
    shapes=("box", "polygon", "mask"),
    low=0.0,
    high=1.0,
    better="higher",
    states=(
        "on a truth with a target anything but `ok` counts 0, and so does a sample without an answer; a truth without "
        "answers is left out and, but for `@1`, a truth without a target is left out; without any answer "
        "among the predictions there is no value"
    ),
    reference=_geometric.REFERENCE,
    parameter=_geometric.PARAMETER,
)

CASES = (
    # sqrt(1 * 1/4): the region has a quarter of the target.
    Case(
        "right on a quarter of the target",
        [box_case((0, 0, 5, 5), (0, 0, 10, 10), answer="A dog", answers=("dog",))],
        value=0.5,
        value_scored=0.5,
    ),
    Case(
        "one without the other counts 0",
        [
            box_case((0, 0, 4, 4), (0, 0, 4, 4), answer="cat", answers=("dog",)),
            box_case((5, 5, 9, 9), (0, 0, 4, 4), answer="dog", answers=("dog",)),
            box_case((0, 0, 4, 4), (0, 0, 4, 4), answer="dog", answers=("dog",)),
            box_case(None, (0, 0, 4, 4), answer="dog", answers=("dog",)),
        ],
        value=0.25,
        value_scored=1 / 3,
    ),
    Case(
        "no target and nothing to judge by are left out",
        [
            box_case((0, 0, 4, 4), (0, 0, 4, 4), answer="dog", answers=("dog",)),
            box_case((0, 0, 4, 4), (0, 0, 4, 4), answer="dog", answers=()),
            box_case(None, None, answer="dog", answers=("dog",)),
        ],
        value=1.0,
        value_scored=1.0,
    ),
    Case(
        "a method without answers",
        [box_case((0, 0, 4, 4), (0, 0, 4, 4), answer=None, answers=("dog",))],
        value=None,
        value_scored=None,
    ),
)


def why_not(columns: Columns) -> str:
    """Returns why there is no value, where there is none."""
    return _geometric.why_not(columns, "keyed")


def reduce(columns: Columns, weights: Column, parameter: float | None = None) -> Values:
    """Returns `value`, `value_scored` and `n`, ``(B,)`` each, for weights ``(B, N)``; NaN where no sample counts.

    Raises:
        ValueError: The parameter is neither 0 nor 1.
    """
    return reduce_geometric(columns, weights, columns["exact"], columns["keyed"], parameter)
