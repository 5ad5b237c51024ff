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
from foveate.metrics._overlaps import Column, Columns, Values
from foveate.metrics._selective import measure

__all__ = ["measure", "one_score", "reduce_ranked", "thresholds", "why_not"]

# Written as `cocoeval.py` writes them, since 0.6 and 0.6000000000000001 part an IoU of exactly 0.6.
THRESHOLDS: tuple[float, ...] = tuple(np.linspace(0.5, 0.95, 10).tolist())
RECALLS: Column = np.linspace(0.0, 1.0, 101)
# COCO keeps precision defined with it where nothing is found yet.
_EPSILON = float(np.spacing(1))
_NEARLY_ONE = 1 - 1e-10
# Cells of the table of samples by resamples that are worked on at a time: few enough to stay in a core's cache.
_CELLS = 2**16


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
        columns: Those of `_selective`, of which these are read: `iou`, `grounded`, `shown`, `rated` and `score`.
        weights: ``(B, N)``.
        at: IoU thresholds.
        tied: Whether samples of one score enter together; else in their order.
    """
    counted = np.maximum(columns["grounded"], columns["shown"])
    with_target = columns["shown"] * columns["grounded"]
    value = _mean_precision(columns, weights, at, columns["shown"], tied=tied)
    # Where each sample has both or neither, the two are one.
    all_scored = bool((counted == with_target).all())
    scored = value if all_scored else _mean_precision(columns, weights * with_target, at, with_target, tied=tied)
    return {"value": value, "value_scored": scored, "n": weights @ counted}


def _mean_precision(columns: Columns, weights: Column, at: Sequence[float], shown: Column, *, tied: bool) -> Column:
    if _partly_rated(columns):
        return np.full(len(weights), np.nan)
    order = np.argsort(-columns["score"], kind="stable")
    order = order[shown[order] > 0]
    ends = _ends(columns["score"][order], tied)
    # Which samples of the list hit, and where in the list they are counted, at each threshold.
    hits = [np.flatnonzero(columns["iou"][order] >= min(t, _NEARLY_ONE)) for t in at]
    targets = weights @ columns["grounded"]
    found = np.empty(len(weights))
    step = max(1, _CELLS // max(1, len(order)))
    for start in range(0, len(weights), step):
        part = slice(start, start + step)
        drawn = weights[part, order]
        listed = np.cumsum(drawn, axis=1)
        means = [_interpolated(drawn[:, hit], listed[:, ends[hit]], targets[part]) for hit in hits]
        found[part] = np.mean(means, axis=0)
    return np.where(targets > 0, found, np.nan)


def _ends(scores: Column, tied: bool) -> NDArray[np.intp]:
    """Returns for each place of a falling list the last one of its score; its own where equal scores are apart."""
    if not tied or not scores.size:
        return np.arange(len(scores))
    return np.searchsorted(-scores, -scores, side="right") - 1


def _interpolated(hits: Column, listed: Column, targets: Column) -> Column:
    """Returns average precision ``(B,)``; anything where there is no target.

    Precision falls wherever there is no hit, so that only the places of hits decide. Of those of one score the last has
    all of them, and so the highest precision, which the ones before it are raised to, as to any after them.

    Args:
        hits: The weight of each hit by falling score ``(B, K)``.
        listed: The weight of the list down to the end of its score ``(B, K)``.
        targets: The weight of all targets ``(B,)``.
    """
    found = np.cumsum(hits, axis=1)
    precision = found / (listed + _EPSILON)
    precision = np.maximum.accumulate(precision[:, ::-1], axis=1)[:, ::-1]
    recall = found / np.where(targets > 0, targets, 1.0)[:, None]
    # How many recalls are first reached at each place.
    reached = np.searchsorted(RECALLS, recall, side="right")
    new = np.diff(reached, axis=1, prepend=0)
    # Recall 0 is reached by the list as it begins, before any hit; its precision is the highest of all.
    return np.asarray((precision * new).sum(axis=1) / len(RECALLS))
