"""A chapter for each way to part the samples: by question, by answer, by what else is known of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from foveate.analysis.columns import Analysis, Columns, Grouping
from foveate.analysis.published import published_of
from foveate.analysis.rules import whole
from foveate.analysis.summaries import mean, summary
from foveate.evaluation.wording import counted
from foveate.reports.analysis import boundary, coverage, numbers
from foveate.reports.analysis.answer_sizes import answer_tables
from foveate.reports.analysis.numbers import names_of
from foveate.reports.analysis.overview import zero
from foveate.reports.analysis.titles import group_of, meaning_of, title_of
from foveate.reports.sections.boxes import HOW, Group, Scale, box_plots
from foveate.reports.sections.keys import free, slug
from foveate.reports.sections.numbers import text
from foveate.reports.sections.parts import Cell, Figure, Section, Table
from foveate.reports.sections.style import drawn, named

_DRAWN: Mapping[str, tuple[str, Scale]] = {
    "coverage": ("Coverage", coverage.SCALE),
    "complexity": ("Boundary complexity", boundary.COMPLEXITY),
    "points": ("Points", boundary.POINTS),
}
_BESIDE = ("complexity 0 %", "several parts %")
_DIGITS = {"x mean": 2, "x sd": 2, "y mean": 2, "y sd": 2, "points mean": 1, "complexity median": 2}
# A sentence about a group of fewer says more about chance than about the data.
_LEAST = 5


def grouped_sections(analyses: Sequence[Analysis], top: int) -> list[Section]:
    """Returns a chapter for each grouping that any data set has, in the order in which they are told.

    Args:
        analyses: The data sets; the groups that are drawn are those of the first that has the grouping.
        top: At most so many groups are drawn; tables have all.
    """
    names = dict.fromkeys(name for analysis in analyses for name in analysis.groupings)
    keys: dict[str, str] = {}
    for name in names:
        keys[name] = free(slug(name), keys.values())
    return [section for name in names if (section := _section(name, keys[name], analyses, top)) is not None]


def _section(name: str, key: str, analyses: Sequence[Analysis], top: int) -> Section | None:
    title = title_of(name)
    having = {n: a.groupings[name] for n, a in enumerate(analyses) if name in a.groupings}
    having = {n: grouping for n, grouping in having.items() if any(len(g.rows) for g in grouping.groups)}
    if not having:
        return None
    figures = [_figure(column, key, title, analyses, having, top) for column in _DRAWN]
    parts: list[Figure | Table] = [figure for figure in figures if figure is not None]
    parts.append(_table(name, key, title, analyses, having))
    if name == "answer":
        parts += answer_tables(analyses, having)
    return Section(f"by_{key}", f"By {title}", _lead(analyses, having, top), parts, _meaning(analyses, name, title))


def _meaning(analyses: Sequence[Analysis], name: str, title: str) -> str:
    """Returns what a fact is, by the card of the first data set that says so."""
    said = next((said for analysis in analyses if (said := meaning_of(analysis.name, name))), "")
    return f"{title[:1].upper()}{title[1:]}: {said}." if said else ""


def _lead(analyses: Sequence[Analysis], having: Mapping[int, Grouping], top: int) -> str:
    names = names_of(analyses)
    return "\n".join(
        f"{_known(names[n], analyses[n], grouping)} {_finding(analyses[n].columns, grouping, top)}".strip()
        for n, grouping in having.items()
    )


def _known(name: str, analysis: Analysis, grouping: Grouping) -> str:
    groups = [group for group in grouping.groups if len(group.rows)]
    known = f"known for {grouping.known:,} of {counted(len(analysis.columns), 'sample')} with a target"
    rule = grouping.note.rstrip(".")
    note = f" Told apart by: {rule[:1].lower()}{rule[1:]}." if rule else ""
    return f"{name}: {counted(len(groups), 'group')}, {known}.{note}"


def _finding(columns: Columns, grouping: Grouping, top: int) -> str:
    """Returns between which groups coverage goes, of those that are drawn and large enough to tell."""
    large = [group for group in grouping.groups if len(group.rows) >= _LEAST][:top]
    if len(large) < 2:
        return ""
    means = [float(columns.coverage[group.rows].mean()) for group in large]
    low, high = (large[int(n)] for n in (np.argmin(means), np.argmax(means)))
    of_some = f"In the first {len(large):,} groups of {_LEAST} samples or more, mean coverage"
    subject = "Mean coverage" if len(large) == sum(len(group.rows) > 0 for group in grouping.groups) else of_some
    if low is high:
        return f"{subject} is the same in all of them, {text(means[0])}."
    return (
        f"{subject} goes from {text(min(means))} (“{low.key}”, n {len(low.rows):,}) to {text(max(means))} "
        f"(“{high.key}”, n {len(high.rows):,})."
    )


def _figure(
    column: str, key: str, title: str, analyses: Sequence[Analysis], having: Mapping[int, Grouping], top: int
) -> Figure | None:
    measured, scale = _DRAWN[column]
    first = next(iter(having.values()))
    groups = [group for group in first.groups if len(group.rows)]
    rows = {n: {group.key: group.rows for group in grouping.groups} for n, grouping in having.items()}
    drawn_groups = [
        Group(
            named(group.key, 200, place),
            [(n, getattr(analyses[n].columns, column)[of[group.key]]) for n, of in rows.items() if group.key in of],
        )
        for place, group in enumerate(groups[:top], start=1)
    ]
    names = names_of(analyses)
    fig = box_plots(drawn_groups, names, scale)
    if fig is None:
        return None
    left = len(groups) - len(drawn_groups)
    of = names[next(iter(having))]
    more = f" {counted(left, 'more group')} {'is' if left == 1 else 'are'} in the table." if left else ""
    about = f"The groups are those of {of}. {HOW}{more}"
    found = drawn(f"{column}_by_{key}", f"{measured} by {title}", about, fig, _said(drawn_groups, names, scale))
    return replace(found, fold=_fold(column, title, analyses))


def _fold(column: str, title: str, analyses: Sequence[Analysis]) -> str:
    """Returns what stands for a figure that is not the first to look at, or in which there is nothing to see."""
    every = np.concatenate([analysis.columns.complexity for analysis in analyses])
    says = np.unique(every[np.isfinite(every)]).size > 1
    if column == "points":
        return f"One more figure: points by {title}" if says else f"More figures by {title}: complexity, points"
    return f"More figures by {title}: complexity, points" if column == "complexity" and not says else ""


def _said(groups: Sequence[Group], names: Sequence[str], scale: Scale) -> str:
    """Returns the medians in words."""
    told = []
    several = len({number for group in groups for number, _ in group.series}) > 1
    for group in groups:
        medians = ((number, summary(values).median) for number, values in group.series)
        said = [f"{text(m, scale.digits)}{f' ({names[n]})' if several else ''}" for n, m in medians if m is not None]
        told += [f"“{group.label}” {' and '.join(said)}"] if said else []
    return f"Medians: {'; '.join(told)}." if told else ""


def _table(name: str, key: str, title: str, analyses: Sequence[Analysis], having: Mapping[int, Grouping]) -> Table:
    names = names_of(analyses)
    several = len(analyses) > 1
    of = [(n, group) for n, grouping in having.items() for group in grouping.groups if len(group.rows)]
    rows: list[list[Cell]] = [
        [group.key, *([names[n]] if several else []), *_cells(analyses[n].columns, group.rows)] for n, group in of
    ]
    told = [published_of(analyses[n].name, "coverage", f"{name}: {group.key}") for n, group in of]
    head: list[str] = [title, "data set"] if several else [title]
    head += ["n", "samples %", "coverage mean", "lower quartile", "median", "upper quartile", "whole image %"]
    head += ["x mean", "x sd", "y mean", "y sd", "points mean", "complexity median", *_BESIDE]
    about = (
        "A sample can be in several groups, or in none. Median and quartiles are those of coverage; x and y are mean "
        "centres."
    )
    if any(told):
        head.append("coverage mean, published")
        rows = [[*row, value.mean if value else None] for row, value in zip(rows, told, strict=True)]
        about += f" Published: {'; '.join(f'{group_of(p.group)}, {p.over} ({p.source})' for p in told if p)}."
    parted = "data set" if several else ""
    return Table(f"by_{key}", f"All groups by {title}", about, head, rows, 3, _DIGITS, parted, _BESIDE)


def _cells(columns: Columns, rows: NDArray[np.int64]) -> list[Cell]:
    covered, centre = columns.coverage[rows], columns.centre[rows]
    points, complexity = columns.points[rows], columns.complexity[rows]
    (x, y), (sd_x, sd_y) = centre.mean(axis=0), centre.std(axis=0)
    quartiles = [float(value) for value in np.quantile(covered, (0.25, 0.5, 0.75))]
    zeros = numbers.share(complexity, zero(columns)[rows])
    return [
        len(rows),
        100 * len(rows) / len(columns),
        float(covered.mean()),
        *quartiles,
        100 * float(whole(columns)[rows].mean()),
        *(float(value) for value in (x, sd_x, y, sd_y)),
        mean(points),
        summary(complexity).median,
        None if zeros is None else 100 * zeros,
        100 * float((columns.parts[rows] > 1).mean()),
    ]
