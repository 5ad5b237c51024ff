"""Small bars that stand in a table: a value with its interval, and counts by state."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup

from foveate.core.cards import MetricCard
from foveate.evaluation.evaluate import Value
from foveate.reports._svg import element, number
from foveate.reports._text import digits, interval
from foveate.reports.axes import Scale
from foveate.reports.rows import STATES

_WIDTH, _HEIGHT = 160, 16


def value_bar(value: Value, card: MetricCard, run: int) -> Markup:
    """Returns a value as a bar over the metric's whole range, with a whisker for its interval."""
    if value.value is None:
        return Markup("")
    scale = Scale(card.low, card.high, 1, _WIDTH - 1)
    start, end = scale(max(card.low, min(0.0, card.high))), scale(value.value)
    marks = [
        element("rect", class_="track", x=0, y=2.5, width=_WIDTH, height=_HEIGHT - 5),
        element(
            "rect", class_=f"bar run-{run % 6}", x=min(start, end), y=3, width=abs(end - start), height=_HEIGHT - 6
        ),
    ]
    if value.low is not None and value.high is not None:
        marks += _whisker(scale(value.low), scale(value.high))
    label = f"{digits(value.value)}, 95 % interval {interval(value.low, value.high)}"
    return _picture("value-bar", label, marks)


def difference_bar(difference: float | None, low: float | None, high: float | None, most: float) -> Markup:
    """Returns a difference as a dot with its interval, on a scale that has 0 in the middle and `most` at its ends."""
    if difference is None:
        return Markup("")
    scale = Scale(-most, most, 1, _WIDTH - 1)
    middle = scale(0)
    marks = [element("line", class_="zero", x1=middle, x2=middle, y1=0, y2=_HEIGHT)]
    if low is not None and high is not None:
        marks += _whisker(scale(low), scale(high))
    # A line of no length with round ends: it stays round however wide the bar is drawn.
    at = f"M{number(scale(difference))} {number(_HEIGHT / 2)}h0.01"
    marks += [element("path", class_=kind, d=at) for kind in ("point case", "point")]
    label = f"{digits(difference, sign=True)}, 95 % interval {interval(low, high, sign=True)}"
    return _picture("value-bar", label, marks)


def state_bar(states: Mapping[str, int], total: int) -> Markup:
    """Returns counts by state as one bar in parts."""
    label = ", ".join(f"{state} {count:,}" for state, count in states.items() if count)
    marks, at = [], 0.0
    for state in STATES:
        width = 400 * states.get(state, 0) / max(1, total)
        if width:
            marks.append(element("rect", class_=f"state-{state}", x=at, y=0, width=width, height=16))
        at += width
    return element(
        "svg",
        *marks,
        viewBox="0 0 400 16",
        preserveAspectRatio="none",
        class_="state-bar",
        role="img",
        aria_label=label,
    )


def _whisker(low: float, high: float) -> list[Markup]:
    middle, top, bottom = (number(y) for y in (_HEIGHT / 2, _HEIGHT / 2 - 4, _HEIGHT / 2 + 4))
    left, right = number(low), number(high)
    path = f"M{left} {top}V{bottom}M{right} {top}V{bottom}M{left} {middle}H{right}"
    return [element("path", class_="whisker case", d=path), element("path", class_="whisker", d=path)]


def _picture(kind: str, label: str, marks: list[Markup]) -> Markup:
    return element(
        "svg",
        *marks,
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        preserveAspectRatio="none",
        class_=kind,
        role="img",
        aria_label=label,
    )
