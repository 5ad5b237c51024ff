"""What a method's score is worth: the risk–coverage curve and the reliability diagram, all runs in one frame."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from markupsafe import Markup

from foveate.evaluation.measured import Columns
from foveate.evaluation.wording import counted
from foveate.metrics._selective import Curve, Reliability, reliability, risk_coverage
from foveate.reports._svg import element, number
from foveate.reports._text import percent, short
from foveate.reports.axes import Axis, Scale, across, figure, share_ticks, upward
from foveate.reports.figures import Figure, Key, Panel
from foveate.reports.markers import marker

# Of the reliability diagram; as many as a figure of this size can show.
_BINS = 10
_MOST_POINTS = 200
_SHARES = tuple(k / 10 for k in range(1, 11))


def risk_figure(columns: Mapping[int, Columns], names: Sequence[str]) -> Figure | None:
    """Returns the risk–coverage curves; None where no run gives a region with a score.

    Args:
        columns: Of `foveate.metrics._selective`, by the run's number.
        names: Of all runs.
    """
    curves = {run: curve for run, one in columns.items() if len((curve := risk_coverage(one)).risk)}
    if not curves:
        return None
    x = Axis(across(0.0, 1.0), share_ticks(), "share of the samples that is accepted")
    y = Axis(upward(0.0, 1.0), share_ticks(), "mean loss (1 − IoU)")
    marks = [mark for run, curve in curves.items() for mark in _line(curve, x.scale, y.scale, run)]
    told = " ".join(f"{names[run]}: {_told_risk(curve)}." for run, curve in curves.items())
    told += _constant([names[run] for run, curve in curves.items() if len(curve.risk) == 1])
    about = (
        "As ever less sure regions are accepted, from left to right, how bad they are on average. A score that knows "
        f"right from wrong makes the line rise from the lower left; one that does not leaves it level. {told}"
    )
    table = [[percent(share), *(_risk_at(curve, share) for curve in curves.values())] for share in _SHARES]
    svg = figure(x, y, marks, f"Risk–coverage curve. {told}")
    return Figure(
        "risk",
        "Risk and coverage",
        about,
        [Panel("", svg)],
        ["accepted", *(names[run] for run in curves)],
        table,
        [Key(run, names[run], len(curve.risk) > 1) for run, curve in curves.items()],
    )


def reliability_figure(columns: Mapping[int, Columns], names: Sequence[str]) -> Figure | None:
    """Returns the reliability diagram; None where no run gives a region with a score."""
    found = {run: bins for run, one in columns.items() if len((bins := reliability(one, _BINS)).count)}
    if not found:
        return None
    x = Axis(across(0.0, 1.0), share_ticks(), "score (mean of a bin)")
    y = Axis(upward(0.0, 1.0), share_ticks(), "hits (IoU ≥ 0.5)")
    ideal = element("line", class_="ideal", x1=x.scale.start, y1=y.scale.start, x2=x.scale.end, y2=y.scale.end)
    marks = [ideal, *(mark for run, bins in found.items() for mark in _bins(bins, x.scale, y.scale, run))]
    told = " ".join(f"{names[run]}: {_told(bins)}." for run, bins in found.items())
    about = (
        "How often regions of like score hit the target. On the dotted line the score is the chance of a hit; below "
        f"it the method is too sure of itself. Larger marks stand for more samples. {told}"
    )
    table = [
        [names[run], short(score), percent(hits), f"{count:,.0f}"]
        for run, bins in found.items()
        for score, hits, count in _points(bins)
    ]
    svg = figure(x, y, marks, f"Reliability diagram. {told}")
    head = ["run", "mean score", "hits", "samples"]
    return Figure(
        "reliability",
        "Reliability of the score",
        about,
        [Panel("", svg)],
        head,
        table,
        [Key(run, names[run], len(bins.count) > 1) for run, bins in found.items()],
    )


def _constant(names: Sequence[str]) -> str:
    """Returns what a reader must know of runs whose score tells nothing, since all their regions have the same."""
    if not names:
        return ""
    point = "a single point" if len(names) == 1 else "a single point each"
    return (
        f" One score for all regions: {', '.join(names)}; that is {point} instead of a line, and the AURC is just the "
        "mean loss: it says nothing about the score."
    )


def _told_risk(curve: Curve) -> str:
    surest = _risk_at(curve, 0.25)
    told = f"{curve.risk[-1]:.2f} over all regions with a score, on {percent(float(curve.coverage[-1]))} of the samples"
    return told if surest == "n/a" else f"{told}; {surest} over the surest quarter of the samples"


def _risk_at(curve: Curve, share: float) -> str:
    """Returns the mean loss at the greatest coverage up to a share; `n/a` where so much, or so little, never is."""
    at = int(np.searchsorted(curve.coverage, share + 1e-9, side="right")) - 1
    # Beyond what the method covers there is nothing more to accept.
    return short(float(curve.risk[at])) if at >= 0 and share <= curve.coverage[-1] + 1e-9 else "n/a"


def _line(curve: Curve, x: Scale, y: Scale, run: int) -> list[Markup]:
    points = list(zip(curve.coverage.tolist(), curve.risk.tolist(), strict=True))
    if len(points) > _MOST_POINTS:
        kept = sorted({round(k) for k in np.linspace(0, len(points) - 1, _MOST_POINTS)})
        points = [points[k] for k in kept]
    end = points[-1]
    return [*_joined([(x(a), y(b)) for a, b in points], run), marker(run, x(end[0]), y(end[1]), 3.5)]


def _joined(points: Sequence[tuple[float, float]], run: int) -> list[Markup]:
    """Returns the line through places; none through a single one."""
    path = "M" + "L".join(f"{number(a)} {number(b)}" for a, b in points)
    return [element("path", class_=f"curve run-{run % 6}", d=path)] if len(points) > 1 else []


def _bins(found: Reliability, x: Scale, y: Scale, run: int) -> list[Markup]:
    points = _points(found)
    most = max(count for *_, count in points)
    return [
        *_joined([(x(score), y(hits)) for score, hits, _ in points], run),
        *(marker(run, x(score), y(hits), 2.5 + 5 * math.sqrt(count / most)) for score, hits, count in points),
    ]


def _told(found: Reliability) -> str:
    mean = float((found.score * found.count).sum() / found.count.sum())
    hits = float((found.hits * found.count).sum() / found.count.sum())
    return f"mean score {mean:.2f}, {percent(hits)} hits among {counted(round(float(found.count.sum())), 'region')}"


def _points(found: Reliability) -> list[tuple[float, float, float]]:
    return list(zip(found.score.tolist(), found.hits.tolist(), found.count.tolist(), strict=True))
