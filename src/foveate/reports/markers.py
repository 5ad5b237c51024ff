"""The mark of a run in a figure: told apart by its shape, not by its colour alone."""

from __future__ import annotations

import math

from markupsafe import Markup

from foveate.reports._svg import element, number

# By run: how many corners, and by how much of a turn the first is from the top. The first run has a circle.
_SHAPES = ((4, 0.125), (4, 0.0), (3, 0.0), (3, 0.5), (6, 0.0))


def marker(run: int, x: float, y: float, radius: float) -> Markup:
    """Returns a run's mark, as large as a circle of the radius."""
    kind = f"end run-{run % 6}"
    if run % 6 == 0:
        return element("circle", class_=kind, cx=x, cy=y, r=radius)
    corners, turn = _SHAPES[run % 6 - 1]
    # Of equal area: that of a regular polygon is n/2 · R² · sin(2π/n).
    reach = radius * math.sqrt(2 * math.pi / (corners * math.sin(2 * math.pi / corners)))
    angles = [2 * math.pi * (turn + corner / corners) for corner in range(corners)]
    path = "L".join(f"{number(x + reach * math.sin(a))} {number(y - reach * math.cos(a))}" for a in angles)
    return element("path", class_=kind, d=f"M{path}Z")
