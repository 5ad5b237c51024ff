"""One line of text: what it says, where it stands, and which way it runs."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import Boxes, SizeHW, box_area, clip_boxes

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
Sides = tuple[float, float, float, float]
Frame = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line of text.

    Attributes:
        text: What it says.
        score: How sure the reader is, 0 to 1.
        quad: Its four corners in pixels of the upright photo, clockwise from the start of the text's upper edge.
        xyxy: The upright box around them, clipped to the photo, never without area.
    """

    text: str
    score: float
    quad: Quad
    xyxy: Sides

    @property
    def height(self) -> float:
        """The height of the letters in pixels, whichever way the line runs; with the margin that readers leave."""
        corners = np.asarray(self.quad)
        sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
        return float(min(sides[0] + sides[2], sides[1] + sides[3])) / 2

    @property
    def orientation(self) -> float:
        """The direction in which it is read, in degrees clockwise, 0 to 360: 0 level, 90 downwards, 180 on its head."""
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = self.quad
        return math.degrees(math.atan2(by - ay + cy - dy, bx - ax + cx - dx)) % 360.0

    @property
    def letter_size(self) -> float:
        """The size of the letters in pixels: the geometric mean of their height and twice their mean width.

        The height of what a reader marks depends on its margins; the width of many letters hardly does.
        """
        corners = np.asarray(self.quad)
        sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
        length = float(sides[0] + sides[2]) / 2
        return math.sqrt(self.height * 2.0 * length / max(len(self.text), 1))

    def span(self, orientation: float) -> tuple[float, float, float]:
        """Returns where the line begins and ends along a direction of reading, and how far down its middle is."""
        corners = turned(np.asarray(self.quad), orientation)
        return float(corners[:, 0].min()), float(corners[:, 0].max()), float(corners[:, 1].mean())


def turned(points: Frame, orientation: float) -> Frame:
    """Returns points ``float64 (N, 2)`` as someone sees them who reads in a direction: along it, and down from it."""
    angle = math.radians(orientation)
    across, down = np.array([math.cos(angle), math.sin(angle)]), np.array([-math.sin(angle), math.cos(angle)])
    return np.stack([points @ across, points @ down], axis=1)


def text_line(text: str, score: float, quad: Frame, size_hw: SizeHW) -> TextLine | None:
    """Returns a line from what a reader gives, or None where nothing of it lies inside the photo.

    Args:
        text: What it says.
        score: The reader's certainty; what lies outside 0 to 1 is moved there.
        quad: ``float64 (4, 2)``, as in `TextLine`.
        size_hw: Of the photo.
    """
    box: Boxes = clip_boxes(np.concatenate([quad.min(axis=0), quad.max(axis=0)]), size_hw)
    if box_area(box) <= 0:
        return None
    first, second, third, fourth = ((float(x), float(y)) for x, y in quad)
    x0, y0, x1, y1 = box.tolist()
    return TextLine(text, min(max(score, 0.0), 1.0), (first, second, third, fourth), (x0, y0, x1, y1))


def letters(text: str) -> int:
    """Returns how many letters and digits a text has, of any script.

    Example:
        >>> letters("*** 42 g")
        3
    """
    return sum(character.isalnum() for character in text)
