"""How the IoU is spread: twenty bins, and apart from them what has no overlap and what has no region."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from markupsafe import Markup

from foveate.evaluation.wording import counted
from foveate.reports._svg import element
from foveate.reports.axes import LEFT, RIGHT, WIDTH, Axis, Scale, count_ticks, figure, share_ticks, upward
from foveate.reports.figures import Figure, Panel
from foveate.reports.rows import Row

BINS = 20
# How wide the place of one of the bars apart is, since its name stands below it.
_APART = 50


@dataclass(frozen=True, slots=True)
class Spread:
    """How many samples with a target have which IoU.

    Attributes:
        none: Those without a region, whatever the state.
        zero: Those whose region does not touch the target.
        bins: Those from `k / 20` to below `(k + 1) / 20`; 1 belongs to the last.
    """

    none: int
    zero: int
    bins: tuple[int, ...]


def spread(rows: Sequence[Row], run: int) -> Spread:
    """Returns how a run's IoU is spread."""
    none, zero, bins = 0, 0, [0] * BINS
    for row in rows:
        said = row.said[run]
        if said.iou is None:
            continue
        if not said.ok:
            none += 1
        elif said.iou == 0:
            zero += 1
        else:
            bins[min(int(said.iou * BINS + 1e-9), BINS - 1)] += 1
    return Spread(none, zero, tuple(bins))


def histogram(rows: Sequence[Row], names: Sequence[str]) -> Figure | None:
    """Returns the figure, a drawing a run on one scale; None where no sample has an IoU."""
    spreads = [spread(rows, run) for run in range(len(names))]
    most = max((max(s.none, s.zero, *s.bins) for s in spreads), default=0)
    if not most:
        return None
    with_none = any(s.none for s in spreads)
    panels = [
        Panel(name if len(names) > 1 else "", _drawing(s, most, run, with_none, _told(rows, run, s, name)))
        for run, (name, s) in enumerate(zip(names, spreads, strict=True))
    ]
    about = "Samples with a target by their IoU. Apart, on the left: regions that do not touch the target"
    about += ", and samples without any region, which count 0." if with_none else "."
    said = [
        _told(rows, run, s, name if len(names) > 1 else "")
        for run, (name, s) in enumerate(zip(names, spreads, strict=True))
    ]
    return Figure("iou", "IoU", f"{about} {' '.join(said)}", panels, ["IoU", *names], _table(spreads))


def _told(rows: Sequence[Row], run: int, found: Spread, name: str) -> str:
    values = [row.said[run].iou or 0.0 for row in rows if row.said[run].iou is not None]
    if not values:
        return f"{name}: nothing is measured."
    told = f"median {median(values):.2f} over {counted(len(values), 'sample')}, {found.zero:,} without overlap"
    told += f", {found.none:,} without a region" if found.none else ""
    return f"{name}: {told}." if name else f"Here: {told}."


def _drawing(found: Spread, most: int, run: int, with_none: bool, label: str) -> Markup:
    y = Axis(upward(0, most * 1.08), count_ticks(most), "samples")
    apart = [("no region", found.none), ("no overlap", found.zero)] if with_none else [("no overlap", found.zero)]
    start = LEFT + _APART * len(apart)
    x = Axis(Scale(0.0, 1.0, start + 4, WIDTH - RIGHT), share_ticks(), "IoU")
    width = (x.scale.end - x.scale.start) / BINS
    marks = [_bar(x.scale(k / BINS) + 0.5, width - 1, count, y, run) for k, count in enumerate(found.bins)]
    for place, (name, count) in enumerate(apart):
        middle = LEFT + _APART * (place + 0.5)
        marks.append(_bar(middle - 9, 18, count, y, run, "apart"))
        for line, word in enumerate(name.split()):
            marks.append(element("text", word, x=middle, y=y.scale.start + 14 + 12 * line, text_anchor="middle"))
    marks.append(element("line", class_="axis", x1=LEFT, x2=start - 4, y1=y.scale.start, y2=y.scale.start))
    return figure(x, y, marks, f"Histogram of IoU. {label}")


def _bar(left: float, width: float, count: int, y: Axis, run: int, more: str = "") -> Markup:
    top = y.scale(count)
    kind = f"bar run-{run % 6} {more}".strip()
    return element("rect", class_=kind, x=left, y=top, width=width, height=y.scale.start - top)


def _table(spreads: Sequence[Spread]) -> list[list[str]]:
    rows = [["no region", *(f"{s.none:,}" for s in spreads)], ["no overlap", *(f"{s.zero:,}" for s in spreads)]]
    for k in range(BINS):
        start = "above 0" if k == 0 else f"{k / BINS:.2f}"
        rows.append([f"{start} to {(k + 1) / BINS:.2f}", *(f"{s.bins[k]:,}" for s in spreads)])
    return rows
