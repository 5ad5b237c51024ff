"""Values with their intervals, one under the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from foveate.evaluation.estimates import Estimate
from foveate.reports.sections.numbers import text
from foveate.reports.sections.parts import Figure
from foveate.reports.sections.style import COLOURS, INK, SOFT, WIDTH, drawn, figure, house, named

_LABEL = 34


@dataclass(frozen=True)
class Dot:
    """One value: what stands beside it, the value, and whether its mark is filled."""

    label: str
    value: Estimate
    filled: bool = True


def dots(name: str, title: str, about: str, rows: Sequence[Dot], axis: str, *, from_zero: bool = True) -> Figure:
    """Returns the figure.

    Args:
        name: Of its files.
        title: What it shows.
        about: How it is read; the values are told after it for those who cannot see it.
        rows: From top to bottom; what is not defined has no mark.
        axis: What is measured.
        from_zero: Whether the axis begins at 0; else it shows what lies between the values.
    """
    with house():
        fig, axes = figure(WIDTH * 1.3, 0.75 + 0.3 * len(rows))
        for y, row in enumerate(rows):
            one = row.value
            if one.value is None:
                continue
            if one.low is not None and one.high is not None:
                axes.plot([one.low, one.high], [y, y], color=INK, linewidth=1)
            face = COLOURS[0] if row.filled else "white"
            axes.plot(one.value, y, "o", color=COLOURS[0], markerfacecolor=face, markersize=6.5)
            axes.annotate(
                text(one.value),
                (1.01, y),
                xycoords=("axes fraction", "data"),
                va="center_baseline",
                fontsize=9,
                color=SOFT,
            )
        if from_zero:
            axes.set_xlim(left=0)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_yticks(range(len(rows)), [named(row.label, _LABEL) for row in rows])
        axes.tick_params(axis="y", length=0)
        axes.grid(visible=False, axis="y")
        axes.set_xlabel(axis)
    told = ", ".join(f"{row.label} {text(row.value.value)}" for row in rows)
    return drawn(name, title, f"{about} {told}.", fig)
