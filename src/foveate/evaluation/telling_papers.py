"""A paper's tables in words and rows, for the terminal and for reports."""

from __future__ import annotations

from collections.abc import Iterator

from foveate.evaluation.papers import MeasuredValue, PaperReport, PaperRow, PaperTable
from foveate.evaluation.published import PublishedValue
from foveate.evaluation.wording import digits

NOTHING = "–"
QUOTED = "as quoted by others"


def wide(found: PaperTable) -> tuple[list[str], list[list[str]]]:
    """Returns a table as the paper has it: a row a method; published and measured in columns of their own."""
    columns = list(enumerate(found.table.columns))
    published = {n for n, _ in columns if any(row.cells[n].published for row in found.rows)}
    measured = {n for n, _ in columns if any(row.cells[n].measured for row in found.rows)}
    head = ["method", "given"]
    for n, column in columns:
        head += [f"published: {column.title}"] if n in published else []
        head += [f"measured: {column.title}"] if n in measured else []
    head += ["measured on"] if measured else []
    rows = []
    for row in found.rows:
        cells = [row.method, row.inputs or NOTHING]
        for n, _ in columns:
            cells += [_published(row.cells[n].published)] if n in published else []
            cells += [_measured(row.cells[n].measured)] if n in measured else []
        rows.append(cells + ([_on(row)] if measured else []))
    return head, rows


def _published(value: PublishedValue | None) -> str:
    if value is None:
        return NOTHING
    bounds = "" if value.low is None or value.high is None else f" [{value.low:g}, {value.high:g}]"
    return f"{value.value:g}{bounds}{' *' if value.reading == 'quoted' else ''}"


def _measured(value: MeasuredValue | None) -> str:
    if value is None:
        return NOTHING
    if value.value is None:
        return "n/a"
    bounds = "" if value.low is None or value.high is None else f" [{digits(value.low)}, {digits(value.high)}]"
    return f"{digits(value.value)}{bounds} n {value.n:,}"


def _on(row: PaperRow) -> str:
    told = dict.fromkeys(cell.measured.dataset.partition(":")[2] for cell in row.cells if cell.measured)
    return ", ".join(filter(None, told)) or NOTHING


def about(found: PaperTable) -> str:
    """Returns what must be known to read a table."""
    values = [cell.published for row in found.rows for cell in row.cells if cell.published]
    star = f" *: {QUOTED}." if any(value.reading == "quoted" for value in values) else ""
    return f"{found.table.about} Measured values have their 95 % interval (photos resampled) and n.{star}"


def undefined(found: PaperReport) -> list[str]:
    """Returns why measured values are not there, each reason once for every run."""
    told = {
        f"{cell.measured.run}, {cell.column}: no value, since {cell.measured.undefined}": None
        for table in found.tables
        for row in table.rows
        for cell in row.cells
        if cell.measured and cell.measured.undefined
    }
    return list(told)


def values(found: PaperReport) -> Iterator[list[str | float | int | None]]:
    """Yields every value on a row of its own: table, method, column, kind, value, low, high, n, of what, where from."""
    for table in found.tables:
        for row in table.rows:
            for cell, column in zip(row.cells, table.table.columns, strict=True):
                first: list[str | float | int | None] = [table.table.key, row.method, column.title, column.metric]
                if cell.published:
                    one = cell.published
                    source = one.source + (
                        f" ({QUOTED})" if one.reading == "quoted" and "quoted" not in one.source else ""
                    )
                    yield [*first, "published", one.value, one.low, one.high, None, one.over, source]
                if cell.measured:
                    mine = cell.measured
                    yield [*first, "measured", mine.value, mine.low, mine.high, mine.n, mine.dataset, mine.run]


VALUES_HEAD = (
    "table",
    "method",
    "column",
    "metric",
    "kind",
    "value",
    "low",
    "high",
    "n",
    "of which samples",
    "source or run",
)
