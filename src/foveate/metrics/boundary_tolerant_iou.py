"""Boundary-tolerant IoU: mean IoU that forgives what two careful hands would draw differently.

Two people who outline the same small text draw lines a few pixels apart, and the IoU of two right drawings can be as
low as 0.58 (Chen, Anjum, Gurari, CVPR 2022, supplement). Here a pixel that only one of the two regions has is forgiven
where the other region is no farther than a tolerance, and counts as if both had it::

    1 - (pixels of one region farther than the tolerance from the other) / (pixels of either)

With no tolerance this is the IoU. The tolerance is a share of the photo's diagonal, since hands err by the size of what
is drawn on, but never more than a quarter of the target's thickness, and regions that share no pixel score 0: a
neighbour is not forgiven.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.core.cards import MetricCard
from foveate.core.predictions import Prediction
from foveate.core.rle import MaskArray, Rle, decode, merge, tight_box
from foveate.core.truths import Truth
from foveate.metrics._cases import Case, box_case
from foveate.metrics._overlaps import Column, Columns, Values, accepted, check_pairs, known_size, means

__all__ = ["CARD", "CASES", "measure", "reduce"]

TOLERANCES = (0.0, 0.0025, 0.005, 0.01, 0.02)

CARD = MetricCard(
    name="boundary_tolerant_iou",
    summary="Mean IoU that forgives differences near the boundary, where two right drawings of a small region differ.",
    shapes=("box", "polygon", "mask"),
    low=0.0,
    high=1.0,
    better="higher",
    states="anything but `ok` on a truth with a target counts 0; a truth without a target is left out",
    reference=(
        "Foveate; the need: Chen, Anjum, Gurari, CVPR 2022, supplement; the tolerance as a share of the diagonal: "
        "Cheng and others, Boundary IoU, CVPR 2021. Boxes are compared as their pixels, so sizes must be known."
    ),
    parameter=f"the tolerance as a share of the photo's diagonal: {', '.join(f'{t:g}' for t in TOLERANCES)}",
    default_parameter=0.005,
)

CASES = (
    # The photo's diagonal is 500, the tolerance 2.5: a line drawn 2 pixels farther out all around is forgiven, but for
    # the pixel in each corner, which is 2.8 away.
    Case("a wider drawing", [box_case((98, 98, 142, 122), (100, 100, 140, 120))], 1 - 4 / 1056, 1 - 4 / 1056),
    # 20 pixels thick: a quarter, 5, is more than 2.5. Columns at distance 3, 4 and 5 remain: 3 x 20 of 45 x 20.
    Case("a longer drawing", [box_case((100, 100, 145, 120), (100, 100, 140, 120))], 1 - 3 / 45, 1 - 3 / 45),
    # 4 pixels thick, so the tolerance is 1: rows at distance 2 remain on the prediction's side, 2 x 40 of (8 x 40).
    Case("a thin target", [box_case((100, 98, 140, 106), (100, 100, 140, 104))], 1 - 2 / 8, 1 - 2 / 8),
    Case("a neighbour", [box_case((100, 100, 140, 120), (140, 100, 180, 120))], 0.0, 0.0),
    Case("no region counts 0", [box_case((0, 0, 9, 9), (0, 0, 9, 9)), box_case(None, (0, 0, 4, 4))], 0.5, 1.0),
)


def measure(predictions: Sequence[Prediction | None], truths: Sequence[Truth]) -> Columns:
    """Returns one column a tolerance (``tolerant@0.005`` …), `grounded` and `scored`, each ``float64 (N,)``.

    Raises:
        ValueError: The two differ in length, or a photo's size is not known.
    """
    check_pairs(predictions, truths)
    tolerant = np.zeros((len(truths), len(TOLERANCES)))
    scored = np.zeros(len(truths))
    for row, (prediction, truth) in enumerate(zip(predictions, truths, strict=True)):
        if prediction is None or prediction.final is None or not truth.targets:
            continue
        scored[row] = 1.0
        size_hw = known_size(truth.size_hw or prediction.size_hw)
        final = prediction.final.shape.rle(size_hw)
        values = [tolerant_values(final, target.rle(size_hw), size_hw) for target in accepted(truth)]
        tolerant[row] = np.max(values, axis=0)
    columns = {_name(tolerance): tolerant[:, n] for n, tolerance in enumerate(TOLERANCES)}
    columns["grounded"] = np.array([bool(t.targets) for t in truths], dtype=np.float64)
    columns["scored"] = scored
    return columns


def reduce(columns: Columns, weights: Column, parameter: float | None = None) -> Values:
    """Returns `value`, `value_scored` and `n`, ``(B,)`` each, for weights ``(B, N)``; NaN where no sample counts.

    Raises:
        ValueError: The tolerance is not one that is measured.
    """
    tolerance = CARD.default_parameter if parameter is None else parameter
    if tolerance not in TOLERANCES:
        raise ValueError(f"boundary_tolerant_iou is measured at {', '.join(map(str, TOLERANCES))}, not at {tolerance}")
    return means(columns[_name(tolerance)], columns["grounded"], columns["scored"], weights)


def tolerant_values(a: Rle, b: Rle, size_hw: SizeHW) -> list[float]:
    """Returns the tolerant IoU of a prediction `a` with a target `b` of one size, one value a tolerance."""
    first, second = _cropped(a, b)
    if not (first & second).any():
        return [0.0] * len(TOLERANCES)
    union = np.count_nonzero(first | second)
    diagonal = float(np.hypot(*size_hw))
    reach = max(TOLERANCES) * diagonal
    apart = np.concatenate([_distances(first & ~second, second, reach), _distances(second & ~first, first, reach)])
    half = _half_thickness(second)
    limits = [min(tolerance * diagonal, half / 2) for tolerance in TOLERANCES]
    return [1.0 - np.count_nonzero(apart > limit) / union for limit in limits]


def _distances(of: MaskArray, to: MaskArray, reach: float) -> NDArray[np.float32]:
    """Returns how far the middle of each pixel of one region is from the nearest of another; inf beyond `reach`."""
    import cv2

    # The distance transform is the costly part; beyond the other region's surroundings nothing is within reach.
    window = _window(to, int(reach) + 1)
    near = of[window]
    beyond = np.full(np.count_nonzero(of) - np.count_nonzero(near), np.inf, dtype=np.float32)
    if not near.any():
        return beyond
    found = cv2.distanceTransform((~to[window]).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    return np.concatenate([found[near], beyond])


def _half_thickness(region: MaskArray) -> float:
    """Returns how far the pixel farthest from the outside is from it."""
    import cv2

    inside = np.pad(region[_window(region, 0)], 1).astype(np.uint8)
    return float(cv2.distanceTransform(inside, cv2.DIST_L2, cv2.DIST_MASK_PRECISE).max())


def _window(region: MaskArray, margin: int) -> tuple[slice, slice]:
    rows, columns = (np.flatnonzero(region.any(axis=axis)) for axis in (1, 0))
    return (
        slice(max(int(rows[0]) - margin, 0), int(rows[-1]) + 1 + margin),
        slice(max(int(columns[0]) - margin, 0), int(columns[-1]) + 1 + margin),
    )


def _cropped(a: Rle, b: Rle) -> tuple[MaskArray, MaskArray]:
    """Returns both masks on the box around them; everything beyond is empty in both."""
    x0, y0, x1, y1 = (int(side) for side in tight_box(merge([a, b])) or (0, 0, 0, 0))
    return decode(a)[y0:y1, x0:x1], decode(b)[y0:y1, x0:x1]


def _name(tolerance: float) -> str:
    return f"tolerant@{tolerance:g}"
