"""What several people drew for one task, as rules that make one region of it see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from foveate.core.boxes import SizeHW
from foveate.core.regions import Box, Shape
from foveate.core.rle import Rle, area


@dataclass(frozen=True, slots=True)
class Drawing:
    """One person's region.

    Attributes:
        shape: The region, upright pixels.
        annotator: Who drew it, by a pseudonym.
    """

    shape: Shape
    annotator: str


def all_boxes(shapes: Sequence[Shape]) -> bool:
    """Returns whether all are boxes, so that they can be compared exactly; else all are compared as pixels."""
    return all(isinstance(shape, Box) for shape in shapes)


def masks(drawings: Sequence[Drawing], size_hw: SizeHW) -> list[Rle]:
    """Returns the pixels of each drawing."""
    return [one.shape.rle(size_hw) for one in drawings]


def pixels(shape: Shape, size_hw: SizeHW) -> int:
    """Returns how many pixels a shape covers."""
    return area(shape.rle(size_hw))
