"""Attention to region: what a network attended to, on a grid or over boxes, as a map of the photo and as a region.

There is no other place where attention becomes a region. Every choice is an option of `AttentionRule`; which of them a
paper states, and how much the others matter, is told in docs/attention.md.

References:
    Chen, Anjum, Gurari: Grounding Answers for Visual Questions Asked by Visually Impaired People, CVPR 2022, section 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import Boxes, SizeHW
from foveate.core.regions import Box, Mask, Region
from foveate.core.rle import MaskArray, encode, tight_box
from foveate.core.soft_maps import HALF, READINGS, Reading, SoftMap, Values, from_steps, to_steps
from foveate.errors import UsageError

Normalise = Literal["max", "range", "none"]
Cut = Literal["mask", "largest_box", "all_box"]
Paint = Literal["max", "mean", "sum"]
Plane = NDArray[np.float64]
# Boxes are painted in the photo's own pixels, as far as a run should hold them.
PAINT_SIDE = 1024
# Differences below this share of the highest value are the noise of sums, not attention.
_FLAT = 1e-6


@dataclass(frozen=True, slots=True)
class AttentionRule:
    """How attention becomes a region.

    Attributes:
        reading: How a grid is read between the middles of its cells; painted boxes are always read as they are.
        normalise: `max` divides by the highest value, `range` also takes the lowest from all, `none` leaves them.
        threshold: A place belongs to the region from this value on, 0 to 1.
        region: The `mask`, the box around its largest connected part, or one box around all of it.
        paint: What counts where boxes overlap.

    Raises:
        UsageError: An option is none that there is.
    """

    reading: Reading = "bicubic"
    normalise: Normalise = "max"
    threshold: float = HALF
    region: Cut = "mask"
    paint: Paint = "max"

    def __post_init__(self) -> None:
        choices = (("reading", READINGS), ("normalise", get_args(Normalise)), ("region", get_args(Cut)))
        for name, allowed in (*choices, ("paint", get_args(Paint))):
            if getattr(self, name) not in allowed:
                raise UsageError(name, f"it is {getattr(self, name)}", f"Take one of {', '.join(allowed)}.")
        if not 0 < self.threshold <= 1:
            raise UsageError("threshold", f"it is {self.threshold}", "Take a number above 0, to 1.")


def grid_map(attention: NDArray[np.floating], size_hw: SizeHW, rule: AttentionRule) -> SoftMap | None:
    """Returns attention ``(h, w)`` on a grid as a map of a photo; None where it is nought or the same everywhere.

    Raises:
        ValueError: A value is negative or no number.
    """
    values = _normalised(np.asarray(attention, dtype=np.float64), rule)
    return None if values is None else SoftMap.over(_as_kept(values), size_hw, rule.reading)


def box_map(xyxy: Boxes, attention: NDArray[np.floating], size_hw: SizeHW, rule: AttentionRule) -> SoftMap | None:
    """Returns attention ``(R,)`` over boxes ``(R, 4)`` of the photo, painted; None as in `grid_map`.

    A pixel belongs to a box when its middle lies inside; where no box is, the map is nought. A single box is pointed
    at by whatever attention it has.

    Raises:
        ValueError: There is no value for each box, or one is negative or no number.
    """
    if len(xyxy) != len(attention):
        raise ValueError(f"{len(xyxy)} boxes have {len(attention)} values of attention")
    values = np.asarray(attention, dtype=np.float64)
    found = _normalised(values, rule) if len(values) != 1 else _single(values)
    if found is None:
        return None
    painted = _painted(xyxy, found, size_hw, rule.paint)
    highest = float(painted.max())
    return SoftMap.over(_as_kept(painted / max(highest, 1.0)), size_hw, "cells") if highest > 0 else None


def region_of(soft: SoftMap | None, size_hw: SizeHW, rule: AttentionRule) -> Region | None:
    """Returns the region of a map: where it reaches the threshold; None where it does so nowhere."""
    if soft is None:
        return None
    mask = soft.on(size_hw) >= rule.threshold
    if not mask.any():
        return None
    rle = encode(_largest(mask) if rule.region == "largest_box" else mask)
    if rule.region == "mask":
        return Region(Mask(rle), None)
    around = tight_box(rle)
    return Region(Box(around), None) if around else None


def _normalised(values: Plane, rule: AttentionRule) -> Plane | None:
    if not np.isfinite(values).all() or (values < 0).any():
        raise ValueError("attention has no value below 0, and each is a number")
    low, high = (float(values.min()), float(values.max())) if values.size else (0.0, 0.0)
    if high - low <= _FLAT * high:
        return None
    if rule.normalise == "range":
        return (values - low) / (high - low)
    return values / high if rule.normalise == "max" else np.minimum(values, 1.0)


def _as_kept(values: Plane) -> Values:
    """Returns values as a run keeps them, so that what is cut now is what is cut again from the run."""
    return from_steps(to_steps(values), float(values.max()))


def _single(values: Plane) -> Plane | None:
    if not np.isfinite(values).all() or (values < 0).any():
        raise ValueError("attention has no value below 0, and each is a number")
    return np.ones(1) if values[0] > 0 else None


def _painted(xyxy: Boxes, values: Plane, size_hw: SizeHW, paint: Paint) -> Plane:
    """Returns boxes painted on the photo's pixels, or on fewer and larger ones where its sides are long."""
    shrink = min(1.0, PAINT_SIDE / max(size_hw))
    rows, columns = (max(1, round(side * shrink)) for side in size_hw)
    canvas, count = np.zeros((rows, columns)), np.zeros((rows, columns))
    scale = np.array([columns / size_hw[1], rows / size_hw[0]] * 2)
    for box, value in zip(np.ceil(np.asarray(xyxy) * scale - 0.5).astype(int), values, strict=True):
        x0, y0, x1, y1 = np.clip(box, 0, [columns, rows, columns, rows])
        part = canvas[y0:y1, x0:x1]
        canvas[y0:y1, x0:x1] = np.maximum(part, value) if paint == "max" else part + value
        count[y0:y1, x0:x1] += 1
    return canvas / np.maximum(count, 1) if paint == "mean" else canvas


def _largest(mask: MaskArray) -> MaskArray:
    """Returns the largest connected part (by edges and corners); of equal ones the first from the top."""
    import cv2

    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    return np.asarray(labels == 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA])), dtype=np.bool_)
