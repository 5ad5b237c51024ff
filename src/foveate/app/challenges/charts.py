"""Charts of leaderboards, as SVG that the server writes from what is shown, and from nothing else."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime

from django.utils.translation import gettext as _
from markupsafe import Markup

from foveate.app.challenges.services.board import Told
from foveate.challenges.disclosure import Shown, ShownValue, times_100
from foveate.reports._svg import element, number
from foveate.reports.axes import Axis, across, figure, upward

# As many rows as can be told from each other on a phone.
MOST_ROWS = 20


def board_chart(rows: Sequence[Told], metric: str) -> Markup | None:
    """Returns the values of the first rows with their intervals; None where no value is shown."""
    found = [(one.row.place, one.shown.metrics[metric]) for one in rows[:MOST_ROWS] if metric in one.shown.metrics]
    values = [(place, value) for place, value in found if value.value is not None]
    if len(values) < 2:
        return None
    step = max(1, math.ceil(len(values) / 10))
    ticks = [(float(n), str(place or "")) for n, (place, _value) in enumerate(values) if n % step == 0]
    x = Axis(across(-0.5, len(values) - 0.5), ticks, _("Place"))
    y = _upward([value for _place, value in values], metric)
    marks = [mark for n, (_place, value) in enumerate(values) for mark in _with_interval(x.scale(n), value, y)]
    label = _("%(metric)s of the first %(n)d teams with intervals; the table tells the same.")
    return figure(x, y, marks, label % {"metric": metric, "n": len(values)})


def history_chart(entries: Sequence[tuple[datetime, Shown]], metric: str) -> Markup | None:
    """Returns a team's values over time; None where no value is shown."""
    found = [(at.timestamp(), one.metrics[metric]) for at, one in entries if metric in one.metrics]
    values = [(at, value) for at, value in found if value.value is not None]
    if len(values) < 2:
        return None
    first, last = values[0][0], values[-1][0]
    x = Axis(across(first, max(last, first + 1)), _days(first, last), _("Sent (UTC)"))
    y = _upward([value for _at, value in values], metric)
    places = [(x.scale(at), y.scale(value.value or 0.0)) for at, value in values]
    line = element("path", class_="curve", d="M" + "L".join(f"{number(a)} {number(b)}" for a, b in places))
    dots = [element("circle", class_="dot", cx=a, cy=b, r=3) for a, b in places]
    label = _("%(metric)s of %(n)d entries over time; the table tells the same.")
    return figure(x, y, [line, *dots], label % {"metric": metric, "n": len(values)})


def _with_interval(at: float, value: ShownValue, y: Axis) -> list[Markup]:
    dot = element("circle", class_="dot", cx=at, cy=y.scale(value.value or 0.0), r=3)
    if value.low is None or value.high is None:
        return [dot]
    return [element("line", class_="span", x1=at, x2=at, y1=y.scale(value.low), y2=y.scale(value.high)), dot]


def _upward(values: Sequence[ShownValue], metric: str) -> Axis:
    """Returns the axis of values, from a step below the least of them to one above the greatest."""
    known = [end for one in values for end in (one.value, one.low, one.high) if end is not None]
    least, most = min(known), max(known)
    step = next(step for step in _steps() if (most - least) / step <= 4)
    low, high = math.floor(least / step) * step, math.ceil(most / step) * step
    high = high if high > low else low + step
    ticks = [(low + n * step, times_100(round(low + n * step, 6), 1)) for n in range(round((high - low) / step) + 1)]
    return Axis(upward(low, high), ticks, _("%(metric)s × 100") % {"metric": metric})


def _steps() -> list[float]:
    return [base * 10.0**power for power in range(-3, 4) for base in (1, 2, 5)]


def _days(first: float, last: float) -> list[tuple[float, str]]:
    def said(at: float) -> str:
        return datetime.fromtimestamp(at, UTC).strftime("%m-%d %H:%M" if last - first < 172_800 else "%Y-%m-%d")

    # A little inside, so that no label is cut off.
    tail = (last - first) * 0.12
    places = (first + tail, last - tail) if last > first else (first,)
    return [(at, said(at)) for at in places]
