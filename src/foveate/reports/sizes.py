"""IoU against how much of the photo the target covers: does a method fail on what is small?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
from markupsafe import Markup

from foveate.reports._svg import element
from foveate.reports._text import percent, short
from foveate.reports.axes import Axis, across, figure, share_ticks, upward
from foveate.reports.clouds import cloud
from foveate.reports.figures import Figure, Panel
from foveate.reports.rows import Row

_THIRDS = ("small", "middle", "large")
_SMALLEST = 1e-5


@dataclass(frozen=True, slots=True)
class Third:
    """The third of the samples whose targets are smallest, middle or largest.

    Attributes:
        low: The least coverage in it.
        high: The greatest.
        iou: The median IoU.
        count: How many samples.
    """

    low: float
    high: float
    iou: float
    count: int


def thirds(points: Sequence[tuple[float, float]]) -> list[Third]:
    """Returns the thirds of points (coverage, IoU), as equal in number as can be; none for fewer than three points."""
    if len(points) < 3:
        return []
    parts = [part for part in np.array_split(np.array(sorted(points)).reshape(-1, 2), 3) if len(part)]
    return [
        Third(float(part[0, 0]), float(part[-1, 0]), float(median(part[:, 1].tolist())), len(part)) for part in parts
    ]


def size_figure(rows: Sequence[Row], names: Sequence[str]) -> Figure | None:
    """Returns the figure, a drawing a run; None where nothing tells IoU or size."""
    clouds = [
        [(row.coverage, row.said[run].iou or 0.0) for row in rows if row.coverage and row.said[run].iou is not None]
        for run in range(len(names))
    ]
    if not all(clouds) or not clouds:
        return None
    least = max(_SMALLEST, min(coverage for points in clouds for coverage, _ in points))
    power = min(-1, math.floor(math.log10(least)))
    panels = []
    for run, (name, points) in enumerate(zip(names, clouds, strict=True)):
        label = f"IoU against target size, {name}. {_told(thirds(points))}"
        panels.append(Panel(name if len(names) > 1 else "", _drawing(points, power, run, label)))
    table = [
        [name, third, f"{percent(part.low)} to {percent(part.high)}", short(part.iou), f"{part.count:,}"]
        for name, points in zip(names, clouds, strict=True)
        for third, part in zip(_THIRDS, thirds(points), strict=False)
    ]
    said = " ".join(
        f"{name + ': ' if len(names) > 1 else ''}{_told(thirds(points))}"
        for name, points in zip(names, clouds, strict=True)
    )
    about = (
        "Each mark is a sample with a target: the share of the photo that the target covers, and the IoU. "
        f"The lines are the medians of the small, the middle and the large third. {said}"
    )
    head = ["run", "third", "target covers", "median IoU", "samples"]
    return Figure("size", "IoU by size of the target", about, panels, head, table)


def _told(parts: Sequence[Third]) -> str:
    if not parts:
        return "There are too few for thirds."
    return (
        "Median IoU "
        + ", ".join(f"{part.iou:.2f} on {third}" for third, part in zip(_THIRDS, parts, strict=False))
        + " targets."
    )


def _drawing(points: Sequence[tuple[float, float]], power: int, run: int, label: str) -> Markup:
    ticks = [(10.0**p, percent(10.0**p)) for p in range(power, 1)]
    x = Axis(across(10.0**power, 1.0, log=True), ticks, "share of the photo that the target covers")
    y = Axis(upward(0.0, 1.0), share_ticks(), "IoU")
    lines = []
    for part in thirds(points):
        left, right, up = x.scale(part.low), x.scale(part.high), y.scale(part.iou)
        kinds = ("median case", f"median run-{run % 6}")
        lines += [element("line", class_=kind, x1=left, x2=max(right, left + 2), y1=up, y2=up) for kind in kinds]
    return figure(x, y, [*cloud(points, x, y, run), *lines], label)
