"""The chapter on how much of the photo targets cover."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from foveate.analysis.columns import Analysis
from foveate.analysis.rules import THIRDS, WHOLE_ABOVE
from foveate.evaluation.wording import percent
from foveate.reports.analysis.numbers import names_of, sizes
from foveate.reports.sections.boxes import HOW, Group, Scale, box_plots
from foveate.reports.sections.numbers import Values, spread, text
from foveate.reports.sections.parts import Cell, Figure, Section, Table
from foveate.reports.sections.style import COLOURS, INK, SHEET, SOFT, drawn, house, named, panels

KEY, TITLE = "coverage", "Coverage"
SCALE = Scale("coverage (share of the photo)", 3, (0, 1))
_BINS = 30
_SHADES = (0.35, 0.65, 1.0)


def coverage_section(analyses: Sequence[Analysis]) -> Section:
    """Returns the chapter."""
    names = names_of(analyses)
    values = {n: analysis.columns.coverage for n, analysis in enumerate(analyses) if len(analysis.columns)}
    if not values:
        return Section(KEY, TITLE, "No sample has a target, so that there is no coverage.", ())
    lead = "\n".join(_sentence(names[n], coverage) for n, coverage in values.items())
    return Section(KEY, TITLE, lead, [_boxes(values, names), _histogram(values, names), _table(values, names)])


def _sentence(name: str, coverage: Values) -> str:
    small, medium, large = (percent(count / len(coverage)) for count in sizes(coverage))
    return (
        f"{name}: a target covers {percent(float(coverage.mean()))} of the photo on average, median "
        f"{percent(float(np.median(coverage)))}; {small} cover less than a third, {medium} less than two thirds, "
        f"{large} more, and {percent(float((coverage > WHOLE_ABOVE).mean()))} over {WHOLE_ABOVE}: the whole photo."
    )


def _boxes(values: Mapping[int, Values], names: Sequence[str]) -> Figure:
    fig = box_plots([Group(names[n], [(n, coverage)]) for n, coverage in values.items()], [], SCALE)
    return drawn("coverage_boxes", "How much targets cover", HOW, fig, _told(values, names))


def _told(values: Mapping[int, Values], names: Sequence[str]) -> str:
    found = ((names[n], spread(coverage)) for n, coverage in values.items())
    return " ".join(f"{name}: half of the targets cover {text(s.q1)} to {text(s.q3)}." for name, s in found if s)


def _histogram(values: Mapping[int, Values], names: Sequence[str]) -> Figure:
    with house():
        fig, several = panels(len(values), 2.7 if len(values) == 1 else 2.2, columns=1)
        for axes, (n, coverage) in zip(several, values.items(), strict=True):
            _bars(axes, coverage, COLOURS[n % len(COLOURS)])
            if len(values) > 1:
                axes.set_title(f"{named(names[n], 40)}, n = {len(coverage):,}")
        several[-1].set_xlabel(SCALE.title)
    about = f"{_BINS} bins of equal width, ten for each third of the photo; the bars are shares of all targets."
    told = " ".join(_fullest(names[n], coverage) for n, coverage in values.items())
    return drawn("coverage_histogram", "Small, medium and large targets", about, fig, told)


def _fullest(name: str, coverage: Values) -> str:
    """Returns which bin is the highest bar, and how the thirds share the rest."""
    counts, edges = np.histogram(coverage, bins=np.linspace(0, 1, _BINS + 1))
    most = int(counts.argmax())
    shares = (f"{size} {percent(n / len(coverage))}" for size, n in zip(THIRDS, sizes(coverage), strict=True))
    return (
        f"{name}: {', '.join(shares)}; the highest bar is {text(float(edges[most]), 2)} to "
        f"{text(float(edges[most + 1]), 2)} with {percent(float(counts[most] / len(coverage)))}."
    )


def _bars(axes: Any, coverage: Values, colour: str) -> None:
    edges = np.linspace(0, 1, _BINS + 1)
    shares = 100 * np.histogram(coverage, bins=edges)[0] / len(coverage)
    for third, shade in enumerate(_SHADES):
        chosen = slice(third * _BINS // 3, (third + 1) * _BINS // 3)
        axes.bar(
            edges[:-1][chosen], shares[chosen], 1 / _BINS, align="edge", color=colour, alpha=shade, edgecolor=SHEET,
            linewidth=0.6,
        )  # fmt: skip
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_ylim(0, float(shares.max()) * 1.28)
    axes.set_ylabel("targets, %")
    axes.grid(visible=False, axis="x")
    for edge in (1 / 3, 2 / 3):
        axes.axvline(edge, color=SOFT, linewidth=0.8, linestyle=(0, (3, 3)))
    for third, (size, count) in enumerate(zip(THIRDS, sizes(coverage), strict=True)):
        said = f"{size}\n{percent(count / len(coverage))}"
        axes.text(
            (third + 0.5) / 3, 0.98, said, transform=axes.transAxes, ha="center", va="top", color=INK, fontsize=10.5
        )


def _table(values: Mapping[int, Values], names: Sequence[str]) -> Table:
    rows: list[list[Cell]] = []
    for n, coverage in values.items():
        small, medium, large = sizes(coverage)
        q1, median, q3 = (float(value) for value in np.quantile(coverage, (0.25, 0.5, 0.75)))
        whole = int((coverage > WHOLE_ABOVE).sum())
        middle = [float(coverage.mean()), float(coverage.std()), q1, median, q3]
        rows.append([names[n], len(coverage), *middle, small, medium, large, whole, 100 * whole / len(coverage)])
    head: tuple[str, ...] = ("data set", "n", "mean", "sd", "lower quartile", "median", "upper quartile")
    head = (*head, *THIRDS, "whole image", "whole image %")
    about = f"Small, medium and large by thirds of the photo; the whole image from a coverage over {WHOLE_ABOVE} on."
    return Table("coverage", "Coverage in numbers", about, head, rows)
