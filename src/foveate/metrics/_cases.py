"""Hand-derived cases: each metric states a few, and the contract tests check them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from foveate.core.boxes import SizeHW
from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Region
from foveate.core.truths import Target, Truth

Sides = tuple[float, float, float, float]
SIZE: SizeHW = (300, 400)  # With a diagonal of 500.


@dataclass(frozen=True)
class Case:
    """Samples with the values that a person derives for them; None where the value is not defined."""

    title: str
    samples: Sequence[tuple[Prediction, Truth]]
    value: float | None
    value_scored: float | None


def box_case(
    predicted: Sides | None,
    target: Sides | None,
    *,
    score: float = 1.0,
    answer: str | None = None,
    answers: Sequence[str] = (),
) -> tuple[Prediction, Truth]:
    """Returns one sample on a photo of 400 x 300; None stands for `no_region` and for a truth without a target."""
    if predicted is None:
        prediction = Prediction("s", "no_region", answer, size_hw=SIZE, reason="nothing there")
    else:
        prediction = Prediction("s", "ok", answer, final=Region(Box(predicted), score), size_hw=SIZE)
    targets = (Target(Box(target)),) if target else ()
    return prediction, Truth("s", tuple(answers), targets, answerable=target is not None, size_hw=SIZE)
