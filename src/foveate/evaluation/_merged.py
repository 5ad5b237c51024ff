"""Regions that join the target with something else."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Mask, Region, Shape
from foveate.core.rle import Rle, decode, encode
from foveate.core.truths import Truth
from foveate.evaluation.results import Column, Results
from foveate.evaluation.what_if import measured_area, size_of, what_if
from foveate.metrics._overlaps import measure

Rows = NDArray[np.bool_]


def merged(results: Results, rows: Rows, target: Column, hit: float, inside: float) -> Rows:
    """Returns where a region is several things at once, of which the target is one.

    Either the region has connected parts (pixels that touch, in a corner too), and one of them alone would be a hit; or
    there are several accepted targets, and the region holds two of them or more.

    Args:
        results: The run.
        rows: Where to look.
        target: The areas of the targets.
        hit: The least IoU of a hit.
        inside: From this share on a target is held.
    """
    parts: list[tuple[int, Shape]] = []
    joined = np.zeros(len(results), dtype=bool)
    for row, (prediction, truth) in enumerate(zip(results.predictions, results.truths, strict=True)):
        if not rows[row] or prediction is None or prediction.final is None:
            continue
        shape, size_hw = prediction.final.shape, size_of(results, row)
        joined[row] = truth.match == "any" and _held(shape, truth, size_hw, inside) > 1
        if not isinstance(shape, Box) and size_hw is not None:
            parts += [(row, part) for part in _parts(shape.rle(size_hw), hit * float(target[row]))]
    return joined | (what_if(results, parts).best(len(results)) >= hit)


def _held(shape: Shape, truth: Truth, size_hw: SizeHW | None, inside: float) -> int:
    """Returns how many of a truth's targets the region holds."""
    alone: list[Truth] = [replace(truth, targets=(target,), match="single") for target in truth.targets]
    region = Prediction("", "ok", final=Region(shape, None), size_hw=size_hw)
    columns = measure([region] * len(alone), alone)
    predicted = np.array([measured_area(shape, one, size_hw) for one in alone])
    areas = columns["intersection"] + columns["union"] - predicted
    return int((columns["intersection"] >= inside * areas).sum())


def _parts(rle: Rle, least: float) -> list[Mask]:
    """Returns the connected parts whose box is of `least` area or more; none of a region that is of one piece."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(decode(rle).astype(np.uint8), connectivity=8)
    if count <= 2:
        return []
    boxes = stats[:, cv2.CC_STAT_WIDTH].astype(np.int64) * stats[:, cv2.CC_STAT_HEIGHT]
    return [Mask(encode(labels == part)) for part in range(1, count) if boxes[part] >= least]
