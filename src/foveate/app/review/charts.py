"""Small charts of a person's work over time, as SVG in the page."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from foveate.quality.over_time import running_median
from foveate.reports._svg import element, number
from foveate.reports.axes import Axis, across, count_ticks, figure, share_ticks, upward

# As many dots as a small chart can show; what was before is in the median's first values.
MOST = 200


def chart(values: Sequence[float | None], label: str, *, share: bool) -> Markup | None:
    """Returns a chart of the latest values, with their running median; None where there is no value.

    Args:
        values: In the order of sending; None where a submission has none.
        label: What is measured.
        share: Whether they lie between 0 and 1.
    """
    smooth = running_median(values)
    first = max(0, len(values) - MOST)
    places = [n for n in range(first, len(values)) if values[n] is not None]
    if not places:
        return None
    x = Axis(across(first, max(len(values), first + 2)), _ends(first, len(values)), "submission")
    # One task that lay open over lunch must not press all others to the ground.
    most = 1.0 if share else _most([values[n] or 0.0 for n in places])
    y = Axis(upward(0.0, most), share_ticks() if share else count_ticks(most), label)
    dots = [element("circle", class_="dot", cx=x.scale(n + 1), cy=y.scale(values[n] or 0.0), r=2.2) for n in places]
    line = [(x.scale(n + 1), y.scale(smooth[n] or 0.0)) for n in places]
    return figure(x, y, [*dots, *_joined(line)], f"{label}: {len(places)} values with their running median")


def _most(values: Sequence[float]) -> float:
    high = sorted(values)[int(0.98 * (len(values) - 1))]
    return max(1.0, high * 1.1)


def _ends(first: int, count: int) -> list[tuple[float, str]]:
    ends = sorted({first + 1, (first + count + 1) // 2, count})
    return [(float(place), str(place)) for place in ends]


def _joined(points: Sequence[tuple[float, float]]) -> list[Markup]:
    path = "M" + "L".join(f"{number(a)} {number(b)}" for a, b in points)
    return [element("path", class_="curve", d=path)] if len(points) > 1 else []
