"""Predictions measured against truths: the columns from which values, intervals, comparisons and reports are made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foveate.core.predictions import Prediction
from foveate.core.truths import Truth
from foveate.errors import FoveateError, InputError
from foveate.evaluation.join import Joined, join
from foveate.evaluation.metric_names import Metric, Weights, at_work, metrics_named
from foveate.metrics._built import Measure, measured_once

Columns = Mapping[str, NDArray[np.float64]]
# Columns by what measured them, on one set of predictions.
Done = dict[Measure, Columns]
_RETURNED = ("value", "value_scored", "n")


@dataclass(frozen=True)
class Measured:
    """The columns of every metric on one set of predictions.

    Attributes:
        joined: Truths, each with its prediction.
        groups: For each truth what it is drawn together with (its photo).
        metrics: In the order asked for.
        columns: By metric; those that share their measuring share the very columns.
    """

    joined: Joined
    groups: Sequence[str]
    metrics: Sequence[Metric]
    columns: Mapping[str, Columns]

    def reduce(self, metric: Metric, weights: Weights) -> dict[str, NDArray[np.float64]]:
        """Returns the metric's values ``(B,)`` for weights ``(B, N)``.

        Raises:
            FoveateError: It fails, or returns something else.
        """
        return reduced(metric, self.columns[metric.name], weights)


def reduced(metric: Metric, columns: Columns, weights: Weights) -> dict[str, NDArray[np.float64]]:
    """Returns a metric's values ``(B,)`` on columns, for weights ``(B, N)``.

    Raises:
        FoveateError: It fails, or returns something else.
    """
    # A value that is not defined may come of a division by 0, which is no news.
    with np.errstate(divide="ignore", invalid="ignore"):
        values: dict[str, NDArray[np.float64]] = at_work(
            metric.name, lambda: metric.module.reduce(columns, weights, metric.parameter)
        )
    wrong = [name for name in _RETURNED if np.shape(np.asarray(values.get(name))) != (len(weights),)]
    if wrong:
        raise FoveateError(
            f"metric {metric.name}",
            f"{wrong[0]} is not one number for each of {len(weights)} resamples",
            "Tell whoever wrote it; design/plugins.md has the form.",
        )
    return values


def measured(
    predictions: Iterable[Prediction],
    truths: Iterable[Truth],
    *,
    metrics: Sequence[str],
    groups: Mapping[str, str] | None = None,
    where: str = "predictions",
) -> Measured:
    """Returns predictions measured against truths.

    Args:
        predictions: At most one a truth, in any order.
        truths: All that are to be scored.
        metrics: Names, with a parameter after `@` where the metric has one.
        groups: For each id what it is drawn together with in the bootstrap (the photo's name); itself by default.
        where: What the predictions come from, for messages.

    Raises:
        UsageError: There is no such metric.
        InputError: There are no truths, predictions do not fit them (`join`), or a metric cannot measure them.
    """
    chosen = metrics_named(metrics)
    joined = joined_with(predictions, truths, where)
    done: Done = {}
    return Measured(
        joined,
        [groups.get(t.id, t.id) if groups else t.id for t in joined.truths],
        chosen,
        {metric.name: columns_of(metric, joined, where, done) for metric in chosen},
    )


def joined_with(predictions: Iterable[Prediction], truths: Iterable[Truth], where: str) -> Joined:
    """Returns truths with their predictions.

    Raises:
        InputError: There are no truths, or predictions do not fit them (`join`).
    """
    joined = join(predictions, truths, where=where)
    if not joined.truths:
        raise InputError(where, "there is no truth to score against", "Look at the data set and its split.")
    return joined


def columns_of(metric: Metric, joined: Joined, where: str, done: Done | None = None) -> Columns:
    """Returns what a metric measures.

    Args:
        metric: The metric.
        joined: Truths and predictions.
        where: What the predictions come from, for messages.
        done: What was measured on them before; metrics share what is the same for them, which is the costly part.
            None where this is the only one.

    Raises:
        InputError: It cannot measure these data.
        FoveateError: It fails.
    """
    try:
        columns: Columns = at_work(
            metric.name,
            lambda: measured_once(
                metric.module.measure, joined.predictions, joined.truths, {} if done is None else done
            ),
            passed=ValueError,
        )
    except ValueError as error:
        raise InputError(f"{where}, {metric.name}", str(error), "Choose another metric for these data.") from error
    return columns
