"""The chapter on where targets lie."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foveate.analysis.columns import Analysis
from foveate.evaluation.wording import percent
from foveate.reports.analysis.numbers import names_of
from foveate.reports.analysis.places import density, held, scatter
from foveate.reports.sections.numbers import Values, text
from foveate.reports.sections.parts import Cell, Figure, Section, Table
from foveate.reports.sections.style import COLOURS, INK, drawn, house, named, panels

KEY, TITLE = "location", "Location"
_ASKED = "question"
_LABEL = 24


def location_section(analyses: Sequence[Analysis], top: int) -> Section:
    """Returns the chapter; `top` of the most common questions are drawn apart, of the first data set."""
    centres = {n: analysis.columns.centre for n, analysis in enumerate(analyses) if len(analysis.columns)}
    names = names_of(analyses)
    if not centres:
        return Section(KEY, TITLE, "No sample has a target, so that there is no location.", ())
    lead = "\n".join(_sentence(names[n], centre) for n, centre in centres.items())
    figures = [_scatter(centres, names), _density(centres, names), _by_question(analyses[0], top)]
    parts: list[Figure | Table] = [figure for figure in figures if figure is not None]
    return Section(KEY, TITLE, lead, [*parts, _table(centres, names)])


def middle(centre: Values) -> float:
    """Returns the share of centres in the middle ninth of the photo.

    Example:
        >>> middle(np.array([[0.5, 0.5], [0.1, 0.5]]))
        0.5
    """
    return float((np.abs(centre - 0.5) <= 1 / 6).all(axis=1).mean())


def _sentence(name: str, centre: Values) -> str:
    (x, y), (sd_x, sd_y) = centre.mean(axis=0), centre.std(axis=0)
    return (
        f"{name}: the centres of mass lie at x {text(x)} ± {text(sd_x)} and y {text(y)} ± {text(sd_y)} (mean ± "
        f"standard deviation; x from the left, y from the top), {percent(middle(centre))} of them in the middle ninth "
        f"of the photo, where an even spread would have 11.1 %."
    )


def _scatter(centres: Mapping[int, Values], names: Sequence[str]) -> Figure:
    with house():
        fig, several = _squares(len(centres))
        for axes, (n, centre) in zip(several, centres.items(), strict=True):
            scatter(axes, centre, COLOURS[n % len(COLOURS)])
            _titled(axes, names[n], len(centre))
    about = "Each dot is the centre of mass of a target; the cross is their mean, its arms one standard deviation."
    told = " ".join(
        f"{names[n]}: x {text(float(x))} ± {text(float(sd_x))}, y {text(float(y))} ± {text(float(sd_y))}."
        for n, ((x, y), (sd_x, sd_y)) in ((n, (c.mean(axis=0), c.std(axis=0))) for n, c in centres.items())
    )
    return drawn("location_scatter", "Centres of mass", about, fig, told)


def _density(centres: Mapping[int, Values], names: Sequence[str]) -> Figure | None:
    """Returns where centres are dense; None where there are too few to say."""
    grids = {n: grid for n, centre in centres.items() if (grid := density(centre)) is not None}
    if not grids:
        return None
    with house():
        fig, several = _squares(len(grids))
        for axes, (n, grid) in zip(several, grids.items(), strict=True):
            _dense(axes, grid, COLOURS[n % len(COLOURS)])
            _titled(axes, names[n], len(centres[n]))
    halves = ", ".join(f"{percent(held(grid, 0.5)[1])} of the photo ({names[n]})" for n, grid in grids.items())
    about = (
        "The stronger the colour, the more centres; the lines hold half (inner) and nine tenths (outer) of them. "
        f"Half of all centres lie in {halves}."
    )
    how = "A normal curve is laid on each centre (its width by Scott's rule) and mirrored at the edges."
    return drawn("location_density", "Where centres are dense", about, fig, how)


def _dense(axes: Any, grid: NDArray[np.float64], colour: str) -> None:
    from matplotlib.colors import LinearSegmentedColormap, to_rgba

    ramp = LinearSegmentedColormap.from_list("density", [(*to_rgba(colour)[:3], 0.0), to_rgba(colour)])
    axes.grid(visible=False)
    axes.imshow(grid, extent=(0, 1, 1, 0), cmap=ramp, vmin=0, interpolation="bilinear", aspect="equal")
    at = (np.arange(len(grid)) + 0.5) / len(grid)
    levels = sorted({held(grid, 0.9)[0], held(grid, 0.5)[0]})
    axes.contour(at, at, grid, levels=levels, colors=[INK], linewidths=[0.8, 1.4][-len(levels) :])


def _by_question(analysis: Analysis, top: int) -> Figure | None:
    grouping = analysis.groupings.get(_ASKED)
    groups = [group for group in (grouping.groups if grouping else ()) if len(group.rows)][: min(top, 6)]
    if len(groups) < 2:
        return None
    with house():
        fig, several = _squares(len(groups))
        for place, (axes, group) in enumerate(zip(several, groups, strict=True), start=1):
            scatter(axes, analysis.columns.centre[group.rows], COLOURS[0])
            _titled(axes, named(group.key, _LABEL, place), len(group.rows))
    means = [analysis.columns.centre[group.rows].mean(axis=0) for group in groups]
    told = "; ".join(
        f"“{group.key}” at ({text(float(x))}, {text(float(y))})" for group, (x, y) in zip(groups, means, strict=True)
    )
    about = f"The most common questions of {analysis.name}; dots and crosses as above."
    title = "Centres by the most common questions"
    found = drawn("location_by_question", title, about, fig, f"Mean centres: {told}.")
    return replace(found, fold=f"One more figure: {title[:1].lower()}{title[1:]}")


def _squares(count: int) -> tuple[Any, list[Any]]:
    fig, several = panels(count, 4.9 if count == 1 else 2.75)
    for n, axes in enumerate(several):
        axes.set_xlim(0, 1)
        axes.set_ylim(1, 0)
        axes.set_aspect("equal")
        axes.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
        axes.set_yticks([0, 0.5, 1], ["0", "0.5", "1"])
        for side in ("top", "right"):
            axes.spines[side].set_visible(True)
        if n >= count - 2:
            axes.set_xlabel("x (share of width)", fontsize=11.5 if count == 1 else 10)
        if count == 1 or n % 2 == 0:
            axes.set_ylabel("y (share of height)", fontsize=11.5 if count == 1 else 10)
    return fig, several


def _titled(axes: Any, name: str, n: int) -> None:
    axes.set_title(f"{named(name, _LABEL)}\nn = {n:,}", fontsize=10)


def _table(centres: Mapping[int, Values], names: Sequence[str]) -> Table:
    rows: list[list[Cell]] = []
    for n, centre in centres.items():
        (x, y), (sd_x, sd_y) = centre.mean(axis=0), centre.std(axis=0)
        rows.append([names[n], len(centre), float(x), float(sd_x), float(y), float(sd_y), 100 * middle(centre)])
    head = ("data set", "n", "x mean", "x sd", "y mean", "y sd", "middle ninth %")
    return Table(
        "location", "Centres of mass in numbers", "As shares of width and height, from the upper left.", head, rows
    )
