"""The chapter that tells all data sets in one table, with published values beside ours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foveate.analysis.columns import Analysis, Columns
from foveate.analysis.published import published_of
from foveate.analysis.rules import whole
from foveate.analysis.summaries import mean, summary
from foveate.evaluation.wording import counted, percent
from foveate.reports.analysis import numbers
from foveate.reports.analysis.location import middle
from foveate.reports.analysis.numbers import names_of, share
from foveate.reports.sections.numbers import text
from foveate.reports.sections.parts import Cell, Glance, Section, Table

# The lines that a published value belongs to: its mean, and its standard deviation.
_PUBLISHED = {"x": ("x_mean", "x_sd"), "y": ("y_mean", "y_sd")}
_PUBLISHED |= {"coverage": ("coverage_mean", ""), "whole_image": ("whole_image", "")}
_PUBLISHED |= {"points": ("points_mean", ""), "complexity": ("complexity_mean", "")}


@dataclass(frozen=True)
class Measure:
    """One line of the overview.

    Attributes:
        key: By which published values are found: `coverage_mean`.
        title: Its name there.
        of: Returns its value.
    """

    key: str
    title: str
    of: Callable[[Analysis], Cell]


def _of_columns(of: Callable[[Columns], Cell]) -> Callable[[Analysis], Cell]:
    """Returns a measure of the samples with a target; None where there is none."""
    return lambda analysis: of(analysis.columns) if len(analysis.columns) else None


def _quartile(at: float) -> Callable[[Columns], Cell]:
    return lambda c: float(np.quantile(c.coverage, at))


def _third(n: int) -> Callable[[Columns], Cell]:
    return lambda c: 100 * numbers.sizes(c.coverage)[n] / len(c)


def _percents(value: float | None) -> Cell:
    return None if value is None else 100 * value


MEASURES = (
    Measure("n", "samples", lambda a: a.n),
    Measure("n_grounded", "with a target", lambda a: len(a.columns)),
    Measure("photos", "photos of these", lambda a: len(set(a.columns.photos))),
    Measure("targets", "targets a sample, mean", _of_columns(lambda c: float(c.targets.mean()))),
    Measure("x_mean", "centre x, mean", _of_columns(lambda c: float(c.centre[:, 0].mean()))),
    Measure("x_sd", "centre x, sd", _of_columns(lambda c: float(c.centre[:, 0].std()))),
    Measure("y_mean", "centre y, mean", _of_columns(lambda c: float(c.centre[:, 1].mean()))),
    Measure("y_sd", "centre y, sd", _of_columns(lambda c: float(c.centre[:, 1].std()))),
    Measure("coverage_mean", "coverage, mean", _of_columns(lambda c: float(c.coverage.mean()))),
    Measure("coverage_q1", "coverage, lower quartile", _of_columns(_quartile(0.25))),
    Measure("coverage_median", "coverage, median", _of_columns(_quartile(0.5))),
    Measure("coverage_q3", "coverage, upper quartile", _of_columns(_quartile(0.75))),
    Measure("small", "small (under a third of the photo) %", _of_columns(_third(0))),
    Measure("medium", "medium %", _of_columns(_third(1))),
    Measure("large", "large (two thirds or more) %", _of_columns(_third(2))),
    Measure("whole_image", "whole image (coverage over 0.95) %", _of_columns(lambda c: 100 * float(whole(c).mean()))),
    Measure("points_mean", "corner points, mean", _of_columns(lambda c: mean(c.points))),
    Measure("points_four", "of four points %", _of_columns(lambda c: _percents(share(c.points, c.points == 4)))),
    Measure("complexity_mean", "boundary complexity, mean", _of_columns(lambda c: mean(c.complexity))),
    Measure(
        "complexity_median",
        "boundary complexity, median",
        _of_columns(lambda c: summary(c.complexity).median),
    ),
    Measure(
        "complexity_zero",
        "boundary complexity 0 (as a rectangle) %",
        _of_columns(lambda c: _percents(share(c.complexity, zero(c)))),
    ),
    Measure("parts_mean", "connected parts, mean", _of_columns(lambda c: float(c.parts.mean()))),
    Measure("parts_several", "of several parts %", _of_columns(lambda c: 100 * float((c.parts > 1).mean()))),
)


def zero(columns: Columns) -> NDArray[np.bool_]:
    """Returns which targets have a boundary complexity of 0."""
    return np.asarray(columns.complexity == 0)


def overview_section(analyses: Sequence[Analysis]) -> Section:
    """Returns the chapter."""
    names = names_of(analyses)
    lead = "\n".join(_sentence(name, analysis) for name, analysis in zip(names, analyses, strict=True))
    parts = (_table(analyses, names), _notes(analyses, names))
    glances = [_glance(name, analysis) for name, analysis in zip(names, analyses, strict=True)]
    return Section("overview", "Overview", lead, [table for table in parts if table is not None], "", glances)


def _sentence(name: str, analysis: Analysis) -> str:
    c = analysis.columns
    if not len(c):
        return f"{name}: {counted(analysis.n, 'sample')}, none with a target."
    small, _, large = (percent(count / len(c)) for count in numbers.sizes(c.coverage))
    return (
        f"{name}: {small} of the targets are small (under a third of the photo) and {large} large (two thirds or "
        f"more); {percent(middle(c.centre))} have their centre in the middle ninth of the photo, where an even spread "
        "would have 11.1 %."
    )


def _glance(name: str, analysis: Analysis) -> Glance:
    """Returns a data set in six numbers."""
    c = analysis.columns
    about = f"{counted(analysis.n, 'sample')}, {len(c):,} with a target, on {counted(len(set(c.photos)), 'photo')}"
    if not len(c):
        return Glance(name, about, ())
    x, y = (text(float(value), 2) for value in c.centre.mean(axis=0))
    values = (
        ("of the photo covered, mean", percent(float(c.coverage.mean()))),
        ("half of the targets cover less than", percent(float(np.median(c.coverage)))),
        ("cover the whole photo", percent(float(whole(c).mean()))),
        ("mean centre: x, y as shares", f"{x}, {y}"),
        ("corner points, mean", text(mean(c.points), 1)),
        ("boundary complexity, median", text(summary(c.complexity).median, 2)),
    )
    return Glance(name, about, values)


def _table(analyses: Sequence[Analysis], names: Sequence[str]) -> Table:
    head: list[str] = [""]
    cells: list[Sequence[Cell]] = [[measure.title for measure in MEASURES]]
    for name, analysis in zip(names, analyses, strict=True):
        head.append(name)
        cells.append([measure.of(analysis) for measure in MEASURES])
        told = _told(analysis)
        if told:
            head.append(f"{_set(analysis)}, published")
            cells.append([_as_shown(told.get(measure.key), measure) for measure in MEASURES])
    about = (
        "Coverage is the share of the photo's pixels inside the target; its centre is the centre of mass as a share of "
        "width and height, from the upper left; sd is the standard deviation of these samples. A sample with several "
        "targets is measured on their union. Boundary complexity is 0 where all points are as far from the centre."
    )
    if any("published" in title for title in head):
        about += " Where a published value stands, and what it is over, is told in the chapter on published values."
    title = "The data sets side by side" if len(analyses) > 1 else "All measures"
    digits = {"corner points, mean": 2, "targets a sample, mean": 2}
    return Table("overview", title, about, head, list(zip(*cells, strict=True)), digits_of=digits, whole=True)


def _as_shown(value: float | None, measure: Measure) -> Cell:
    return 100 * value if value is not None and measure.title.endswith(" %") else value


def _told(analysis: Analysis) -> dict[str, float | None]:
    """Returns what is published of a data set, by the lines that it belongs to."""
    told: dict[str, float | None] = {}
    for measure, (mean_key, sd_key) in _PUBLISHED.items():
        value = published_of(analysis.name, measure)
        if value:
            told |= {mean_key: value.mean, sd_key: value.sd}
    return told


def _notes(analyses: Sequence[Analysis], names: Sequence[str]) -> Table | None:
    rows = [(name, note) for name, analysis in zip(names, analyses, strict=True) for note in analysis.notes]
    about = "What was joined, what is not complete, and which rules hold."
    head = ("data set", "note")
    return Table("notes", "What to know of these numbers", about, head, rows, parted=head[0]) if rows else None


def _set(analysis: Analysis) -> str:
    return analysis.name.partition(":")[0]
