"""Draws the figures of the instructions for annotators: `python docs/example_figures.py` writes them anew.

They are of our own making, so that no photo of anybody's is shown; `tests/app/annotate/test_texts.py` fails where a
figure is not what this draws.
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent.parent / "src/foveate/app/annotate/static/annotate"
_TABLE = '<rect width="240" height="160" fill="#f3e9d8"/><path d="M0 118h240v42H0z" fill="#c8a97a"/>'


def _outline(points: str) -> str:
    """Returns an outline as the drawing page shows it: seen on light and on dark."""
    shape = f'<path d="M{points}z" stroke-linejoin="round"'
    return (
        f'{shape} fill="#ffe14d" fill-opacity=".2" stroke="#111" stroke-width="5"/>'
        f'{shape} fill="none" stroke="#ffe14d" stroke-width="2.5"/>'
    )


def _jar() -> str:
    glass = '<path d="M82 36h76v92a10 10 0 0 1-10 10H92a10 10 0 0 1-10-10z" fill="#b8442f"/>'
    lid = '<rect x="78" y="20" width="84" height="18" rx="4" fill="#51606b"/>'
    label = '<path d="M84 62h72v48H84z" fill="#fff8e6"/>'
    words = "".join(
        f'<rect x="{x}" y="{y}" width="{width}" height="6" fill="#40372b"/>'
        for x, y, width in ((94, 71, 52), (100, 83, 40), (96, 95, 48))
    )
    return _TABLE + glass + lid + label + words + _outline("83 61L157 61L157 111L83 111")


def _books() -> str:
    books = "".join(
        f'<rect x="{x}" y="{y}" width="{width}" height="26" rx="3" fill="{fill}"/>'
        for x, y, width, fill in ((62, 112, 124, "#2d6a8e"), (72, 86, 104, "#a2473c"), (66, 60, 96, "#3f7d4e"))
    )
    return (
        _TABLE + books + _outline("65 59L163 59L163 85L177 85L177 111L187 111L187 139L61 139L61 111L71 111L71 87L65 87")
    )


def _spoons() -> str:
    found = ""
    for x in (50, 120, 190):
        spoon = f'<ellipse cx="{x}" cy="50" rx="13" ry="20" fill="#7d8790"/>'
        found += spoon + f'<rect x="{x - 4}" y="66" width="8" height="66" rx="4" fill="#7d8790"/>'
        found += _outline(
            f"{x} 29L{x + 11} 37L{x + 14} 51L{x + 9} 66L{x + 5} 71L{x + 5} 133L{x - 5} 133L{x - 5} 71L{x - 9} 66"
            f"L{x - 14} 51L{x - 11} 37"
        )
    return '<rect width="240" height="160" fill="#c8a97a"/>' + found


def _view() -> str:
    sky = '<rect width="240" height="160" fill="#9fc9e8"/><circle cx="190" cy="36" r="16" fill="#fff3b0"/>'
    hills = '<path d="M0 104L62 52L112 100L160 66L240 112V160H0z" fill="#5c8a5f"/>'
    return (
        sky + hills + '<path d="M0 128Q120 108 240 132V160H0z" fill="#3d6b8f"/>' + _outline("2 2L238 2L238 158L2 158")
    )


def _cut_off() -> str:
    can = '<rect x="150" y="34" width="120" height="100" rx="8" fill="#3f7d4e"/>'
    label = '<rect x="206" y="56" width="80" height="54" fill="#fff8e6"/>'
    words = "".join(f'<rect x="216" y="{y}" width="60" height="6" fill="#40372b"/>' for y in (66, 80, 94))
    return _TABLE + can + label + words


FIGURES = {"jar": _jar, "books": _books, "spoons": _spoons, "view": _view, "cut-off": _cut_off}


def drawn(name: str) -> str:
    """Returns a figure as SVG."""
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 160" width="240" height="160">'
    return f"{head}{FIGURES[name]()}</svg>\n"


if __name__ == "__main__":
    for figure in FIGURES:
        (FOLDER / f"example-{figure}.svg").write_text(drawn(figure), encoding="utf-8")
