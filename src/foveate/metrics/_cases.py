"""Hand-derived cases: each metric states a few, and the contract tests check them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Region
from foveate.core.truths import Target, Truth

Sides = tuple[float, float, float, float]


@dataclass(frozen=True)
class Case:
    """Samples with the values that a person derives for them."""

    title: str
    samples: Sequence[tuple[Prediction, Truth]]
    value: float
    value_scored: float


def box_case(predicted: Sides | None, target: Sides | None) -> tuple[Prediction, Truth]:
    """Returns one sample; None stands for `no_region` and for a truth without a target."""
    if predicted is None:
        prediction = Prediction("s", "no_region", reason="nothing there")
    else:
        prediction = Prediction("s", "ok", final=Region(Box(predicted), 1.0))
    return prediction, Truth("s", targets=(Target(Box(target)),) if target else (), answerable=target is not None)
