"""How wide an outline is, and where its dashes are."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Pen:
    """A light line between two dark ones; widths in pixels of the picture.

    Attributes:
        light: The width of the light line.
        rim: The width of the dark line on either side of it.
    """

    light: int
    rim: int

    @property
    def gap(self) -> int:
        """How far from the region the light line ends."""
        return self.light + self.rim

    @property
    def reach(self) -> int:
        """How far from the region the outline ends."""
        return self.light + 2 * self.rim


def pen_for(size: tuple[int, int], short: float) -> Pen:
    """Returns the pen for a region whose shorter side is `short`, in a picture of this width and height."""
    # Thin around a small region, lest the line hide what stands beside it, but never lost in a large photo.
    least = max(2, round(min(size) / 600))
    light = max(least, round(min(min(size) / 160, short / 6)))
    return Pen(light, max(1, light // 2))


def dashes(first: int, last: int, width: int) -> list[tuple[int, int]]:
    """Returns where the dashes of a line begin and end, both included: at least two, one at each end of the line."""
    length = last + 1 - first
    parts = 2 * max(1, round(length / (10 * width))) + 1
    places = [first + round(length * part / parts) for part in range(parts + 1)]
    return [(places[part], max(places[part + 1] - 1, places[part])) for part in range(0, parts, 2)]
