"""Box plots that lie, so that a long question stands above its box and n below it, on a phone too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from foveate.reports.sections.numbers import Spread, Values, spread, text
from foveate.reports.sections.style import COLOURS, INK, MANY, SHEET, SOFT, WIDTH, figure, house, named

HOW = (
    "Box: the middle half of the samples; line: median; diamond: mean; whiskers: to the last sample within 1.5 times "
    "the box; dots: samples beyond."
)
# Inches: the text above a group, a box, the text below it, the room between two groups.
_LABEL, _BOX, _BELOW, _GAP = 0.21, 0.17, 0.2, 0.13
_AXIS, _LEFT, _RIGHT, _TOP = 0.55, 0.12, 0.2, 0.03
_LABEL_LENGTH, _NAME_LENGTH = 44, 26


@dataclass(frozen=True)
class Group:
    """What is drawn together.

    Attributes:
        label: Stands above; empty for nothing.
        series: The values of one data set or several, each with its number.
    """

    label: str
    series: Sequence[tuple[int, Values]]


@dataclass(frozen=True)
class Scale:
    """The axis along which values lie.

    Attributes:
        title: What is measured.
        digits: How many digits the text below a box has.
        limits: From where to where; None: as the values are.
        log: Whether each step is a multiple.
    """

    title: str
    digits: int = 2
    limits: tuple[float, float] | None = None
    log: bool = False


def box_plots(groups: Sequence[Group], names: Sequence[str], scale: Scale) -> Any:
    """Returns the figure; None where no value is defined.

    Args:
        groups: From top to bottom.
        names: Of the data sets, told below each box where those of several are drawn; empty where the labels tell.
        scale: The axis.
    """
    several = len({number for group in groups for number, _ in group.series}) > 1
    found = [(group.label, [(number, spread(values)) for number, values in group.series]) for group in groups]
    there = [(label, [(number, s) for number, s in series if s]) for label, series in found]
    there = [(label, series) for label, series in there if series]
    if not there:
        return None
    with house():
        height = sum((_LABEL if label else 0) + len(series) * (_BOX + _BELOW) + _GAP for label, series in there)
        fig, axes = figure(WIDTH, height + _AXIS + _TOP)
        # Placed by hand: heights are in inches, and a layout would make room for the texts a second time.
        fig.set_layout_engine("none")
        high = fig.get_figheight()
        axes.set_position((_LEFT / WIDTH, _AXIS / high, 1 - (_LEFT + _RIGHT) / WIDTH, height / high))
        few = sum(s.outside.size for _, series in there for _, s in series) <= MANY
        _axis(axes, height, scale)
        y = _GAP / 2
        for label, series in there:
            y = _group(axes, y, label, series, names if several else [], scale, few)
    return fig


def _axis(axes: Any, height: float, scale: Scale) -> None:
    axes.set_ylim(height, 0)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.grid(visible=False, axis="y")
    axes.set_xlabel(scale.title)
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    if scale.log:
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0), numticks=12))
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.tick_params(axis="x", which="minor", bottom=False)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    if scale.limits:
        axes.set_xlim(*scale.limits)


def _group(
    axes: Any, y: float, label: str, series: Sequence[tuple[int, Spread]], names: Sequence[str], scale: Scale, few: bool
) -> float:
    """Draws one group from `y` on; returns where the next one begins."""
    along = axes.get_yaxis_transform()
    if label:
        axes.text(0, y + _LABEL / 2, named(label, _LABEL_LENGTH), transform=along, va="center", color=INK)
        y += _LABEL
    for number, found in series:
        _box(axes, y + _BOX / 2, found, COLOURS[number % len(COLOURS)], few)
        below = f"n = {found.n:,}, mean {text(found.mean, scale.digits)}"
        if names:
            below = f"{named(names[number], _NAME_LENGTH)}: {below}"
        axes.text(0, y + _BOX + _BELOW / 2, below, transform=along, va="center", color=SOFT, fontsize=9.5)
        y += _BOX + _BELOW
    return y + _GAP


def _box(axes: Any, y: float, found: Spread, colour: str, few: bool) -> None:
    from matplotlib.patches import Rectangle

    half = _BOX / 2
    line = {"color": colour, "linewidth": 1.4, "solid_capstyle": "butt", "clip_on": False}
    for start, end in ((found.low, found.q1), (found.q3, found.high)):
        axes.plot([start, end], [y, y], **line)
    for end in (found.low, found.high):
        axes.plot([end, end], [y - half / 2, y + half / 2], **line)
    dot = {"markersize": 3, "color": colour, "alpha": 0.3, "markeredgewidth": 0, "clip_on": False}
    axes.plot(found.outside, [y] * found.outside.size, "o", rasterized=not few, **dot)
    # The sheet first, so that no rule is seen through the shade.
    for face, opacity, edge in ((SHEET, 1.0, "none"), (colour, 0.3, "none"), ("none", None, colour)):
        box = Rectangle((found.q1, y - half), found.q3 - found.q1, 2 * half, alpha=opacity, facecolor=face)
        box.set(edgecolor=edge, linewidth=1.4, clip_on=False, zorder=2.1)
        axes.add_patch(box)
    axes.plot([found.median] * 2, [y - half, y + half], **{**line, "color": INK, "linewidth": 2, "zorder": 2.2})
    mark = {"markersize": 5, "markerfacecolor": SHEET, "markeredgecolor": INK, "markeredgewidth": 1}
    axes.plot([found.mean], [y], "D", **mark, clip_on=False, zorder=2.3)
