"""The columns that every IoU metric of one region against one truth reduces; measured once for all of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW, as_boxes, box_area
from foveate.core.overlap import box_overlap, mask_overlap, over_union
from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Mask, Shape
from foveate.core.rle import area, merge
from foveate.core.truths import TargetShape, Truth

Column = NDArray[np.float64]
Columns = Mapping[str, Column]
Values = dict[str, Column]
Pair = tuple[int, Shape, TargetShape, SizeHW | None]


def measure(predictions: Sequence[Prediction | None], truths: Sequence[Truth]) -> Columns:
    """Returns one row a sample: `iou`, `intersection`, `union`, `grounded` and `scored`, each ``float64 (N,)``.

    `grounded` is 1 where the truth has a target, `scored` where in addition the prediction is `ok`. `iou` is 0 where
    `scored` is 0, so that any other state counts as 0 among the grounded (architecture, decision 3). `intersection` and
    `union` are in square pixels; without a region the union is the target.

    Args:
        predictions: One a truth, in the same order; None where it is missing.
        truths: A prediction is compared as a box with a box, and as a mask with anything else; with `match="any"` the
            best target counts, with `union` all of them together.

    Raises:
        ValueError: The two differ in length, or a truth's `match` is not measured on regions.
    """
    check_pairs(predictions, truths)
    pairs: list[Pair] = []
    others: list[tuple[int, TargetShape, SizeHW | None]] = []
    for row, (prediction, truth) in enumerate(zip(predictions, truths, strict=True)):
        size_hw = truth.size_hw or (prediction.size_hw if prediction else None)
        for target in accepted(truth):
            if prediction is not None and prediction.final is not None:
                pairs.append((row, prediction.final.shape, target, size_hw))
            else:
                others.append((row, target, size_hw))
    columns = {name: np.zeros(len(truths)) for name in ("iou", "intersection", "union")}
    columns["grounded"] = np.array([bool(t.targets) for t in truths], dtype=np.float64)
    columns["scored"] = np.zeros(len(truths))
    _fill_pairs(columns, pairs)
    # Of several accepted regions the smallest, which costs a method that says nothing the least.
    least: dict[int, float] = {}
    for row, target, size_hw in others:
        least[row] = min(_area(target, size_hw), least.get(row, math.inf))
    columns["union"][list(least)] = list(least.values())
    return columns


def check_pairs(predictions: Sequence[Prediction | None], truths: Sequence[Truth]) -> None:
    """Refuses predictions and truths that are not one to one.

    Raises:
        ValueError: They differ in length.
    """
    if len(predictions) != len(truths):
        raise ValueError(f"{len(predictions)} predictions and {len(truths)} truths; they come in pairs")


def accepted(truth: Truth) -> list[TargetShape]:
    """Returns the shapes of which the best counts; with `union` that is the one mask of all targets together.

    Raises:
        ValueError: The truth's targets count in another way.
    """
    shapes = [target.shape for target in truth.targets]
    if len(shapes) < 2 or truth.match == "any":
        return shapes
    if truth.match == "union" and truth.size_hw:
        size_hw = truth.size_hw
        return [Mask(merge([shape.rle(size_hw) for shape in shapes]))]
    raise ValueError(f"{truth.id}: several targets with match={truth.match} cannot be measured here")


def known_size(size_hw: SizeHW | None) -> SizeHW:
    """Returns the photo's size.

    Raises:
        ValueError: It is not known.
    """
    if size_hw is None:
        raise ValueError("masks cannot be compared without the photo's size")
    return size_hw


def weighted_mean(values: Column, of: Column, weights: Column) -> Column:
    """Returns the means ``(B,)`` of `values` over the rows where `of` is 1; NaN where there are none.

    Args:
        values: ``(N,)``.
        of: ``(N,)``, 0 or 1.
        weights: ``(B, N)``, one row a resample, how often each sample was drawn.
    """
    return ratio(weighted_sum(values * of, weights), weights @ of)


def weighted_sum(values: Column, weights: Column) -> Column:
    """Returns the sums ``(B,)`` of `values` ``(N,)`` for weights ``(B, N)``.

    That of a single row, of which values are made, is rounded once: products of matrices differ in their last digits
    from processor to processor, and a value is to be the same on all of them. Of resamples they are good enough.
    """
    if len(weights) == 1:
        return np.array([math.fsum((values * weights[0]).tolist())])
    return np.asarray(weights @ values)


def ratio(over: Column, under: Column) -> Column:
    """Returns `over` / `under`; NaN where `under` is 0, which is how a metric says that it is not defined."""
    return np.asarray(np.divide(over, under, out=np.full(np.shape(under), np.nan), where=under > 0))


def means(values: Column, of: Column, scored: Column, weights: Column) -> Values:
    """Returns what the metrics that are plain means reduce to: `value` over `of`, `value_scored` over `scored`, `n`."""
    n = weights @ of
    return {
        "value": ratio(weighted_sum(values * of, weights), n),
        "value_scored": weighted_mean(values, scored, weights),
        "n": n,
    }


def _fill_pairs(columns: dict[str, Column], pairs: Sequence[Pair]) -> None:
    if not pairs:
        return
    rows = np.array([row for row, *_ in pairs])
    intersection, union = _overlaps(pairs)
    iou = over_union(intersection, union, empty=0.0)
    # By falling IoU within a row, so that the first of a row is the target that counts.
    order = np.lexsort((-iou, rows))
    best = order[np.unique(rows[order], return_index=True)[1]]
    for name, values in (("iou", iou), ("intersection", intersection), ("union", union)):
        columns[name][rows[best]] = values[best]
    columns["scored"][rows] = 1.0


def _overlaps(pairs: Sequence[Pair]) -> tuple[Column, Column]:
    """Returns the overlap of each pair, as boxes where the target is a box and as masks where it is anything else."""
    intersection, union = np.empty(len(pairs)), np.empty(len(pairs))
    boxes = [n for n, (_, _, target, _) in enumerate(pairs) if isinstance(target, Box)]
    if boxes:
        predicted = as_boxes([pairs[n][1].xyxy for n in boxes])
        intersection[boxes], union[boxes] = box_overlap(predicted, as_boxes([pairs[n][2].xyxy for n in boxes]))
    masks = [n for n, (_, _, target, _) in enumerate(pairs) if not isinstance(target, Box)]
    if masks:
        sizes = [known_size(pairs[n][3]) for n in masks]
        found = [pairs[n][1].rle(size) for n, size in zip(masks, sizes, strict=True)]
        wanted = [pairs[n][2].rle(size) for n, size in zip(masks, sizes, strict=True)]
        intersection[masks], union[masks] = mask_overlap(found, wanted)
    return intersection, union


def _area(target: TargetShape, size_hw: SizeHW | None) -> float:
    if isinstance(target, Box):
        return float(box_area(target.xyxy))
    return float(area(target.rle(known_size(size_hw))))
