"""What fills the template of a section: its words, tables, figures and albums."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import PIL.Image
from jinja2 import Environment
from markupsafe import Markup

from foveate.reports import _text
from foveate.reports.sections.parts import Album, Figure, Part, Table
from foveate.reports.sections.sheet import NOTHING, sheet

_PNG = b"\x89PNG\r\n\x1a\n"
_PERCENT = re.compile(r"(?<=\d) (?=%)")
_NAME = re.compile(r"(?<=\w[_:/])(?=\w)")
_VIEW = re.compile(r'viewBox="\S+ \S+ (\S+) (\S+)"')
# Figures whose heights differ by less stand side by side; one beside a higher one would leave a hole.
_ALIKE = 1.2
_WIDE = 1.9


def for_sections(environment: Environment) -> Environment:
    """Returns the same, which can fill the template of a section in addition."""
    environment.filters |= {"wrapped": wrapped, "sheet": sheet, "uri": _uri, "markup": Markup}
    environment.filters |= {"folds": _folds, "runs": _runs, "rows": _rows}
    environment.tests["wide"] = _is_wide
    environment.globals["nothing"] = NOTHING
    return environment


def suffix(image: bytes) -> str:
    """Returns the suffix of a photo's file by its first bytes."""
    return ".png" if image.startswith(_PNG) else ".jpg"


def said(text: str) -> str:
    r"""Returns a text on one line, in which no line ends between a number and its %.

    Example:
        >>> said("half,\n50 % of it")
        'half, 50\xa0% of it'
    """
    return _PERCENT.sub("\N{NO-BREAK SPACE}", _text.plain(text))


def wrapped(text: str) -> Markup:
    r"""Returns a text as `said`, in which a name may go on in the next line after `_`, `:` and `/`.

    Example:
        >>> wrapped("own_data:val")
        Markup('own_<wbr>data:<wbr>val')
    """
    return Markup("<wbr>").join(_NAME.split(said(text)))


def _uri(image: bytes) -> str:
    kind = "png" if suffix(image) == ".png" else "jpeg"
    return f"data:image/{kind};base64,{base64.b64encode(image).decode('ascii')}"


def _is_wide(album: Album) -> bool:
    """Returns whether the pictures of an album need twice the room: it says so, or they are pairs side by side."""
    if album.large:
        return True
    try:
        sizes = [PIL.Image.open(io.BytesIO(photo.image)).size for photo in album.photos]
    except OSError:
        return False
    return bool(sizes) and all(width > _WIDE * height for width, height in sizes)


def _folds(parts: Sequence[Part]) -> list[tuple[str, list[Part]]]:
    """Returns neighbouring parts of one fold together; those of none are seen."""
    return [(fold, list(several)) for fold, several in groupby(parts, key=lambda part: part.fold)]


def _runs(parts: Sequence[Part]) -> list[tuple[str, list[Any]]]:
    """Returns neighbouring parts of one kind together, so that figures can stand side by side."""
    return [(kind, list(several)) for kind, several in groupby(parts, key=_kind)]


def _kind(part: Part) -> str:
    return {Figure: "figure", Table: "table", Album: "album"}[type(part)]


def _rows(figures: Sequence[Figure]) -> list[list[Figure]]:
    """Returns figures two by two where they are about as high, else alone, with their words beside them."""
    rows: list[list[Figure]] = []
    for figure in figures:
        last = rows[-1] if rows else []
        if len(last) == 1 and max(heights := [_height(last[0]), _height(figure)]) <= _ALIKE * min(heights):
            last.append(figure)
        else:
            rows.append([figure])
    return rows


def _height(figure: Figure) -> float:
    """Returns how high a drawing is for its width."""
    found = _VIEW.search(figure.svg)
    return float(found[2]) / float(found[1]) if found else 1.0
