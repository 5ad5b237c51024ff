"""The columns that every IoU metric of one region against one truth reduces; measured once for all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import as_boxes
from foveate.core.overlap import box_iou
from foveate.core.predictions import Prediction
from foveate.core.truths import Target, Truth

Columns = Mapping[str, NDArray[np.float64]]
Values = dict[str, NDArray[np.float64]]


def measure(predictions: Sequence[Prediction | None], truths: Sequence[Truth]) -> Columns:
    """Returns one row a sample: `iou`, `grounded` and `scored`, each ``float64 (N,)``.

    `grounded` is 1 where the truth has a target, `scored` where in addition the prediction is `ok`. `iou` is 0 where
    `scored` is 0, so that any other state counts as 0 among the grounded (architecture, decision 3).

    Args:
        predictions: One a truth, in the same order; None where it is missing.
        truths: Their targets are boxes; with `match="any"` the best target counts.

    Raises:
        ValueError: The two differ in length, or a truth's `match` is not measured on boxes.
    """
    if len(predictions) != len(truths):
        raise ValueError(f"{len(predictions)} predictions and {len(truths)} truths; they come in pairs")
    grounded = np.array([bool(t.targets) for t in truths], dtype=np.float64)
    pairs = [
        (row, prediction.final.shape.xyxy, target.shape.xyxy)
        for row, (prediction, truth) in enumerate(zip(predictions, truths, strict=True))
        if prediction is not None and prediction.final is not None
        for target in _targets(truth)
    ]
    iou = np.zeros(len(truths))
    scored = np.zeros(len(truths))
    if pairs:
        rows = np.array([row for row, _, _ in pairs])
        values = box_iou(as_boxes([p for _, p, _ in pairs]), as_boxes([t for _, _, t in pairs]), empty=0.0)
        np.maximum.at(iou, rows, values)
        scored[rows] = 1.0
    return {"iou": iou, "grounded": grounded, "scored": scored}


def weighted_mean(
    values: NDArray[np.float64], of: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Returns the means ``(B,)`` of `values` over the rows where `of` is 1; NaN where there are none.

    Args:
        values: ``(N,)``.
        of: ``(N,)``, 0 or 1.
        weights: ``(B, N)``, one row a resample, how often each sample was drawn.
    """
    total = weights @ of
    return np.asarray(np.divide(weights @ (values * of), total, out=np.full(total.shape, np.nan), where=total > 0))


def _targets(truth: Truth) -> tuple[Target, ...]:
    if len(truth.targets) > 1 and truth.match != "any":
        raise ValueError(f"{truth.id}: several boxes with match={truth.match} need masks to be compared")
    return truth.targets
