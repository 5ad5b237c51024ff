"""Measurings that are made of others, so that what several metrics need is measured once for all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from foveate.core.predictions import Prediction
from foveate.core.truths import Truth
from foveate.metrics._overlaps import Columns

Predictions = Sequence[Prediction | None]
Measure = Callable[[Predictions, Sequence[Truth]], Columns]


@dataclass(frozen=True)
class Built:
    """A `measure` whose columns are those of its parts together, and what follows from them.

    Attributes:
        parts: Measured first, in this order.
        more: Returns further columns, or others in the place of some, from the parts' and the predictions.
    """

    parts: tuple[Measure, ...]
    more: Callable[[Columns, Predictions], Columns] | None = None

    def __call__(self, predictions: Predictions, truths: Sequence[Truth]) -> Columns:
        """Returns the columns, measured from nothing."""
        return measured_once(self, predictions, truths, {})


def measured_once(
    measure: Measure, predictions: Predictions, truths: Sequence[Truth], done: dict[Measure, Columns]
) -> Columns:
    """Returns what `measure` measures; what `done` has of it, or of its parts, is not measured again.

    Args:
        measure: A metric's.
        predictions: One a truth, in the same order; None where it is missing.
        truths: The truths.
        done: What was measured on these very predictions and truths; it grows.

    Raises:
        ValueError: As `measure` says.
    """
    if measure not in done:
        done[measure] = _measured(measure, predictions, truths, done)
    return done[measure]


def _measured(
    measure: Measure, predictions: Predictions, truths: Sequence[Truth], done: dict[Measure, Columns]
) -> Columns:
    if not isinstance(measure, Built):
        return measure(predictions, truths)
    columns: Columns = {}
    for part in measure.parts:
        columns = {**columns, **measured_once(part, predictions, truths, done)}
    return {**columns, **measure.more(columns, predictions)} if measure.more else columns
