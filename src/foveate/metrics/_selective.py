"""What a prediction's score is worth: does the method know when it is wrong?

Everything is over the predictions that give a region. The loss of one is 1 − IoU, where the IoU is 0 for a region on a
truth that has none; a hit is an IoU of at least one half.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from foveate.core.predictions import Prediction
from foveate.core.truths import Truth
from foveate.metrics._overlaps import Column, Columns, ratio
from foveate.metrics._overlaps import measure as measure_overlaps

HIT = 0.5


def measure(predictions: Sequence[Prediction | None], truths: Sequence[Truth]) -> Columns:
    """Returns the columns of `_overlaps`, with `region`, 1 where the prediction gives one, and its `score`.

    Raises:
        ValueError: As there.
    """
    columns = dict(measure_overlaps(predictions, truths))
    finals = [prediction.final if prediction else None for prediction in predictions]
    columns["region"] = np.array([final is not None for final in finals], dtype=np.float64)
    columns["score"] = np.array([final.score if final else 0.0 for final in finals], dtype=np.float64)
    return columns


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
    """Returns the risk–coverage curve of what was measured; empty where no prediction gives a region."""
    ones = np.ones((1, len(columns["region"])))
    covered, lost = _accumulated(columns, ones * columns["region"])
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
    # A sample without a region weighs nothing in any resample; leaving it out keeps its score of 0 off the curve.
    order = order[columns["region"][order] > 0]
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
    """Returns how often predictions hit, by bins of equal width over their score."""
    membership = in_bins(columns, bins) * columns["region"][:, None]
    count = membership.sum(axis=0)
    full = count > 0
    hit = (columns["iou"] >= HIT).astype(np.float64)
    return Reliability(
        (columns["score"] @ membership)[full] / count[full], (hit @ membership)[full] / count[full], count[full]
    )


def in_bins(columns: Columns, bins: int) -> Column:
    """Returns which bin each score lies in, ``(N, bins)`` of 0 and 1; a score of 1 lies in the last."""
    index = np.minimum((columns["score"] * bins).astype(int), bins - 1)
    return np.asarray(np.eye(bins)[index])
