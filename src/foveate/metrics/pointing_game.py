"""The pointing game: does the method's strongest point lie on the evidence?"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from foveate.core.boxes import SizeHW
from foveate.core.cards import MetricCard
from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Shape
from foveate.core.rle import distance
from foveate.core.truths import TargetShape, Truth
from foveate.metrics._cases import Case, box_case
from foveate.metrics._overlaps import Column, Columns, Values, accepted, check_pairs, known_size, means

__all__ = ["CARD", "CASES", "measure", "reduce"]

CARD = MetricCard(
    name="pointing_game",
    summary="Share of samples whose strongest point (the score map's peak, else the region's middle) is on the target.",
    shapes=("box", "polygon", "mask", "score map"),
    low=0.0,
    high=1.0,
    better="higher",
    states="anything but `ok` on a truth with a target counts 0; a truth without a target is left out",
    reference=(
        "Zhang and others: Top-down Neural Attention by Excitation Backprop, ECCV 2016 (15 pixels of tolerance). "
        "Without a score map the point is the middle of the box around the region; a map of one value has no point."
    ),
    parameter="how many pixels beside the target still count, at least 0",
    default_parameter=15.0,
)

CASES = (
    Case("the middle is inside", [box_case((0, 0, 10, 10), (4, 4, 100, 100))], 1.0, 1.0),
    # The middle (5, 5) is 12 right and 9 down from the corner: 15 away, which still counts.
    Case("just near enough", [box_case((0, 0, 10, 10), (17, 14, 20, 20))], 1.0, 1.0),
    Case("just too far", [box_case((0, 0, 10, 10), (17.1, 14, 20, 20))], 0.0, 0.0),
    Case("no region counts 0", [box_case((0, 0, 10, 10), (0, 0, 9, 9)), box_case(None, (0, 0, 4, 4))], 0.5, 1.0),
)


def measure(predictions: Sequence[Prediction | None], truths: Sequence[Truth]) -> Columns:
    """Returns `distance` in pixels (inf without a point), `grounded` and `scored`, each ``float64 (N,)``.

    Raises:
        ValueError: The two differ in length, or a mask's size is not known.
        InputError: A score map of a run cannot be read.
    """
    check_pairs(predictions, truths)
    away = np.full(len(truths), np.inf)
    scored = np.zeros(len(truths))
    for row, (prediction, truth) in enumerate(zip(predictions, truths, strict=True)):
        if prediction is None or prediction.final is None or not truth.targets:
            continue
        scored[row] = 1.0
        point = prediction.map.load().peak() if prediction.map else _middle(prediction.final.shape)
        if point:
            size_hw = truth.size_hw or prediction.size_hw
            away[row] = min(_distance(target, point, size_hw) for target in accepted(truth))
    grounded = np.array([bool(t.targets) for t in truths], dtype=np.float64)
    return {"distance": away, "grounded": grounded, "scored": scored}


def reduce(columns: Columns, weights: Column, parameter: float | None = None) -> Values:
    """Returns `value`, `value_scored` and `n`, ``(B,)`` each, for weights ``(B, N)``; NaN where no sample counts.

    Raises:
        ValueError: The tolerance is no number of at least 0.
    """
    tolerance = CARD.default_parameter if parameter is None else parameter
    if tolerance is None or not 0.0 <= tolerance < math.inf:
        raise ValueError(f"pointing_game takes a number of pixels of at least 0, not {tolerance}")
    on_target = (columns["distance"] <= tolerance).astype(np.float64)
    return means(on_target, columns["grounded"], columns["scored"], weights)


def _middle(shape: Shape) -> tuple[float, float]:
    x0, y0, x1, y1 = shape.xyxy
    return (x0 + x1) / 2, (y0 + y1) / 2


def _distance(target: TargetShape, point: tuple[float, float], size_hw: SizeHW | None) -> float:
    x, y = point
    if isinstance(target, Box):
        x0, y0, x1, y1 = target.xyxy
        return math.hypot(max(x0 - x, x - x1, 0.0), max(y0 - y, y - y1, 0.0))
    return distance(target.rle(known_size(size_hw)), x, y)
