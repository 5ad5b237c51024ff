"""What the IoU would be with another region in place of the final one; THE scorer measures it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from foveate.core.boxes import SizeHW, box_area
from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Region, Shape
from foveate.core.rle import area
from foveate.core.soft_maps import ScoreMap
from foveate.core.truths import Truth
from foveate.evaluation.results import Column, Results
from foveate.metrics._overlaps import Columns, known_size, measure


@dataclass(frozen=True, eq=False)
class WhatIf:
    """Regions that might have been predicted.

    Attributes:
        rows: Of each region the row of its truth ``(K,)``.
        columns: Of `foveate.metrics._overlaps`, one row a region.
    """

    rows: Sequence[int]
    columns: Columns

    def best(self, count: int) -> Column:
        """Returns the highest IoU for each of `count` truths; 0 where no region was tried."""
        highest = np.zeros(count)
        np.maximum.at(highest, np.array(self.rows, dtype=np.int64), self.columns["iou"])
        return highest


def what_if(results: Results, regions: Sequence[tuple[int, Shape]]) -> WhatIf:
    """Returns how regions would score.

    Args:
        results: The run.
        regions: Each with the row of the truth that it is tried on.
    """
    rows = [row for row, _ in regions]
    tried = [Prediction("", "ok", final=Region(shape, None), size_hw=size_of(results, row)) for row, shape in regions]
    return WhatIf(rows, measure(tried, [results.truths[row] for row in rows]))


def size_of(results: Results, row: int) -> SizeHW | None:
    """Returns the size of a sample's photo, by the truth, else by the prediction; None where neither says."""
    prediction = results.predictions[row]
    return results.truths[row].size_hw or (prediction.size_hw if prediction else None)


def mapped(results: Results) -> Iterator[tuple[int, ScoreMap, SizeHW | None]]:
    """Yields the row, the map (not read yet) and the photo's size, where known, of samples with a target and a map."""
    for row, (prediction, truth) in enumerate(zip(results.predictions, results.truths, strict=True)):
        if prediction is not None and prediction.map is not None and truth.targets:
            yield row, prediction.map, size_of(results, row)


def measured_area(shape: Shape, truth: Truth, size_hw: SizeHW | None) -> float:
    """Returns a region's area in square pixels as it is compared with the target that counts: as a box with a box."""
    if _compared_as_box(shape, truth, size_hw):
        return float(box_area(shape.xyxy))
    return float(area(shape.rle(known_size(size_hw))))


def _compared_as_box(shape: Shape, truth: Truth, size_hw: SizeHW | None) -> bool:
    if len(truth.targets) > 1 and truth.match == "union":
        return False  # All together they are a mask, of boxes too.
    boxes = [isinstance(target.shape, Box) for target in truth.targets]
    if len(set(boxes)) < 2:
        return all(boxes)
    # Of boxes and masks the best counts, by its own way of comparing.
    alone = [Truth(truth.id, targets=(target,), size_hw=truth.size_hw) for target in truth.targets]
    region = Prediction("", "ok", final=Region(shape, None), size_hw=size_hw)
    return boxes[int(np.argmax(measure([region] * len(alone), alone)["iou"]))]
