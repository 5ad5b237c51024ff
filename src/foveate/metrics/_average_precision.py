"""Average precision as COCO computes it, on one region a sample, with the ranking and its ties laid open.

All predictions with a region stand in one list by falling score. Down the list, precision is the share of hits so far
and recall the share of the targets that were hit; average precision is the mean of precision, made to fall only, at
101 recalls. It asks of a method's score what no mean of samples asks: that sure regions be right on *every* photo.

References:
    Lin and others: Microsoft COCO, ECCV 2014; its evaluation code, `cocoeval.py` (thresholds, interpolation, epsilon).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from foveate.core.cards import MetricCard
from foveate.core.predictions import Prediction
from foveate.core.truths import Truth
from foveate.metrics._overlaps import Column, Columns, Values
from foveate.metrics._selective import measure as measure_selective

# Written as `cocoeval.py` writes them, since 0.6 and 0.6000000000000001 part an IoU of exactly 0.6.
THRESHOLDS: tuple[float, ...] = tuple(np.linspace(0.5, 0.95, 10).tolist())
RECALLS: Column = np.linspace(0.0, 1.0, 101)
# COCO keeps precision defined with it where nothing is found yet.
_EPSILON = float(np.spacing(1))
_NEARLY_ONE = 1 - 1e-10
# Cells of the table of recalls by resamples that are worked on at a time.
_CELLS = 2**21


def measure(predictions: Sequence[Prediction | None], truths: Sequence[Truth]) -> Columns:
    """Returns the columns of `_selective`, of which these are read: `iou`, `grounded`, `shown`, `rated` and `score`.

    Raises:
        ValueError: As there.
    """
    return measure_selective(predictions, truths)


def why_not(columns: Columns) -> str | None:
    """Returns why there is no value, or None where there may be one."""
    if _partly_rated(columns):
        without = int((columns["shown"] - columns["rated"]).sum())
        return f"{without:,} of {int(columns['shown'].sum()):,} regions have no score, the others have one"
    return None


def _partly_rated(columns: Columns) -> bool:
    """Returns whether some regions have a score and others have none, so that they are in no order."""
    return bool(columns["rated"].any() and (columns["shown"] > columns["rated"]).any())


def one_score(columns: Columns) -> bool:
    """Returns whether there are several regions and all have the same score, or none has any."""
    given = columns["score"][columns["shown"] > 0]
    return given.size > 1 and bool((given == given[0]).all()) and not _partly_rated(columns)


def thresholds(card: MetricCard, parameter: float | None) -> tuple[float, ...]:
    """Returns the IoU thresholds of a metric: the one after `@`, or the ten of COCO.

    Raises:
        ValueError: It is not above 0 and at most 1.
    """
    if parameter is None:
        return THRESHOLDS
    if not 0.0 < parameter <= 1.0:
        raise ValueError(f"{card.name} takes a threshold above 0 and at most 1, not {parameter}")
    return (parameter,)


def reduce_ranked(columns: Columns, weights: Column, at: Sequence[float], *, tied: bool) -> Values:
    """Returns `value`, `value_scored` and `n`, ``(B,)`` each: the mean over thresholds of average precision.

    Args:
        columns: What `measure` gives.
        weights: ``(B, N)``.
        at: IoU thresholds.
        tied: Whether samples of one score enter together; else in their order.
    """
    counted = np.maximum(columns["grounded"], columns["shown"])
    with_target = columns["shown"] * columns["grounded"]
    return {
        "value": _mean_precision(columns, weights, at, columns["shown"], tied=tied),
        "value_scored": _mean_precision(columns, weights * with_target, at, with_target, tied=tied),
        "n": weights @ counted,
    }


def _mean_precision(columns: Columns, weights: Column, at: Sequence[float], shown: Column, *, tied: bool) -> Column:
    if _partly_rated(columns):
        return np.full(len(weights), np.nan)
    order = np.argsort(-columns["score"], kind="stable")
    order = order[shown[order] > 0]
    ends = _ends(columns["score"][order]) if tied else np.arange(len(order))
    found = np.empty(len(weights))
    step = max(1, _CELLS // max(1, len(order)))
    for start in range(0, len(weights), step):
        part = weights[start : start + step]
        drawn, targets = part[:, order], part @ columns["grounded"]
        listed = np.cumsum(drawn, axis=1)[:, ends]
        hits = (np.cumsum(drawn * (columns["iou"][order] >= min(t, _NEARLY_ONE)), axis=1)[:, ends] for t in at)
        means = [_interpolated(one, listed, targets) for one in hits]
        found[start : start + step] = np.mean(means, axis=0)
    return found


def _ends(scores: Column) -> NDArray[np.intp]:
    """Returns the last place of each score in a falling list."""
    return np.flatnonzero(np.append(scores[1:] != scores[:-1], True)) if scores.size else np.arange(0)


def _interpolated(hits: Column, listed: Column, targets: Column) -> Column:
    """Returns average precision ``(B,)`` from hits and list lengths ``(B, K)`` and the number of targets ``(B,)``."""
    precision = hits / (listed + _EPSILON)
    precision = np.maximum.accumulate(precision[:, ::-1], axis=1)[:, ::-1]
    found = np.full(len(targets), np.nan)
    for row in np.flatnonzero(targets > 0):
        # The first place in the list from which on a recall is reached; beyond the last, precision is 0.
        places = np.searchsorted(hits[row] / targets[row], RECALLS, side="left")
        reached = places < hits.shape[1]
        found[row] = precision[row, places[reached]].sum() / len(RECALLS)
    return found
