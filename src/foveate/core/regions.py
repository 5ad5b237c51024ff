"""A region: a shape in the image, with the score that a grounder gives it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from foveate.core.boxes import box_problem


@dataclass(frozen=True, slots=True)
class Box:
    """A box ``(x0, y0, x1, y1)``: upright pixels, half-open, finite, with an area.

    Raises:
        ValueError: It is inverted, empty or not finite.
    """

    xyxy: tuple[float, float, float, float]

    def __post_init__(self) -> None:
        x0, y0, x1, y1 = self.xyxy
        problem = box_problem(self.xyxy)
        if problem:
            raise ValueError(problem)
        object.__setattr__(self, "xyxy", (float(x0), float(y0), float(x1), float(y1)))


Shape = Box


@dataclass(frozen=True, slots=True)
class Region:
    """One predicted shape with its score and, where the method names it, its label.

    Attributes:
        shape: Where it is.
        score: How sure the method is, 0 to 1; comparable within one method only.
        label: What the method takes it for ("cat"), or the text that it reads there.
    """

    shape: Shape
    score: float
    label: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.shape, Box):
            raise ValueError(f"a region's shape is a Box, not {type(self.shape).__name__}")
        # Methods hand over NumPy's numbers; what is stored is Python's.
        object.__setattr__(self, "score", float(self.score))
        if self.label is not None and not isinstance(self.label, str):
            raise ValueError(f"a label is a text, not {self.label!r}")
        if not (math.isfinite(self.score) and 0.0 <= self.score <= 1.0):
            raise ValueError(f"a region's score is a number from 0 to 1, not {self.score}")
