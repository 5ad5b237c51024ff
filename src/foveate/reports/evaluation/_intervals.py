"""Values with their intervals, one under another, each with its name above it, so that a long one fits a phone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from foveate.reports.sections.style import COLOURS, INK, MARKS, SHEET, SOFT, WIDTH, figure, house, named

# Inches: a line of values, the axis with its title.
_LINE, _AXIS = 0.52, 0.75
_LONGEST = 52
# More would stand in one another.
_TICKS = 5


@dataclass(frozen=True)
class Drawn:
    """One value.

    Attributes:
        label: Stands above it.
        value: The value.
        low: Where its interval begins; None without one.
        high: Where it ends.
        shown: The numbers in words, beside the label.
        group: Values of one group have one colour and mark.
    """

    label: str
    value: float
    low: float | None
    high: float | None
    shown: str
    group: int = 0


def interval_plot(values: Sequence[Drawn], axis: str, zero: str | None = None) -> Any:
    """Returns the figure.

    Args:
        values: From top to bottom.
        axis: What is measured.
        zero: What the line at 0 is; None for no line.
    """
    with house():
        from matplotlib.ticker import MaxNLocator

        fig, axes = figure(WIDTH, _LINE * len(values) + _AXIS)
        axes.set_ylim(len(values) - 0.25, -0.75)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        axes.grid(visible=False, axis="y")
        axes.set_xlabel(axis)
        axes.xaxis.set_major_locator(MaxNLocator(_TICKS))
        axes.xaxis.set_major_formatter("{x:g}")
        if zero is not None:
            axes.axvline(0, color=SOFT, linewidth=1.2, linestyle=(0, (4, 3)))
            axes.text(
                0, -0.72, named(zero, _LONGEST), color=SOFT, fontsize=9.5, ha="center", va="bottom", clip_on=False
            )
        along = axes.get_yaxis_transform()
        for y, one in enumerate(values):
            colour, mark = COLOURS[one.group % len(COLOURS)], MARKS[one.group % len(MARKS)]
            if one.low is not None and one.high is not None:
                axes.plot([one.low, one.high], [y, y], color=colour, linewidth=2, solid_capstyle="butt")
            axes.plot([one.value], [y], mark, color=colour, markersize=6)
            said = f"{named(one.label, _LONGEST)}: {one.shown}"
            # On the sheet, so that no rule is seen through the letters.
            box = {"facecolor": SHEET, "edgecolor": "none", "pad": 1.0}
            axes.text(0, y - 0.33, said, transform=along, color=INK, fontsize=10, va="center", bbox=box)
    return fig
