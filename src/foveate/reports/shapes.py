"""Regions as SVG paths in the photo's own pixels; never another shape than the one that is scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from foveate.core.boxes import SizeHW
from foveate.core.masks import outlines
from foveate.core.polygons import Corners, clip_corners
from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Polygon
from foveate.core.rle import Rle, decode, encode
from foveate.core.truths import TargetShape, Truth
from foveate.metrics._overlaps import accepted, measure
from foveate.reports._svg import number

# A mask of noise has an outline of megabytes; from here on it is drawn more coarsely, and the card says so.
MAX_PATH = 60_000
# Likewise before any outline is taken, since that of millions of specks takes gigabytes: bytes of the encoding.
MAX_CODE = 400_000


@dataclass(frozen=True, slots=True)
class Drawn:
    """A region as paths, each filled by the even-odd rule; their union is the region.

    Attributes:
        paths: The values of `d`.
        coarse: By how much the sides of a mask were divided before its outline was taken; 1 for the very shape.
        problem: Why it cannot be drawn here, or None.
    """

    paths: tuple[str, ...]
    coarse: int = 1
    problem: str | None = None


def drawn(shape: TargetShape, size_hw: SizeHW) -> Drawn:
    """Returns a region's paths; of a soft map the pixels of at least one half, as it is scored.

    A mask of another size than the photo, which only a data set without sizes lets pass, is not drawn.
    """
    if isinstance(shape, Box):
        x0, y0, x1, y1 = map(number, shape.xyxy)
        return Drawn((f"M{x0} {y0}H{x1}V{y1}H{x0}Z",))
    if isinstance(shape, Polygon):
        parts = [clip_corners(np.array(part), size_hw) for part in shape.parts]
        return Drawn(tuple(_polygon(part) for part in parts))
    try:
        return _mask(shape.rle(size_hw))
    except ValueError as error:
        return Drawn((), problem=str(error))


def counting(truth: Truth, prediction: Prediction | None) -> tuple[int, ...]:
    """Returns which targets a prediction is compared with: all together, or of several accepted ones the best."""
    if len(truth.targets) > 1 and truth.match == "any" and prediction is not None and prediction.final is not None:
        alone = [replace(truth, targets=(target,), match="single") for target in truth.targets]
        try:
            return (int(np.argmax(measure([prediction] * len(alone), alone)["iou"])),)
        except ValueError:
            pass  # Without the photo's size nothing tells which is the best.
    return tuple(range(len(truth.targets)))


def comparable(truth: Truth) -> bool:
    """Returns whether the targets are compared with one region."""
    try:
        return bool(accepted(truth))
    except ValueError:
        return False


def _polygon(corners: Corners) -> str:
    points = [f"{number(x)} {number(y)}" for x, y in corners.tolist()]
    return f"M{points[0]}L{' '.join(points[1:])}Z"


def _mask(rle: Rle) -> Drawn:
    by, found = 1, rle
    while len(found.counts) > MAX_CODE:
        by *= 2
        found = _coarser(rle, by)
    path = _staircase(outlines(found), by)
    while len(path) > MAX_PATH and min(rle.size_hw) > by * 4:
        by *= 2
        path = _staircase(outlines(_coarser(rle, by)), by)
    return Drawn((path,), by)


def _staircase(loops: Sequence[Corners], scale: int = 1) -> str:
    """Returns outlines along pixels' edges as a path of level and upright steps."""
    parts = []
    for corners in loops:
        # Corners come in pairs, each the ends of a level edge.
        whole = (corners * scale).astype(int)
        steps = np.diff(whole, axis=0).tolist()
        (x, y) = whole[0].tolist()
        parts.append(f"M{x} {y}" + "".join(f"h{dx}" if dx else f"v{dy}" for dx, dy in steps if dx or dy) + "z")
    return "".join(parts)


def _coarser(rle: Rle, by: int) -> Rle:
    """Returns a mask of so many times shorter sides: a pixel is set where at least half of its pixels were."""
    mask = decode(rle)
    height, width = (-(-side // by) for side in mask.shape)
    padded = np.zeros((height * by, width * by), dtype=np.float32)
    padded[: mask.shape[0], : mask.shape[1]] = mask
    shares = padded.reshape(height, by, width, by).mean(axis=(1, 3))
    # A thin region, none of whose pixels is half full, is drawn by its fullest.
    return encode(shares >= min(0.5, float(shares.max())))
