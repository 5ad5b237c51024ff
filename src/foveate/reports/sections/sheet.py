"""A table as the page shows it: numbers that belong together in one cell, columns without a value left out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from foveate.reports import _text
from foveate.reports.sections.parts import Cell, Table

# A longer table is cut on the page; its CSV has all rows.
SHOWN = 12
_LEAST = 6
NOTHING = "n/a"
_PUBLISHED = "published"
_ENDS = ("low", "high")
_QUARTILES = ("lower quartile", "median", "upper quartile")


@dataclass(frozen=True)
class Column:
    """One column of the page.

    Attributes:
        title: Its title.
        number: Whether it holds numbers, which stand to the right.
        cells: Its cells, a text for each row of the table.
    """

    title: str
    number: bool
    cells: Sequence[str]


@dataclass(frozen=True)
class Body:
    """Rows under one heading; it is empty where the table is not parted."""

    title: str
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Sheet:
    """What the page shows of a table.

    Attributes:
        columns: From left to right.
        bodies: The rows, part by part.
        cut: A sentence on rows that are not shown; empty where all are.
        left_out: A sentence on columns that are not shown; empty where all are.
    """

    columns: Sequence[Column]
    bodies: Sequence[Body]
    cut: str
    left_out: str


def sheet(table: Table) -> Sheet:
    """Returns a table as the page shows it."""
    hidden = {table.parted, *table.beside} - {""}
    empty = [title for n, title in enumerate(table.head) if n and table.rows and _is_empty(table, n)]
    kept = [n for n, title in enumerate(table.head) if title not in hidden and title not in empty]
    columns = list(_joined(table, kept))
    bodies = list(_bodies(table, columns))
    shown = sum(len(body.rows) for body in bodies)
    return Sheet(columns, bodies, _cut(table, shown, len(bodies)), _left_out(table, empty))


def whole_sheet(table: Table) -> Sheet:
    """Returns the same with every row."""
    return sheet(replace(table, whole=True))


def cell(value: Cell, digits: int) -> str:
    r"""Returns a cell as the page shows it.

    Example:
        >>> cell(1234, 3), cell(0.12345, 3), cell(-0.5, 1), cell(None, 3), cell("a\nb", 3)
        ('1,234', '0.123', '−0.5', 'n/a', 'a b')
    """
    if not _is_there(value):
        return NOTHING
    if isinstance(value, str):
        return _text.plain(value)
    if isinstance(value, float):
        return f"{round(value, digits) + 0.0:,.{digits}f}".replace("-", _text.MINUS)
    return f"{value:,}".replace("-", _text.MINUS)


def _is_there(value: Cell) -> bool:
    return value is not None and not (isinstance(value, float) and not math.isfinite(value))


def _is_empty(table: Table, n: int) -> bool:
    return not any(_is_there(row[n]) and row[n] != "" for row in table.rows)


def _joined(table: Table, kept: Sequence[int]) -> Iterator[Column]:
    """Yields the columns, those together that belong together by their titles."""
    place = 0
    while place < len(kept):
        count, title, said = _next([table.head[n] for n in kept[place : place + 3]])
        some = kept[place : place + count]
        cells = [said(*(_shown(table, row, n) for n in some)) for row in table.rows]
        yield Column(title, all(_is_number(table, n) for n in some), cells)
        place += count


def _next(titles: Sequence[str]) -> tuple[int, str, Callable[..., str]]:
    """Returns how many of the next columns go together, under which title, and how."""
    first, *further = [title.removesuffix(" %") for title in titles]
    percent = " %" if titles[0].endswith(" %") else ""
    if tuple(titles) == _QUARTILES:
        return 3, "median (quartiles)", _median
    if len(further) == 2 and _last(further[0]) == "low" and _last(further[1]) == "high":
        return 3, f"{first}{percent} (95\N{NO-BREAK SPACE}% interval)", _interval
    base = first.removesuffix(" mean")
    if further and further[0] == f"{base} sd":
        return 2, f"{first} ±\N{NO-BREAK SPACE}sd{percent}", _spread
    return 1, titles[0], str


def _last(title: str) -> str:
    return title.rpartition(" ")[2]


def _median(low: str, median: str, high: str) -> str:
    return NOTHING if median == NOTHING else f"{median} ({low} to {high})"


def _interval(value: str, low: str, high: str) -> str:
    return value if NOTHING in (value, low, high) else f"{value} ({low} to {high})"


def _spread(value: str, sd: str) -> str:
    return value if {NOTHING, ""} & {value, sd} else f"{value}\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}{sd}"


def _shown(table: Table, row: Sequence[Cell], n: int) -> str:
    title = table.head[n]
    digits = table.digits
    for name in (title, row[0]):
        if isinstance(name, str):
            digits = table.digits_of.get(name, min(digits, 1) if name.endswith(" %") else digits)
    # Most is not published; a column of n/a would hide what is.
    return "" if _PUBLISHED in title and not _is_there(row[n]) else cell(row[n], digits)


def _is_number(table: Table, n: int) -> bool:
    return n > 0 and not any(isinstance(row[n], str) for row in table.rows)


def _bodies(table: Table, columns: Sequence[Column]) -> Iterator[Body]:
    rows = list(zip(*(column.cells for column in columns), strict=True)) if columns else []
    at = list(table.head).index(table.parted) if table.parted else None
    parts = [
        (key, list(places))
        for key, places in groupby(range(len(rows)), key=lambda n: "" if at is None else cell(table.rows[n][at], 0))
    ]
    most = len(rows) if table.whole else max(SHOWN // max(len(parts), 1), _LEAST if len(parts) > 1 else SHOWN)
    for key, places in parts:
        yield Body(key, [rows[n] for n in places[:most]])


def _cut(table: Table, shown: int, parts: int) -> str:
    if shown == len(table.rows):
        return ""
    first = f"The first {shown:,} of {len(table.rows):,} rows"
    return f"{first}, the first of each part" if parts > 1 else first


def _left_out(table: Table, empty: Sequence[str]) -> str:
    known = [title for title in empty if title not in table.beside and _last(title.removesuffix(" %")) not in _ENDS]
    told = f"Not known here, and left out: {', '.join(known)}. " if known else ""
    more = [title for title in table.head if title in table.beside and title not in empty]
    return f"{told}Also in the CSV of a folder: {', '.join(more)}." if more else told.strip()
