"""How the figures of an analysis are drawn (a stand-in until the shared style lands)."""

from __future__ import annotations

import io
import re
from typing import Any

from foveate.reports.analysis.sections import Figure

BLUE, GREY = "#0072b2", "#8a8a8a"


def figure(width: float, height: float) -> tuple[Any, Any]:
    """Returns a figure of so many inches, and its axes."""
    from matplotlib.figure import Figure as Drawing

    fig = Drawing(figsize=(width, height), layout="constrained")
    axes = fig.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    return fig, axes


def drawn(name: str, title: str, about: str, fig: Any) -> Figure:
    """Returns a drawing as SVG and PNG, with the same bytes each time."""
    import matplotlib as mpl

    svg, png = io.StringIO(), io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": name, "svg.fonttype": "path"}):
        fig.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
    fig.savefig(png, format="png", dpi=160, metadata={"Software": None})
    return Figure(name, title, about, re.sub(r"^.*?(?=<svg)", "", svg.getvalue(), flags=re.DOTALL), png.getvalue())
