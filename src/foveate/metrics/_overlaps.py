"""The columns that every IoU metric of one region against one truth reduces; measured once for all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW, as_boxes
from foveate.core.overlap import box_iou, mask_iou
from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Mask, Shape
from foveate.core.rle import merge
from foveate.core.truths import Truth

Columns = Mapping[str, NDArray[np.float64]]
Pair = tuple[int, Shape, Shape, SizeHW | None]
Values = dict[str, NDArray[np.float64]]


def measure(predictions: Sequence[Prediction | None], truths: Sequence[Truth]) -> Columns:
    """Returns one row a sample: `iou`, `grounded` and `scored`, each ``float64 (N,)``.

    `grounded` is 1 where the truth has a target, `scored` where in addition the prediction is `ok`. `iou` is 0 where
    `scored` is 0, so that any other state counts as 0 among the grounded (architecture, decision 3).

    Args:
        predictions: One a truth, in the same order; None where it is missing.
        truths: A prediction is compared as a box with a box, and as a mask with anything else; with `match="any"` the
            best target counts, with `union` all of them together.

    Raises:
        ValueError: The two differ in length, or a truth's `match` is not measured on boxes.
    """
    if len(predictions) != len(truths):
        raise ValueError(f"{len(predictions)} predictions and {len(truths)} truths; they come in pairs")
    grounded = np.array([bool(t.targets) for t in truths], dtype=np.float64)
    pairs = [
        (row, prediction.final.shape, target, truth.size_hw or prediction.size_hw)
        for row, (prediction, truth) in enumerate(zip(predictions, truths, strict=True))
        if prediction is not None and prediction.final is not None
        for target in _shapes(truth)
    ]
    iou = np.zeros(len(truths))
    scored = np.zeros(len(truths))
    if pairs:
        rows = np.array([row for row, *_ in pairs])
        np.maximum.at(iou, rows, _values(pairs))
        scored[rows] = 1.0
    return {"iou": iou, "grounded": grounded, "scored": scored}


def _values(pairs: Sequence[Pair]) -> NDArray[np.float64]:
    """Returns the IoU of each pair, as boxes where the target is a box and as masks where it is anything else."""
    values = np.empty(len(pairs))
    boxes = [n for n, (_, _, target, _) in enumerate(pairs) if isinstance(target, Box)]
    if boxes:
        predicted = as_boxes([pairs[n][1].xyxy for n in boxes])
        values[boxes] = box_iou(predicted, as_boxes([pairs[n][2].xyxy for n in boxes]), empty=0.0)
    for n, (_, final, target, size_hw) in enumerate(pairs):
        if not isinstance(target, Box):
            if size_hw is None:
                raise ValueError("masks cannot be compared without the photo's size")
            values[n] = mask_iou([final.rle(size_hw)], [target.rle(size_hw)], empty=0.0).item()
    return values


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


def _shapes(truth: Truth) -> list[Shape]:
    """Returns the shapes of which the best counts; with `union` that is the one mask of all targets together."""
    shapes = [target.shape for target in truth.targets]
    if len(shapes) < 2 or truth.match == "any":
        return shapes
    if truth.match == "union" and truth.size_hw:
        size_hw = truth.size_hw
        return [Mask(merge([shape.rle(size_hw) for shape in shapes]))]
    raise ValueError(f"{truth.id}: several targets with match={truth.match} cannot be measured here")
