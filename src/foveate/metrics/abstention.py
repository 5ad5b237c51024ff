"""Abstention: does the method say that there is nothing to show exactly where there is nothing to show?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from foveate.core.cards import MetricCard
from foveate.core.predictions import Prediction
from foveate.core.truths import Truth
from foveate.metrics._cases import Case, box_case
from foveate.metrics._overlaps import Column, Columns, Values, check_pairs, ratio

__all__ = ["CARD", "CASES", "measure", "reduce", "why_not"]

CARD = MetricCard(
    name="abstention",
    summary="F1 of saying `no_region` where there is nothing to ground: right, missed and needless abstentions.",
    shapes=("box", "polygon", "mask"),
    low=0.0,
    high=1.0,
    better="higher",
    states="`no_region` is right on a truth without a target and needless on another; anything else there is missed",
    reference="Foveate (design/scoring-states.md); F1 of abstaining as in Rajpurkar, Jia, Liang, ACL 2018 (SQuAD 2.0).",
)

CASES = (
    Case("nothing there, and said so", [box_case(None, None)], 1.0, None),
    Case("a region where nothing is", [box_case((0, 0, 4, 4), None)], 0.0, None),
    # 1 right, 1 missed, 1 needless: 2 / (2 + 1 + 1).
    Case(
        "one of each",
        [box_case(None, None), box_case((0, 0, 4, 4), None), box_case(None, (0, 0, 4, 4))],
        0.5,
        None,
    ),
    Case("nothing to abstain from", [box_case((0, 0, 4, 4), (0, 0, 4, 4)), box_case(None, (0, 0, 4, 4))], None, None),
)


def measure(predictions: Sequence[Prediction | None], truths: Sequence[Truth]) -> Columns:
    """Returns `right`, `missed` and `needless`, each ``float64 (N,)`` of 0 and 1.

    Raises:
        ValueError: The two differ in length.
    """
    check_pairs(predictions, truths)
    abstained = np.array([p is not None and p.status == "no_region" for p in predictions], dtype=bool)
    grounded = np.array([bool(t.targets) for t in truths], dtype=bool)
    return {
        "right": (abstained & ~grounded).astype(np.float64),
        "missed": (~abstained & ~grounded).astype(np.float64),
        "needless": (abstained & grounded).astype(np.float64),
    }


def why_not(columns: Columns) -> str | None:
    """Returns why there is no value, or None where there may be one."""
    there = columns["right"].any() or columns["missed"].any()
    return None if there else "every truth has a target, so that there is nothing to abstain from"


def reduce(columns: Columns, weights: Column, parameter: float | None = None) -> Values:
    """Returns `value`, `value_scored` and `n`, ``(B,)`` each, for weights ``(B, N)``.

    `value` is NaN where there is nothing to abstain from; `value_scored` has no meaning and is NaN; `n` counts the
    truths without a target.
    """
    right, missed, needless = (weights @ columns[name] for name in ("right", "missed", "needless"))
    # Where nothing could be abstained from, all that there is are needless abstentions: counts, and no F1 of anything.
    value = np.where(right + missed > 0, ratio(2 * right, 2 * right + missed + needless), np.nan)
    return {"value": value, "value_scored": np.full_like(value, np.nan), "n": right + missed}
