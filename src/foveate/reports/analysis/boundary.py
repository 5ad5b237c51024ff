"""The chapter on how intricate the boundary of targets is: complexity, points, parts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from foveate.analysis.columns import Analysis
from foveate.evaluation.wording import percent
from foveate.reports.analysis.numbers import names_of, share
from foveate.reports.analysis.overview import zero
from foveate.reports.sections.boxes import HOW, Group, Scale, box_plots
from foveate.reports.sections.numbers import spread, text
from foveate.reports.sections.parts import Cell, Figure, Section, Table
from foveate.reports.sections.style import drawn

KEY, TITLE = "boundary", "Boundary complexity"
COMPLEXITY = Scale("boundary complexity", 3, (0, 1))
POINTS = Scale("points (each step a multiple)", 1, None, log=True)
_FOLD = "More tables: the number of bins, and connected parts"
_RULE = {
    "vertices": "the corners of the target as it was drawn",
    "contour": "points at equal steps along the outline of the largest part",
}


def boundary_section(analyses: Sequence[Analysis]) -> Section:
    """Returns the chapter."""
    names = names_of(analyses)
    there = [(name, analysis) for name, analysis in zip(names, analyses, strict=True) if len(analysis.columns)]
    if not there:
        return Section(KEY, TITLE, "No sample has a target, so that there is no boundary.", ())
    lead = "\n".join(_sentence(name, analysis) for name, analysis in there)
    figures = (
        _boxes("complexity", "Complexity a target", analyses, names, COMPLEXITY, ""),
        _boxes("points", "Points a target", analyses, names, POINTS, "The axis is logarithmic."),
    )
    tables = (_table(there), _sensitivity(there), _parts(there))
    return Section(KEY, TITLE, lead, [part for part in (*figures, *tables) if part is not None], _how(analyses))


def _sentence(name: str, analysis: Analysis) -> str:
    c = analysis.columns
    complexity, points = spread(c.complexity), spread(c.points)
    said = f"{name}: boundary complexity is not defined for any target"
    if complexity:
        said = (
            f"{name}: median boundary complexity {text(complexity.median)}, and "
            f"{percent(share(c.complexity, zero(c)))} of {complexity.n:,} targets have none (0)"
        )
    if points:
        said += f"; {text(points.mean, 1)} points on average, {percent(share(c.points, c.points == 4))} have four"
    return f"{said}; {percent(float((c.parts > 1).mean()))} have several parts."


def _how(analyses: Sequence[Analysis]) -> str:
    used = {(a.complexity.points, a.complexity.bins): None for a in analyses}
    rules = " and ".join(f"{_RULE.get(points, points)}, in {bins} bins" for points, bins in used)
    return (
        f"Complexity is how evenly the distances from the centre to {rules}, are spread: 0 where all are equal, as in "
        "every rectangle, 1 where every bin holds as many."
    )


def _boxes(
    column: str, title: str, analyses: Sequence[Analysis], names: Sequence[str], scale: Scale, more: str
) -> Figure | None:
    groups = [Group(names[n], [(n, getattr(a.columns, column))]) for n, a in enumerate(analyses)]
    fig = box_plots(groups, [], scale)
    if fig is None:
        return None
    found = [(names[n], spread(getattr(a.columns, column))) for n, a in enumerate(analyses)]
    told = " ".join(
        f"{name}: mean {text(s.mean, scale.digits)}, median {text(s.median, scale.digits)}, half of the targets from "
        f"{text(s.q1, scale.digits)} to {text(s.q3, scale.digits)}."
        for name, s in found
        if s
    )
    return drawn(f"{column}_boxes", title, " ".join(part for part in (HOW, more) if part), fig, told)


def _table(there: Sequence[tuple[str, Analysis]]) -> Table:
    rows: list[list[Cell]] = []
    for name, analysis in there:
        c = analysis.columns
        complexity, points = spread(c.complexity), spread(c.points)
        of_complexity = [complexity.n, complexity.mean, complexity.median] if complexity else [0, None, None]
        of_points = [points.n, points.mean, points.median] if points else [0, None, None]
        zeros, four = share(c.complexity, zero(c)), share(c.points, c.points == 4)
        shares = [None if value is None else 100 * value for value in (zeros, four)]
        rule = f"{analysis.complexity.points}, {analysis.complexity.bins} bins"
        rows.append([name, rule, *of_complexity, shares[0], *of_points, shares[1]])
    head: tuple[str, ...] = ("data set", "measured at", "n", "complexity mean", "complexity median", "complexity 0 %")
    head = (*head, "n with points", "points mean", "points median", "four points %")
    about = (
        "n is the number of targets for which the value is defined; a mask whose outline is not known has no points. "
        "Complexity 0: the share of targets whose points are all as far from the centre, as those of every rectangle."
    )
    return Table(
        "boundary", "Complexity and points", about, head, rows, digits_of={"points mean": 1, "points median": 1}
    )


def _sensitivity(there: Sequence[tuple[str, Analysis]]) -> Table | None:
    bins = sorted({b for _, analysis in there for b in analysis.complexity.sensitivity})
    if not bins:
        return None
    rows: list[list[Cell]] = []
    for name, analysis in there:
        found = [analysis.complexity.sensitivity.get(b) for b in bins]
        shares = [None if value is None or np.isnan(value) else 100 * value for value in found]
        rows.append([name, analysis.complexity.points, analysis.complexity.bins, *shares])
    about = "The paper does not state how many bins it takes: the share of targets of complexity 0 with each number."
    head = ("data set", "measured at", "bins here", *(f"{b} bins %" for b in bins))
    return Table("complexity_bins", "How much the number of bins matters", about, head, rows, 1, fold=_FOLD)


def _parts(there: Sequence[tuple[str, Analysis]]) -> Table:
    rows: list[list[Cell]] = []
    for name, analysis in there:
        parts = analysis.columns.parts
        counts = [int((parts == n).sum()) for n in (1, 2, 3)]
        none = int((parts < 1).sum())
        rows.append([name, *counts, len(parts) - sum(counts) - none, none, 100 * float((parts > 1).mean())])
    head = ("data set", "one part", "two", "three", "more", "none: thinner than a pixel", "several %")
    about = "Pixels that touch at a side or a corner belong to one part."
    return Table("parts", "Connected parts", about, head, rows, 1, fold=_FOLD)
