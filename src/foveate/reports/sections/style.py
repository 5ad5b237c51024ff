"""How the figures of an analysis are drawn: calm, told apart without colour, read on a phone and on grey paper.

Letters are drawn as paths, so that a figure looks the same everywhere, on slides as in the page. Sheet, ink and rules
have fixed colours that nothing else has; the page's style knows them and turns them for a dark screen.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from foveate.errors import UnavailableError
from foveate.reports._text import cut, plain
from foveate.reports.sections._svg_inside import inside
from foveate.reports.sections.parts import Figure

# Okabe, Ito: Color universal design, 2008; blue first, since it also stays dark on grey paper.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
# By run, as in the figures that the page draws itself (`foveate.reports.markers`).
MARKS = "osD^vP"
INK, SOFT, RULE, SHEET = "#1c2126", "#55606b", "#d9d8d0", "#ffffff"
WIDTH = 4.8
DPI = 200
# Marks beyond this many are put into the SVG as one picture, else the page grows with every sample.
MANY = 300
_STYLE: dict[str, Any] = {
    "figure.dpi": 72,
    "font.family": "DejaVu Sans",
    "font.size": 11.5,
    "text.color": INK,
    "text.parse_math": False,
    "axes.facecolor": SHEET,
    "axes.edgecolor": SOFT,
    "axes.labelcolor": INK,
    "axes.titlesize": 11.5,
    "axes.titlelocation": "left",
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": RULE,
    "grid.linewidth": 0.6,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "legend.frameon": False,
    "figure.facecolor": SHEET,
    "figure.constrained_layout.use": True,
    "svg.fonttype": "path",
    "svg.image_inline": True,
}


@contextmanager
def house() -> Iterator[None]:
    """Draws in the style of the house, whatever the reader's own settings are, and leaves those as they were.

    Raises:
        UnavailableError: Matplotlib is not installed.
    """
    try:
        import matplotlib as mpl
    except ModuleNotFoundError as error:
        raise UnavailableError(
            "the figures of an analysis",
            f"they need the module {error.name}, which is not installed",
            "Install it: pip install 'foveate[analysis]'",
        ) from error
    with mpl.rc_context():
        mpl.rcdefaults()
        rc: Any = mpl.rcParams
        rc.update(_STYLE)
        yield


def can_draw() -> bool:
    """Returns whether Matplotlib is installed."""
    try:
        import matplotlib as mpl
    except ModuleNotFoundError:
        return False
    return bool(mpl)


def figure(width: float = WIDTH, height: float = 3.2) -> tuple[Any, Any]:
    """Returns a figure of so many inches, and its axes.

    Raises:
        UnavailableError: Matplotlib is not installed.
    """
    fig, axes = panels(1, height, width)
    return fig, axes[0]


def panels(count: int, height: float, width: float = WIDTH, *, columns: int = 2) -> tuple[Any, list[Any]]:
    """Returns a figure and so many axes in rows; each is `height` inches high.

    Raises:
        UnavailableError: Matplotlib is not installed.
    """
    with house():
        from matplotlib.figure import Figure as Drawing

        columns = min(count, columns)
        rows = -(-count // columns)
        fig = Drawing(figsize=(width, height * rows))
        grid = fig.add_gridspec(rows, columns)
        return fig, [fig.add_subplot(grid[n // columns, n % columns]) for n in range(count)]


def drawn(name: str, title: str, about: str, fig: Any, numbers: str = "") -> Figure:
    """Returns a drawing as SVG and PNG, with the same bytes each time; `numbers` tells in words what is drawn."""
    with house():
        import matplotlib as mpl

        svg, png = io.StringIO(), io.BytesIO()
        bare = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        with mpl.rc_context({"svg.hashsalt": name}):
            fig.savefig(svg, format="svg", dpi=DPI, metadata=bare)
        fig.savefig(png, format="png", dpi=DPI, metadata={"Software": None})
    return Figure(name, title, about, inside(svg.getvalue(), name), png.getvalue(), numbers)


def named(text: str, length: int, place: int | None = None) -> str:
    r"""Returns a text from outside as a label: one line of at most so many characters, all of which can be drawn.

    Args:
        text: A question, say.
        length: How many characters there is room for.
        place: Its row in the table beside, which stands for it where its script cannot be drawn.

    Example:
        >>> named("What is\nthis?", 40), named("", 40), named("\u8fd9", 40, 2)
        ('What is this?', '(empty)', '(row 2 of the table)')
    """
    shown = plain(text)
    lacking = [letter for letter in shown if ord(letter) not in _letters()]
    if lacking and place is not None:
        return f"(row {place} of the table)"
    for letter in lacking:
        shown = shown.replace(letter, "\N{WHITE SQUARE}")
    return cut(shown, length) or "(empty)"


@cache
def _letters() -> frozenset[int]:
    """Returns the characters of the font, which comes with Matplotlib."""
    from matplotlib import font_manager

    return frozenset(font_manager.get_font(font_manager.findfont("DejaVu Sans")).get_charmap())
