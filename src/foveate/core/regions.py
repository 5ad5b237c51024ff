"""Shapes in the image, and a region: a shape with the score that a grounder gives it.

Every shape tells its surrounding box (`xyxy`), its mask on an image (`rle`), and what is wrong with it there
(`problem`). What each conversion loses is told in `foveate.core.masks`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import cast

from foveate.core.boxes import SizeHW, box_problem, size_difference
from foveate.core.masks import box_to_rle
from foveate.core.polygons import as_corners, is_flat, outside_by, polygon_box, rasterise
from foveate.core.rle import Rle, area, tight_box

Point = tuple[float, float]
Sides = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """A box ``(x0, y0, x1, y1)``: upright pixels, half-open, finite, with an area.

    Raises:
        ValueError: It is inverted, empty or not finite.
    """

    xyxy: Sides

    def __post_init__(self) -> None:
        x0, y0, x1, y1 = self.xyxy
        problem = box_problem(self.xyxy)
        if problem:
            raise ValueError(problem)
        object.__setattr__(self, "xyxy", (float(x0), float(y0), float(x1), float(y1)))

    def problem(self, size_hw: SizeHW) -> str | None:
        """Returns what is wrong with the box on an image, or None."""
        return box_problem(self.xyxy, size_hw)

    def rle(self, size_hw: SizeHW) -> Rle:
        """Returns the pixels whose centre lies inside."""
        return box_to_rle(self.xyxy, size_hw)


@dataclass(frozen=True, slots=True)
class Polygon:
    """One or several outlines whose union is the shape, each at least three points ``(x, y)``, upright pixels.

    A repeated closing point is left out.

    Raises:
        ValueError: There is no outline, or one has fewer than three points or no area, or is not finite.
    """

    parts: tuple[tuple[Point, ...], ...]

    def __post_init__(self) -> None:
        corners = [as_corners(part) for part in self.parts]
        if not corners:
            raise ValueError("the polygon has no outline")
        if all(is_flat(part) for part in corners):
            raise ValueError("the polygon has no area")
        object.__setattr__(self, "parts", tuple(tuple((x, y) for x, y in part.tolist()) for part in corners))

    @property
    def xyxy(self) -> Sides:
        """The box around all outlines."""
        boxes = [polygon_box(as_corners(part)) for part in self.parts]
        left, top, right, bottom = zip(*boxes, strict=True)
        return min(left), min(top), max(right), max(bottom)

    def problem(self, size_hw: SizeHW) -> str | None:
        """Returns what is wrong with the polygon on an image, or None."""
        farthest = max(outside_by(as_corners(part), size_hw) for part in self.parts)
        if farthest > 0:
            height, width = size_hw
            return f"the polygon reaches {farthest:.10g} pixels outside the image, {width} wide and {height} high"
        return None

    def rle(self, size_hw: SizeHW) -> Rle:
        """Returns the pixels whose centre lies inside (design/rasterisation.md)."""
        return rasterise([as_corners(part) for part in self.parts], size_hw)


@dataclass(frozen=True, slots=True)
class Mask:
    """A set of pixels, at least one, of an image of the encoding's size.

    Raises:
        ValueError: No pixel is set.
    """

    encoded: Rle

    def __post_init__(self) -> None:
        if area(self.encoded) == 0:
            raise ValueError("the mask is empty")

    @property
    def xyxy(self) -> Sides:
        """The tight box around the pixels."""
        return cast(Sides, tight_box(self.encoded))  # An empty mask was refused when it was built.

    def problem(self, size_hw: SizeHW) -> str | None:
        """Returns what is wrong with the mask on an image, or None."""
        difference = size_difference(self.encoded.size_hw, size_hw)
        return f"the mask is {difference}" if difference else None

    def rle(self, size_hw: SizeHW) -> Rle:
        """Returns the encoding.

        Raises:
            ValueError: It is of another size; a mask is never resized in silence.
        """
        problem = self.problem(size_hw)
        if problem:
            raise ValueError(problem)
        return self.encoded


Shape = Box | Polygon | Mask


@dataclass(frozen=True, slots=True)
class Region:
    """One predicted shape with its score and, where the method names it, its label.

    Attributes:
        shape: Where it is.
        score: How sure the method is, 0 to 1; comparable within one method only. None where the method does not say.
        label: What the method takes it for ("cat"), or the text that it reads there.
    """

    shape: Shape
    score: float | None
    label: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.shape, Shape):
            raise ValueError(f"a region's shape is a Box, Polygon or Mask, not {type(self.shape).__name__}")
        # Methods hand over NumPy's numbers; what is stored is Python's.
        if self.score is not None:
            object.__setattr__(self, "score", float(self.score))
        if self.label is not None and not isinstance(self.label, str):
            raise ValueError(f"a label is a text, not {self.label!r}")
        if self.score is not None and not (math.isfinite(self.score) and 0.0 <= self.score <= 1.0):
            raise ValueError(f"a region's score is a number from 0 to 1, not {self.score}")
