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
from foveate.evaluation.wording import counted
from foveate.reports.analysis import numbers
from foveate.reports.analysis.numbers import names_of, percent, share, text
from foveate.reports.analysis.sections import Cell, Section, Table

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
    return lambda c: numbers.sizes(c.coverage)[n] / len(c)


MEASURES = (
    Measure("n", "samples", lambda a: a.n),
    Measure("n_grounded", "with a target", lambda a: len(a.columns)),
    Measure("photos", "photos of these", lambda a: len(set(a.columns.photos))),
    Measure("targets", "targets a sample, mean", _of_columns(lambda c: float(c.targets.mean()))),
    Measure("x_mean", "location x, mean", _of_columns(lambda c: float(c.centre[:, 0].mean()))),
    Measure("x_sd", "location x, sd", _of_columns(lambda c: float(c.centre[:, 0].std()))),
    Measure("y_mean", "location y, mean", _of_columns(lambda c: float(c.centre[:, 1].mean()))),
    Measure("y_sd", "location y, sd", _of_columns(lambda c: float(c.centre[:, 1].std()))),
    Measure("coverage_mean", "coverage, mean", _of_columns(lambda c: float(c.coverage.mean()))),
    Measure("coverage_q1", "coverage, lower quartile", _of_columns(_quartile(0.25))),
    Measure("coverage_median", "coverage, median", _of_columns(_quartile(0.5))),
    Measure("coverage_q3", "coverage, upper quartile", _of_columns(_quartile(0.75))),
    Measure("small", "small (under a third), share", _of_columns(_third(0))),
    Measure("medium", "medium, share", _of_columns(_third(1))),
    Measure("large", "large (two thirds or more), share", _of_columns(_third(2))),
    Measure("whole_image", "whole image (over 0.95), share", _of_columns(lambda c: float(whole(c).mean()))),
    Measure("points_mean", "points, mean", _of_columns(lambda c: mean(c.points))),
    Measure("points_four", "four points, share", _of_columns(lambda c: share(c.points, c.points == 4))),
    Measure("complexity_mean", "boundary complexity, mean", _of_columns(lambda c: mean(c.complexity))),
    Measure(
        "complexity_median",
        "boundary complexity, median",
        _of_columns(lambda c: summary(c.complexity).median),
    ),
    Measure("complexity_zero", "scores 0, share", _of_columns(lambda c: share(c.complexity, zero(c)))),
    Measure("parts_mean", "connected parts, mean", _of_columns(lambda c: float(c.parts.mean()))),
    Measure("parts_several", "several parts, share", _of_columns(lambda c: float((c.parts > 1).mean()))),
)


def zero(columns: Columns) -> NDArray[np.bool_]:
    """Returns which targets have a boundary complexity of 0."""
    return np.asarray(columns.complexity == 0)


def overview_section(analyses: Sequence[Analysis]) -> Section:
    """Returns the chapter."""
    names = names_of(analyses)
    lead = "\n".join(_sentence(name, analysis) for name, analysis in zip(names, analyses, strict=True))
    parts = (_table(analyses, names), _notes(analyses, names))
    return Section("overview", "Overview", lead, [table for table in parts if table is not None])


def _sentence(name: str, analysis: Analysis) -> str:
    c = analysis.columns
    if not len(c):
        return f"{name}: {counted(analysis.n, 'sample')}, none with a target."
    return (
        f"{name}: {counted(analysis.n, 'sample')}, {len(c):,} with a target. On average a target covers "
        f"{percent(float(c.coverage.mean()))} of the photo, half of them {percent(float(np.median(c.coverage)))} or "
        f"less; {percent(float(whole(c).mean()))} are the whole photo. Their mean centre is at "
        f"({text(float(c.centre[:, 0].mean()))}, {text(float(c.centre[:, 1].mean()))}), where (0.5, 0.5) is the "
        "middle."
    )


def _table(analyses: Sequence[Analysis], names: Sequence[str]) -> Table:
    head: list[str] = [""]
    cells: list[Sequence[Cell]] = [[measure.title for measure in MEASURES]]
    for name, analysis in zip(names, analyses, strict=True):
        head.append(name)
        cells.append([measure.of(analysis) for measure in MEASURES])
        told = _told(analysis)
        if told:
            head.append(f"{_set(analysis)}, published")
            cells.append([told.get(measure.key) for measure in MEASURES])
    about = (
        "Coverage is the share of the photo's pixels inside the target; a location is its centre of mass as a share "
        "of width and height, from the upper left; sd is the standard deviation of these samples. A sample with "
        "several targets is measured on their union."
    )
    if any("published" in title for title in head):
        about += " What a published value is over, and where it stands, is in the chapter on published values."
    return Table("overview", "The data sets side by side", about, head, list(zip(*cells, strict=True)))


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
    return Table("notes", "What to know of these numbers", about, ("data set", "note"), rows) if rows else None


def _set(analysis: Analysis) -> str:
    return analysis.name.partition(":")[0]
