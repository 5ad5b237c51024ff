"""Hand-derived cases: each aggregator states a few, and the contract tests check them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from foveate.core.boxes import SizeHW
from foveate.core.regions import Box, Polygon, Shape
from foveate.quality.drawings import Drawing

Sides = tuple[float, float, float, float]
SIZE: SizeHW = (12, 16)


@dataclass(frozen=True)
class Case:
    """Drawings on a photo of 16 x 12 with the region that a person derives for them.

    Attributes:
        title: What it shows.
        drawings: In the order of sending.
        region: The result; None where there is none. Masks and polygons are compared by their pixels.
        settings: Options of the rule.
    """

    title: str
    drawings: Sequence[Drawing]
    region: Shape | None
    settings: Mapping[str, Any] = field(default_factory=dict)


def outline(x0: float, y0: float, x1: float, y1: float) -> Polygon:
    """Returns the outline of a rectangle, which is compared by its pixels as every polygon is."""
    return Polygon((((x0, y0), (x1, y0), (x1, y1), (x0, y1)),))


def people(*shapes: Shape) -> list[Drawing]:
    """Returns the drawings of as many people, who are called a, b, c."""
    return [Drawing(shape, chr(ord("a") + n)) for n, shape in enumerate(shapes)]


def boxes(*sides: Sides) -> list[Drawing]:
    """Returns the boxes of as many people."""
    return people(*map(Box, sides))


def outlines(*sides: Sides) -> list[Drawing]:
    """Returns outlines of rectangles, each of another person."""
    return people(*(outline(*one) for one in sides))
