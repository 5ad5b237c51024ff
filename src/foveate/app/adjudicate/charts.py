"""The histogram of IoU, as SVG that the server writes: no style and no script in it."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _
from markupsafe import Markup

from foveate.app.adjudicate.services.figures import BINS, PAPER, Figures
from foveate.reports._svg import element
from foveate.reports.axes import Axis, across, figure, upward


def histogram(figures: Figures) -> Markup:
    """Returns the histogram of the IoU of all pairs, with the first paper's shares as dashed lines over it."""
    shares = [n / figures.pairs if figures.pairs else 0.0 for n in figures.bins]
    # The paper tells shares of fifths; four bins make one.
    paper = [(low, high, share / (BINS / 5)) for low, high, share in PAPER]
    most = max(*shares, *(share for _low, _high, share in paper))
    x = Axis(across(0.0, 1.0), [(n / 5, f"{n / 5:g}") for n in range(6)], _("IoU of two drawings"))
    step = 0.05 if most <= 0.3 else 0.2
    ticks = [(n * step, f"{round(100 * n * step)} %") for n in range(int(most / step + 1e-9) + 1)]
    y = Axis(upward(0.0, most * 1.05), ticks, _("Share of pairs"))
    label = _("Histogram of the IoU of all pairs; the table below tells the same.")
    return figure(x, y, [*_bars(shares, x, y), *_lines(paper, x, y)], label)


def _bars(shares: list[float], x: Axis, y: Axis) -> Iterator[Markup]:
    for place, share in enumerate(shares):
        left, right = x.scale(place / BINS), x.scale((place + 1) / BINS)
        top = y.scale(share)
        if share:
            yield element("rect", class_="bar", x=left + 0.5, y=top, width=right - left - 1, height=y.scale.start - top)


def _lines(paper: list[tuple[float, float, float]], x: Axis, y: Axis) -> Iterator[Markup]:
    for low, high, share in paper:
        at = y.scale(share)
        yield element("line", class_="paper", x1=x.scale(low), x2=x.scale(high), y1=at, y2=at)
