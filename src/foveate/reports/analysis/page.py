"""The page of an analysis: its sections in one template, with style, figures and photos inside."""

from __future__ import annotations

import base64
import math
from collections.abc import Sequence
from functools import cache
from itertools import groupby
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from foveate.reports import _text
from foveate.reports.analysis.sections import Album, Cell, Figure, Section, Table
from foveate.reports.page import bare_environment, resource, style_source

# A longer table is cut on the page; its CSV has all rows.
SHOWN = 20
_PNG = b"\x89PNG\r\n\x1a\n"


def html(title: str, lead: str, sections: Sequence[Section], made_by: Sequence[str]) -> str:
    """Returns the page.

    Args:
        title: Its heading.
        lead: What it is about.
        sections: Its chapters.
        made_by: What its end says about how it was made.
    """
    style = resource("report.css") + resource("analysis.css")
    policy = f"default-src 'none'; img-src data:; style-src {style_source(style)}; base-uri 'none'; form-action 'none'"
    template = _environment().get_template("analysis.html.j2")
    return template.render(
        style=Markup(style),
        policy=Markup(policy),
        title=title,
        lead=lead,
        sections=sections,
        made_by=made_by,
        shown=SHOWN,
    )


def cell(value: Cell, digits: int) -> str:
    r"""Returns a cell as the page shows it.

    Example:
        >>> cell(1234, 3), cell(0.12345, 3), cell(-0.5, 1), cell(None, 3), cell("a\nb", 3)
        ('1,234', '0.123', '−0.5', 'n/a', 'a b')
    """
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return "n/a"
    if isinstance(value, str):
        return _text.plain(value)
    return (f"{value:,}" if isinstance(value, int) else f"{value:,.{digits}f}").replace("-", _text.MINUS)


def suffix(image: bytes) -> str:
    """Returns the suffix of a photo's file by its first bytes."""
    return ".png" if image.startswith(_PNG) else ".jpg"


@cache
def _environment() -> Environment:
    environment = bare_environment()
    environment.filters |= {"plain": _text.plain, "cell": cell, "uri": _uri, "markup": Markup}
    environment.filters |= {"numeric": _numeric, "digits_of": _digits_of, "runs": _runs}
    return environment


def _uri(image: bytes) -> str:
    kind = "png" if suffix(image) == ".png" else "jpeg"
    return f"data:image/{kind};base64,{base64.b64encode(image).decode('ascii')}"


def _runs(parts: Sequence[Figure | Table | Album]) -> list[tuple[str, list[Any]]]:
    """Returns neighbouring parts of one kind together, so that figures stand side by side."""
    return [(kind, list(several)) for kind, several in groupby(parts, key=_kind)]


def _kind(part: Any) -> str:
    return {Figure: "figure", Table: "table", Album: "album"}[type(part)]


def _numeric(table: Table) -> list[bool]:
    """Returns which columns hold numbers, which stand to the right."""
    columns = zip(*table.rows, strict=True) if table.rows else [()] * len(table.head)
    return [
        not any(isinstance(value, str) for value in column) and any(v is not None for v in column) for column in columns
    ]


def _digits_of(title: str, table: Table) -> int:
    """Returns how many digits a column has; percent needs one at most."""
    return min(table.digits, 1) if title.endswith(" %") else table.digits
