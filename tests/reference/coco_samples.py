"""Random and adversarial samples by their seed, the same for every library, and how COCO writes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from foveate.core.boxes import SizeHW
from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Mask, Region
from foveate.core.rle import area, decode, encode
from foveate.core.truths import Target, Truth

SIZE: SizeHW = (12, 16)
# A region or None, a target or None, and the region's score.
Sample = tuple[Box | Mask | None, Box | Mask | None, float]


def samples(seed: int, *, masks: bool, ties: bool, whole: bool = False) -> list[Sample]:
    """Returns up to 24 samples: no region, no target, neither, the very target, nearly it, beside it, anything.

    Args:
        seed: Of all that is drawn.
        masks: Masks instead of boxes.
        ties: Few different scores instead of all different ones.
        whole: Boxes of whole pixels, whose IoU is often exactly a threshold.
    """
    rng = np.random.default_rng([seed, masks, ties, whole])
    n = int(rng.integers(1, 25))
    scores = rng.integers(1, 4, n) / 4 if ties else (rng.permutation(n) + 1) / (n + 1)
    found: list[Sample] = []
    for score in scores.tolist():
        target = None if rng.random() < 0.15 else _mask(rng) if masks else _box(rng, whole)
        found.append((_region(rng, target, masks, whole), target, score))
    return found


def as_foveate(of: Sequence[Sample]) -> tuple[list[Prediction], list[Truth]]:
    """Returns the samples as Foveate has them."""
    predictions = [
        Prediction(str(n), "ok", final=Region(shape, score), size_hw=SIZE)
        if shape
        else Prediction(str(n), "no_region", size_hw=SIZE, reason="nothing")
        for n, (shape, _, score) in enumerate(of)
    ]
    truths = [
        Truth(str(n), (), (Target(target),) if target else (), answerable=target is not None, size_hw=SIZE)
        for n, (_, target, _) in enumerate(of)
    ]
    return predictions, truths


def as_coco(of: Sequence[Sample], *, first_id: int = 1) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Returns the targets as COCO's file has them, and the results."""
    images = [{"id": n + 1, "height": SIZE[0], "width": SIZE[1]} for n in range(len(of))]
    targets: list[dict[str, Any]] = []
    results = []
    for n, (shape, target, score) in enumerate(of, 1):
        if target:
            targets.append(_entry(target, n) | {"id": first_id + len(targets), "iscrowd": 0})
        if shape:
            results.append(_entry(shape, n) | {"score": score})
    categories = [{"id": 1, "name": "evidence"}]
    return {"info": {}, "images": images, "annotations": targets, "categories": categories}, results


def _entry(shape: Box | Mask, photo: int) -> dict[str, Any]:
    left, top, right, bottom = shape.xyxy
    entry: dict[str, Any] = {"image_id": photo, "category_id": 1, "bbox": [left, top, right - left, bottom - top]}
    if isinstance(shape, Box):
        return entry | {"area": (right - left) * (bottom - top)}
    counts = shape.encoded.counts.decode("ascii")
    return entry | {"segmentation": {"size": list(SIZE), "counts": counts}, "area": area(shape.encoded)}


def _region(rng: np.random.Generator, target: Box | Mask | None, masks: bool, whole: bool) -> Box | Mask | None:
    kind = rng.integers(8)
    if kind == 0:
        return None
    if kind == 1 and target:
        return target
    if kind < 5 and isinstance(target, Mask):
        return _worn(rng, target)
    if kind < 5 and isinstance(target, Box):
        return _moved(rng, target, whole)
    return _mask(rng) if masks else _box(rng, whole)


def _box(rng: np.random.Generator, whole: bool) -> Box:
    height, width = SIZE
    low, high = (np.sort(rng.uniform(0, side, 2)) for side in (width, height))
    if whole:
        low, high = np.floor(low), np.floor(high)
    # At least a pixel, or a hair's breadth.
    least = 1.0 if whole else float(rng.choice([0.001, 0.5]))
    left, top = min(low[0], width - least), min(high[0], height - least)
    return Box((left, top, max(low[1], left + least), max(high[1], top + least)))


def _moved(rng: np.random.Generator, box: Box, whole: bool) -> Box:
    """Returns a box with some sides moved; or one that touches it, so that they share a side and no area."""
    left, top, right, bottom = box.xyxy
    if rng.random() < 0.1 and right + 1 <= SIZE[1]:
        return Box((right, top, SIZE[1], bottom))
    by = rng.integers(-2, 3, 4) if whole else rng.uniform(-1.5, 1.5, 4)
    x0, y0 = max(0.0, left + by[0]), max(0.0, top + by[1])
    x1, y1 = min(SIZE[1], right + by[2]), min(SIZE[0], bottom + by[3])
    return Box((x0, y0, x1, y1)) if x0 < x1 and y0 < y1 else box


def _mask(rng: np.random.Generator) -> Mask:
    kind = rng.integers(4)
    bits = np.zeros(SIZE, dtype=bool)
    if kind == 0:
        bits = rng.random(SIZE) < rng.random()
    elif kind == 1:
        y, x = np.ogrid[: SIZE[0], : SIZE[1]]
        bits = (y - rng.uniform(0, SIZE[0])) ** 2 + (x - rng.uniform(0, SIZE[1])) ** 2 < rng.uniform(1, 60)
    elif kind == 2:
        bits[:, rng.integers(SIZE[1]) :] = True
    bits[rng.integers(SIZE[0]), rng.integers(SIZE[1])] = True
    return Mask(encode(bits))


def _worn(rng: np.random.Generator, mask: Mask) -> Mask:
    """Returns a mask with some pixels turned over."""
    bits = decode(mask.encoded) ^ (rng.random(SIZE) < rng.choice([0.01, 0.1, 0.3]))
    return Mask(encode(bits)) if bits.any() else mask
