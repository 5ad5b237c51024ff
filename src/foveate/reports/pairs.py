"""Two runs sample by sample: on which is the one better, on which the other?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from foveate.reports._svg import element
from foveate.reports.axes import Axis, across, figure, share_ticks, upward
from foveate.reports.clouds import cloud
from foveate.reports.figures import Figure, Panel
from foveate.reports.rows import Row

# Differences that are nothing but rounding count as equal.
_EQUAL = 1e-9


@dataclass(frozen=True, slots=True)
class Tally:
    """On how many samples with a target the first run has the higher IoU, neither, or the second."""

    first: int
    equal: int
    second: int


def tally(points: Sequence[tuple[float, float]]) -> Tally:
    """Returns who is better on how many points (IoU of the first, IoU of the second)."""
    gains = [second - first for first, second in points]
    lost, won = (sum(sign * gain > _EQUAL for gain in gains) for sign in (-1, 1))
    return Tally(lost, len(points) - lost - won, won)


def pair_figure(rows: Sequence[Row], names: Sequence[str]) -> Figure | None:
    """Returns the figure, a drawing for each run beside the first; None for one run, or where no sample has an IoU."""
    panels, table, told = [], [], []
    for run in range(1, len(names)):
        both = [(row.said[0].iou, row.said[run].iou) for row in rows]
        points = [(first, second) for first, second in both if first is not None and second is not None]
        if not points:
            continue
        found = tally(points)
        table.append([names[run], *(f"{count:,}" for count in (found.second, found.equal, found.first))])
        told.append(
            f"{names[run]} is better on {found.second:,}, {names[0]} on {found.first:,}, equal are {found.equal:,}."
        )
        panels.append(
            Panel(f"{names[run]} against {names[0]}", _drawing(points, (names[0], names[run]), run, told[-1]))
        )
    if not panels:
        return None
    about = (
        "Each mark is a sample with a target: the IoU of the two runs. Above the dotted line the run named at the "
        f"side is better. {' '.join(told)}"
    )
    head = ["run", "it is better", "equal", f"{names[0]} is better"]
    return Figure("pairs", "Sample by sample", about, panels, head, table)


def _drawing(points: Sequence[tuple[float, float]], names: tuple[str, str], run: int, label: str) -> Markup:
    x = Axis(across(0.0, 1.0), share_ticks(), f"IoU of {_fitting(names[0], 34)}")
    y = Axis(upward(0.0, 1.0), share_ticks(), f"IoU of {_fitting(names[1], 20)}")
    diagonal = element("line", class_="ideal", x1=x.scale(0), y1=y.scale(0), x2=x.scale(1), y2=y.scale(1))
    return figure(x, y, [diagonal, *cloud(points, x, y, run)], f"IoU sample by sample. {label}")


def _fitting(name: str, length: int) -> str:
    """Returns a name that fits beside an axis; of a path the end tells more than the beginning."""
    return name if len(name) <= length else "…" + name[-(length - 1) :]
