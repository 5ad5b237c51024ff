"""Dots in a frame; where there are too many to be told apart, shades instead."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from markupsafe import Markup

from foveate.reports._svg import element
from foveate.reports.axes import Axis

# Above this many dots hide each other.
MOST_DOTS = 400
_CELLS = 24


def cloud(points: Sequence[tuple[float, float]], x: Axis, y: Axis, run: int) -> list[Markup]:
    """Returns dots, or squares that are the darker the more points lie in them."""
    colour = f"run-{run % 6}"
    if len(points) <= MOST_DOTS:
        return [element("circle", class_=f"dot {colour}", cx=x.scale(a), cy=y.scale(b), r=3) for a, b in points]
    across, up = (x.scale.end - x.scale.start) / _CELLS, (y.scale.start - y.scale.end) / _CELLS
    cells = Counter(
        (_cell((x.scale(a) - x.scale.start) / across), _cell((y.scale.start - y.scale(b)) / up)) for a, b in points
    )
    most = max(cells.values())
    return [
        element(
            "rect",
            class_=f"cell {colour}",
            x=x.scale.start + column * across,
            y=y.scale.start - (row + 1) * up,
            width=across,
            height=up,
            fill_opacity=0.12 + 0.88 * math.sqrt(count / most),
        )
        for (column, row), count in sorted(cells.items())
    ]


def _cell(place: float) -> int:
    return min(max(int(place), 0), _CELLS - 1)
