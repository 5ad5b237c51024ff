"""Judgements for tests."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from foveate.core.masks import box_to_rle
from foveate.core.regions import Box, Mask, Polygon, Shape
from foveate.quality.judgements import Judgement, Said

SIZE_HW = (40, 60)
Sides = tuple[float, float, float, float]


def judged(task: str, annotator: str, shape: Shape | None, size_hw: tuple[int, int] = SIZE_HW) -> Judgement:
    """Returns a judgement that is a shape, or that nothing can be drawn."""
    return Judgement(task, annotator, size_hw, Said(outcome="box" if shape else "cannot_draw", shape=shape))


def boxed(task: str, annotator: str, *sides: float, size_hw: tuple[int, int] = SIZE_HW) -> Judgement:
    """Returns a judgement that is a box."""
    x0, y0, x1, y1 = sides
    return judged(task, annotator, Box((x0, y0, x1, y1)), size_hw)


def corners(x0: float, y0: float, x1: float, y1: float) -> Polygon:
    """Returns a box as a polygon."""
    return Polygon((((x0, y0), (x1, y0), (x1, y1), (x0, y1)),))


def mask(*sides: float, size_hw: tuple[int, int] = SIZE_HW) -> Mask:
    """Returns the pixels of a box."""
    x0, y0, x1, y1 = sides
    return Mask(box_to_rle((x0, y0, x1, y1), size_hw))


def random_boxes(rng: np.random.Generator, count: int, size_hw: tuple[int, int] = SIZE_HW) -> list[Sides]:
    """Returns boxes anywhere on a photo, many of them small."""
    height, width = size_hw
    low = rng.uniform(0, 0.8, (count, 2))
    high = low + rng.uniform(0.02, 1.0, (count, 2)) ** 2 * (1 - low)
    boxes = np.concatenate([low, high], axis=1) * (width, height, width, height)
    return [(x0, y0, x1, y1) for x0, y0, x1, y1 in boxes.tolist()]


def crowd(seed: int, tasks: int, people: Sequence[str] = ("a", "b", "c"), noise: float = 2.0) -> list[Judgement]:
    """Returns boxes of people who see the same thing and draw it not quite alike; each leaves some tasks out."""
    rng = np.random.default_rng(seed)
    found = []
    for task, sides in enumerate(random_boxes(rng, tasks)):
        for person in people:
            if rng.uniform() < 0.85:
                x0, y0, x1, y1 = np.array(sides) + rng.normal(0, noise, 4)
                found.append(boxed(f"t{task}", person, min(x0, x1 - 1), min(y0, y1 - 1), x1, y1))
    return found
