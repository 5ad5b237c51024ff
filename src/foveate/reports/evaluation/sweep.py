"""The chapter on thresholds of score maps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from foveate.evaluation.sweep import CAVEAT, Sweep
from foveate.evaluation.telling import SCALE_WORDS, sweep_sentences
from foveate.reports.sections.numbers import text
from foveate.reports.sections.parts import Cell, Figure, Section, Table
from foveate.reports.sections.style import COLOURS, INK, drawn, house, named, panels

KEY, TITLE = "sweep", "Thresholds of score maps"
_HEAD = ("run", "scale", "threshold", "mean IoU", "low", "high", "accuracy@0.5", "n")
_DASHES = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (5, 2, 1, 2)))


def sweep_section(found: Sequence[Sweep], names: Sequence[str] = ()) -> Section | None:
    """Returns the chapter; None where no run has score maps.

    Args:
        found: The sweeps of all runs.
        names: Of all runs of the report, so that each has its colour in every chapter.
    """
    if not found:
        return None
    lines = [f"{one.name}, thresholds as {SCALE_WORDS[one.scale]}: {' '.join(_sentences(one))}" for one in found]
    return Section(KEY, TITLE, "\n".join([CAVEAT, *lines]), [_figure(found, names), _table(found)])


def _sentences(one: Sweep) -> list[str]:
    return [sentence for sentence in sweep_sentences(one) if sentence != one.caveat]


def _figure(found: Sequence[Sweep], names: Sequence[str]) -> Figure:
    scales = list(dict.fromkeys(one.scale for one in found))
    runs = list(dict.fromkeys([*names, *(one.name for one in found)]))
    with house():
        fig, several = panels(len(scales), 3.1, columns=1)
        for axes, scale in zip(several, scales, strict=True):
            for one in (one for one in found if one.scale == scale):
                _curve(axes, one, runs.index(one.name))
            axes.set_xlim(0, 1)
            axes.set_ylim(0, 1)
            axes.xaxis.set_major_formatter("{x:g}")
            axes.yaxis.set_major_formatter("{x:g}")
            axes.set_xlabel(f"threshold: {SCALE_WORDS[scale]}")
            axes.set_ylabel("mean IoU")
        several[0].legend(loc="upper right", fontsize=9)
    about = (
        "Mean IoU if score maps were cut at each threshold; the band is its 95 % interval, the ring the best one, "
        "the dotted line the run as it is, the cross the cross-fitted value, and an upright line the run's own option. "
        f"{CAVEAT} " + " ".join(_told(one) for one in found)
    )
    return drawn("threshold_sweep", "Mean IoU by threshold", about, fig)


def _curve(axes: Any, one: Sweep, place: int) -> None:
    colour = COLOURS[place % len(COLOURS)]
    at = [point.threshold for point in one.points]
    values = [point.mean_iou.value or 0.0 for point in one.points]
    name = named(one.name, 24)
    axes.plot(at, values, color=colour, linestyle=_DASHES[place % len(_DASHES)], label=name)
    bounds = [(point.mean_iou.low, point.mean_iou.high) for point in one.points]
    if all(low is not None for low, _ in bounds):
        axes.fill_between(at, *zip(*bounds, strict=True), color=colour, alpha=0.2, linewidth=0)
    best = at.index(one.best)
    axes.plot(at[best], values[best], "o", color=colour, markerfacecolor="none", markersize=10)
    if one.now.value is not None:
        axes.axhline(one.now.value, color=colour, linewidth=1, linestyle=":")
    if one.chosen and one.cross_fitted.value is not None:
        axes.plot(sum(one.chosen) / 2, one.cross_fitted.value, "x", color=INK, markersize=8, markeredgewidth=1.8)
    if one.in_use is not None:
        axes.axvline(one.in_use, color=colour, linewidth=1, linestyle=(0, (3, 3)))


def _told(one: Sweep) -> str:
    best = max(point.mean_iou.value or 0.0 for point in one.points)
    told = f"{one.name}, {one.scale}: best {text(best)} at {one.best:g}"
    return f"{told}, cross-fitted {text(one.cross_fitted.value)}, now {text(one.now.value)}."


def _table(found: Sequence[Sweep]) -> Table:
    rows: list[Sequence[Cell]] = [
        [
            one.name,
            one.scale,
            point.threshold,
            point.mean_iou.value,
            point.mean_iou.low,
            point.mean_iou.high,
            point.accuracy.value,
            one.n,
        ]
        for one in found
        for point in one.points
    ]
    return Table("threshold_sweep", "Values at each threshold", CAVEAT, _HEAD, rows)
