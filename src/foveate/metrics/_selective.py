"""What a prediction's score is worth: does the method know when it is wrong?

Everything is over the predictions that give a region and a score. The loss of one is 1 − IoU, where the IoU is 0 for a
region on a truth that has none; a hit is an IoU of at least one half. Calibration asks only for `score`, `rated` and
`hit`, so that the score of an answer is judged by the same functions, with another meaning of a hit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foveate.core.predictions import Prediction
from foveate.metrics._built import Built
from foveate.metrics._overlaps import Column, Columns, ratio
from foveate.metrics._overlaps import measure as measure_overlaps

HIT = 0.5


def _with_scores(overlaps: Columns, predictions: Sequence[Prediction | None]) -> Columns:
    finals = [prediction.final if prediction else None for prediction in predictions]
    scores = [final.score if final else None for final in finals]
    rated = np.array([score is not None for score in scores], dtype=np.float64)
    return {
        "shown": np.array([final is not None for final in finals], dtype=np.float64),
        "rated": rated,
        "score": np.array([0.0 if score is None else score for score in scores], dtype=np.float64),
        "hit": (overlaps["iou"] >= HIT).astype(np.float64),
        # Where the truth has a target, in addition.
        "scored": overlaps["scored"] * rated,
    }


# The columns of `_overlaps`, with `shown`: 1 where the prediction has a region, `rated`: where that has a score, else
# the `score` is 0, and `hit`: 1 where the IoU is at least one half.
measure = Built((measure_overlaps,), _with_scores)


def why_not(columns: Columns) -> str | None:
    """Returns why there is no value, or None where there may be one."""
    return None if columns["rated"].any() else "the predictions have no scores"


@dataclass(frozen=True)
class Curve:
    """The risk–coverage curve: as ever less sure predictions are accepted, how much is covered, and at what loss.

    Attributes:
        coverage: The share of all samples that is covered ``(K,)``, rising; one point for each distinct score.
        risk: The mean loss of what is covered ``(K,)``.
    """

    coverage: Column
    risk: Column


def risk_coverage(columns: Columns) -> Curve:
    """Returns the risk–coverage curve of what was measured; empty where no region has a score."""
    ones = np.ones((1, len(columns["rated"])))
    covered, lost = _accumulated(columns, ones * columns["rated"])
    return Curve(covered[0] / max(1, ones.shape[1]), lost[0] / covered[0])


def area_under_risk(columns: Columns, weights: Column) -> Column:
    """Returns the mean, over the weighted samples by falling score, of the mean loss up to each ``(B,)``.

    Samples of one score enter together, so that their order does not matter.
    """
    covered, lost = _accumulated(columns, weights)
    risk = np.divide(lost, covered, out=np.zeros_like(lost), where=covered > 0)
    return ratio((np.diff(covered, axis=1, prepend=0.0) * risk).sum(axis=1), weights.sum(axis=1))


def _accumulated(columns: Columns, weights: Column) -> tuple[Column, Column]:
    """Returns the summed weights and losses ``(B, K)`` down to each distinct score."""
    order = np.argsort(-columns["score"], kind="stable")
    # A sample without a score weighs nothing in any resample; leaving it out keeps its 0 off the curve.
    order = order[columns["rated"][order] > 0]
    sorted_scores = columns["score"][order]
    ends = np.flatnonzero(np.append(sorted_scores[1:] != sorted_scores[:-1], True)) if order.size else order
    drawn = weights[:, order]
    covered = np.cumsum(drawn, axis=1)[:, ends]
    lost = np.cumsum(drawn * (1.0 - columns["iou"][order]), axis=1)[:, ends]
    return covered, lost


@dataclass(frozen=True)
class Reliability:
    """How often predictions of like score hit.

    Attributes:
        score: Their mean score ``(K,)``, one row a bin that is not empty.
        hits: The share of hits among them ``(K,)``.
        count: How many they are ``(K,)``.
    """

    score: Column
    hits: Column
    count: Column


def reliability(columns: Columns, bins: int) -> Reliability:
    """Returns how often predictions hit, by bins of equal width over their score.

    Args:
        columns: `score`, `rated` and `hit`, of regions or of answers.
        bins: How many.
    """
    given = columns["rated"] > 0
    scores, hits = columns["score"][given], columns["hit"][given]
    bin_of = in_bins(scores, bins)
    count = np.bincount(bin_of, minlength=bins).astype(np.float64)
    full = count > 0
    score, hit = (np.bincount(bin_of, weights=values, minlength=bins)[full] for values in (scores, hits))
    return Reliability(score / count[full], hit / count[full], count[full])


def in_bins(scores: Column, bins: int) -> NDArray[np.int64]:
    """Returns which bin each score lies in; a score of 1 lies in the last."""
    return np.asarray(np.minimum((scores * bins).astype(np.int64), bins - 1))


def calibration_error(columns: Columns, of: Column, weights: Column, bins: int) -> Column:
    """Returns the mean over the weighted samples of how far score and hits are apart in their bin ``(B,)``.

    Args:
        columns: `score` and `hit`, of regions or of answers.
        of: 1 where a sample counts ``(N,)``.
        weights: ``(B, N)``.
        bins: How many, of equal width.
    """
    rows = np.flatnonzero(of)
    if not rows.size:
        return np.full(len(weights), np.nan)
    # Samples of one bin stand together, so that its sum is that of a stretch; empty bins cost nothing.
    bin_of = in_bins(columns["score"][rows], bins)
    order = np.argsort(bin_of, kind="stable")
    rows, bin_of = rows[order], bin_of[order]
    gaps = columns["hit"][rows] - columns["score"][rows]
    starts = np.flatnonzero(np.append(True, bin_of[1:] != bin_of[:-1]))
    drawn = weights[:, rows]
    apart = np.abs(np.add.reduceat(drawn * gaps, starts, axis=1)).sum(axis=1)
    return ratio(apart, drawn.sum(axis=1))
