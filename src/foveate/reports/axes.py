"""The frame of a figure: scales, ticks, labels."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from foveate.reports._svg import element, together
from foveate.reports._text import plain

# Small enough that letters of 12 are read on a phone of 320; on a wide page the figure is drawn larger.
WIDTH, HEIGHT = 340, 230
LEFT, RIGHT, TOP, BOTTOM = 52, 20, 10, 42


@dataclass(frozen=True, slots=True)
class Scale:
    """From values to places on the page.

    Attributes:
        low: The value at `start`.
        high: The value at `end`.
        start: A place, units of the figure.
        end: The other.
        log: Whether equal ratios are equally far apart.
    """

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def __call__(self, value: float) -> float:
        """Returns the place of a value; one outside is at the edge."""
        low, high, at = (math.log10(v) if self.log else v for v in (self.low, self.high, self._held(value)))
        return self.start + (at - low) / (high - low) * (self.end - self.start)

    def _held(self, value: float) -> float:
        return min(max(value, self.low), self.high)


@dataclass(frozen=True, slots=True)
class Axis:
    """A scale with what is written along it.

    Attributes:
        scale: The scale.
        ticks: Values with their texts.
        label: What it shows.
    """

    scale: Scale
    ticks: Sequence[tuple[float, str]]
    label: str


def across(low: float, high: float, *, log: bool = False) -> Scale:
    """Returns the scale of a figure's x."""
    return Scale(low, high, LEFT, WIDTH - RIGHT, log)


def upward(low: float, high: float) -> Scale:
    """Returns the scale of a figure's y."""
    return Scale(low, high, HEIGHT - BOTTOM, TOP)


def share_ticks() -> list[tuple[float, str]]:
    """Returns the ticks of a scale from 0 to 1."""
    return [(value, f"{value:g}") for value in (0.0, 0.25, 0.5, 0.75, 1.0)]


def count_ticks(most: float) -> list[tuple[float, str]]:
    """Returns the ticks of a scale of counts: whole numbers, at most six, in steps of 1, 2 or 5 times a power of ten.

    Example:
        >>> [text for _, text in count_ticks(37)]
        ['0', '10', '20', '30']
    """
    steps = (step * 10**power for power in range(12) for step in (1, 2, 5))
    step = next(step for step in steps if most / step < 6)
    return [(float(value), f"{value:,}") for value in range(0, math.floor(most) + 1, step)]


def figure(x: Axis, y: Axis, marks: Iterable[str], label: str) -> Markup:
    """Returns a figure: a frame with marks in it.

    Args:
        x: Across.
        y: Upward.
        marks: Elements.
        label: What a reader who does not see the figure is told.
    """
    return element(
        "svg",
        *_grid(x, y),
        together(marks),
        *_ticks(x, y),
        *_labels(x, y),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        class_="chart",
        role="img",
        aria_label=plain(label),
    )


def _grid(x: Axis, y: Axis) -> list[Markup]:
    lines = [
        element("line", class_="grid", x1=LEFT, x2=WIDTH - RIGHT, y1=y.scale(at), y2=y.scale(at)) for at, _ in y.ticks
    ]
    base = y.scale.start
    return [*lines, element("line", class_="axis", x1=x.scale.start, x2=x.scale.end, y1=base, y2=base)]


def _ticks(x: Axis, y: Axis) -> list[Markup]:
    base = y.scale.start
    return [
        *(element("text", text, x=x.scale(at), y=base + 15, text_anchor="middle") for at, text in x.ticks),
        *(element("text", text, x=LEFT - 6, y=y.scale(at) + 4, text_anchor="end") for at, text in y.ticks),
    ]


def _labels(x: Axis, y: Axis) -> list[Markup]:
    middle = (y.scale.start + y.scale.end) / 2
    turned = f"translate(11 {middle:g}) rotate(-90)"
    return [
        element(
            "text", plain(x.label), class_="name", x=(LEFT + WIDTH - RIGHT) / 2, y=HEIGHT - 6, text_anchor="middle"
        ),
        element("text", plain(y.label), class_="name", transform=turned, text_anchor="middle"),
    ]
