"""The chapter that compares data sets, with effect sizes and intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from foveate.analysis.columns import Analysis
from foveate.analysis.compare import Difference, compare
from foveate.reports.analysis.numbers import names_of
from foveate.reports.analysis.telling import DIRECTION
from foveate.reports.analysis.titles import measure_of
from foveate.reports.sections.numbers import text
from foveate.reports.sections.parts import Cell, Figure, Section, Table
from foveate.reports.sections.style import COLOURS, INK, SOFT, WIDTH, drawn, figure, house, named

KEY, TITLE = "comparison", "Comparison"
# Romano, Kromrey, Coraggio, Skowronek: Appropriate statistics for ordinal level data, 2006.
_WORDS = ((0.147, "negligible"), (0.33, "small"), (0.474, "medium"))
_MEANS = ("first's mean", "other's mean", "difference", "low", "high")
_HEAD = ("measure", "first data set", "other", *_MEANS, "Cliff's delta", "effect", "Cohen's d")


def comparison_section(analyses: Sequence[Analysis], differences: Sequence[Difference] | None = None) -> Section | None:
    """Returns the chapter; None where there is but one data set with a target.

    Args:
        analyses: The data sets.
        differences: What `compare` gives of them under names that tell them apart, where that is at hand.
    """
    named_apart = list(zip(names_of(analyses), analyses, strict=True))
    there = [(name, analysis) for name, analysis in named_apart if len(analysis.columns)]
    if len(there) < 2:
        return None
    # Where the first has no target, the next one stands in its place.
    at_hand = differences if len(there) == len(analyses) else None
    found = at_hand or compare([replace(analysis, name=name) for name, analysis in there])
    told = [replace(d, measure=measure_of(d.measure)) for d in found]
    return Section(KEY, TITLE, "\n".join(_sentences(told)), [_figure(told), _table(told)])


def effect(cliff: float) -> str:
    """Returns how large an effect is, in words.

    Example:
        >>> effect(-0.1), effect(0.2), effect(0.4), effect(-0.5)
        ('negligible', 'small', 'medium', 'large')

    References:
        Romano, Kromrey, Coraggio, Skowronek: Appropriate statistics for ordinal level data, 2006.
    """
    return next((word for limit, word in _WORDS if abs(cliff) < limit), "large")


def _sentences(differences: Sequence[Difference]) -> list[str]:
    """Returns one sentence on each other data set: by what it differs most."""
    others = dict.fromkeys(d.other for d in differences)
    most = [max((d for d in differences if d.other == other), key=lambda d: abs(d.cliff)) for other in others]
    return [
        f"{d.other} differs most from {d.first} in {d.measure}: a mean of {text(d.mean_other)} against "
        f"{text(d.mean_first)}, a difference of {text(d.difference)}{_interval(d)}, which is a "
        f"{effect(d.cliff)} effect (Cliff's delta {text(d.cliff, 2)})."
        for d in most
    ]


def _interval(d: Difference) -> str:
    """Returns the interval in words; nothing where there is none."""
    return "" if math.isnan(d.low) else f" ({text(d.low)} to {text(d.high)})"


def _figure(differences: Sequence[Difference]) -> Figure:
    others = list(dict.fromkeys(d.other for d in differences))
    measures = list(dict.fromkeys(d.measure for d in differences))
    with house():
        fig, axes = figure(WIDTH, 0.75 + len(measures) * (0.22 + 0.16 * len(others)) + 0.2 * len(others))
        thick = 0.75 / len(others)
        for d in differences:
            y = measures.index(d.measure) + (others.index(d.other) + 0.5) * thick - 0.375
            colour = COLOURS[(others.index(d.other) + 1) % len(COLOURS)]
            label = named(d.other, 32) if d.measure == measures[0] else None
            axes.barh(y, d.cliff, thick * 0.85, color=colour, edgecolor=INK, linewidth=0.5, label=label)
            side, end = (1, "left") if d.cliff >= 0 else (-1, "right")
            axes.text(d.cliff + 0.03 * side, y, text(d.cliff, 2), ha=end, va="center_baseline", fontsize=9, color=SOFT)
        _axis(axes, measures)
        if len(others) > 1:
            fig.legend(loc="outside upper left", fontsize=10)
    told = [[f"{d.measure} {text(d.cliff, 2)}" for d in differences if d.other == other] for other in others]
    said = "; ".join(f"{other}: {', '.join(each)}" for other, each in zip(others, told, strict=True))
    about = (
        f"To the right the other data set has larger values than {differences[0].first}, to the left smaller ones; 1 "
        "means that every value of one is above every value of the other, 0 that neither is above more often."
    )
    return drawn("comparison_effects", "How far the data sets are apart", about, fig, f"Cliff's delta of {said}.")


def _axis(axes: Any, measures: Sequence[str]) -> None:
    axes.set_xlim(-1.18, 1.18)
    axes.set_xticks([-1, -0.5, 0, 0.5, 1])
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_ylim(len(measures) - 0.5, -0.5)
    axes.set_yticks(range(len(measures)), [named(measure, 22) for measure in measures])
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")
    axes.axvline(0, color=SOFT, linewidth=1)
    axes.set_xlabel("Cliff's delta: other against first")


def _table(found: Sequence[Difference]) -> Table:
    rows: list[Sequence[Cell]] = [
        [
            d.measure,
            d.first,
            d.other,
            d.mean_first,
            d.mean_other,
            d.difference,
            d.low,
            d.high,
            d.cliff,
            effect(d.cliff),
            d.cohen,
        ]
        for d in found
    ]
    about = (
        f"First is {found[0].first}. {DIRECTION} Its 95 % interval is by a bootstrap over photos. Cliff's delta is how "
        "often a value of the other is above one of the first, less how often it is below; its words are those of "
        "Romano et al. (2006). Cohen's d is the difference in standard deviations."
    )
    digits = {"Cliff's delta": 2, "Cohen's d": 2}
    return Table("comparison", "Differences", about, _HEAD, rows, 3, digits, "other", ("first data set",), whole=True)
