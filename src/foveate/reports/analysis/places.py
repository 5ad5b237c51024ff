"""Centres of mass drawn on the unit square, and how dense they are there."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from foveate.reports.sections.numbers import Values
from foveate.reports.sections.style import INK, MANY, SHEET

GRID = 96


def scatter(axes: Any, centre: Values, colour: str) -> None:
    """Draws each centre, and a cross of their mean ± standard deviation."""
    opacity = float(np.clip(12 / np.sqrt(len(centre)), 0.12, 0.7))
    axes.plot(
        *centre.T, "o", markersize=3.2, color=colour, alpha=opacity, markeredgewidth=0, rasterized=len(centre) > MANY,
        clip_on=False,
    )  # fmt: skip
    (x, y), (sd_x, sd_y) = centre.mean(axis=0), centre.std(axis=0)
    for stroke, width in ((SHEET, 5.0), (INK, 2.0)):
        line = {"color": stroke, "linewidth": width, "solid_capstyle": "butt", "zorder": 3}
        axes.plot([x - sd_x, x + sd_x], [y, y], **line)
        axes.plot([x, x], [y - sd_y, y + sd_y], **line)


def density(centre: Values) -> NDArray[np.float64] | None:
    """Returns how dense centres are, ``(GRID, GRID)``, rows from the top, summing to 1.

    A normal curve on each centre, mirrored at the edges so that none of it is lost; its width along each axis is the
    standard deviation times n^(-1/6). None where there is no spread to tell a width from.

    References:
        Scott: Multivariate Density Estimation, 1992, section 6.3.
    """
    widths = centre.std(axis=0) * len(centre) ** (-1 / 6)
    if len(centre) < 3 or not (widths > 0).all():
        return None
    edges = np.linspace(0, 1, GRID + 1)
    counts, _, _ = np.histogram2d(centre[:, 1], centre[:, 0], bins=(edges, edges))
    smooth = _smoother(float(widths[1])) @ counts @ _smoother(float(widths[0])).T
    return np.asarray(smooth / smooth.sum(), dtype=np.float64)


def _smoother(width: float) -> NDArray[np.float64]:
    """Returns the matrix that spreads each cell over its neighbours; every column sums to 1."""
    at = (np.arange(GRID) + 0.5) / GRID
    # Half a cell at least, so that a narrow curve is not lost between two cells.
    width = max(width, 0.5 / GRID)
    mirrored = sum(np.exp(-0.5 * ((at[:, None] - place) / width) ** 2) for place in (at, -at, 2 - at))
    kernel = np.asarray(mirrored, dtype=np.float64)
    return np.asarray(kernel / kernel.sum(axis=0), dtype=np.float64)


def held(grid: NDArray[np.float64], part: float) -> tuple[float, float]:
    """Returns the density from which on cells hold this part of all centres, and which share of the photo they are.

    Example:
        >>> held(np.array([[0.6, 0.2], [0.1, 0.1]]), 0.5)
        (0.6, 0.25)
    """
    cells = np.sort(grid, axis=None)[::-1]
    last = min(int(np.searchsorted(np.cumsum(cells), part)), cells.size - 1)
    return float(cells[last]), (last + 1) / cells.size
