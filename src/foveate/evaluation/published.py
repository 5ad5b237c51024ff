"""What papers publish of scores, as data: their tables, methods and values, each with its source.

Every value is shown as published, in a column of its own beside what is measured here.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from foveate.errors import UsageError, did_you_mean

PAPERS = ("toloka", "vizwiz")


@dataclass(frozen=True)
class Column:
    """One column of a paper's table.

    Attributes:
        key: Its name in the data.
        title: Its heading.
        metric: What is measured in it.
        split: The only split that it is of; empty where any will do.
        low: The least share of the photo of the targets that it is over.
        high: From which share on they are left out; None where targets of any size count.
    """

    key: str
    title: str
    metric: str
    split: str = ""
    low: float = 0.0
    high: float | None = None


@dataclass(frozen=True)
class PublishedTable:
    """One table of a paper: its name in the data, heading, what must be known to read it, and its columns."""

    key: str
    title: str
    about: str
    columns: Sequence[Column]


@dataclass(frozen=True)
class Method:
    """One row of a paper's tables.

    Attributes:
        key: Its name in the data.
        name: What it is called.
        inputs: What it is given.
        grounder: The grounder here that is this method; empty where there is none yet.
        files: The publisher's own files of its predictions, by split.
        needs: What a grounder of it would take, where there is none yet.
        people: Whether it is what people drew.
        trained_on: How the data set is called that runs of this row were trained on, where the row is of one alone; any
            of these beginnings will do.
        options: Those of the grounder, for the commands.
        steps: What must be got or done before the commands, each a sentence or a command.
        listed: Whether it is a row of the first table even where nothing of it is at hand.
    """

    key: str
    name: str
    inputs: str
    grounder: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    needs: str = ""
    people: bool = False
    trained_on: Sequence[str] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    steps: Sequence[str] = ()
    listed: bool = False


@dataclass(frozen=True)
class PublishedValue:
    """One value.

    Attributes:
        table: The table's key.
        column: The column's.
        method: The method's.
        value: The value.
        over: Of which samples.
        source: Where it stands.
        reading: `paper` where it was read in the source's own text, `quoted` where others quote it.
        low: Lower end of its interval, where one is given.
        high: Upper end.
    """

    table: str
    column: str
    method: str
    value: float
    over: str
    source: str
    reading: Literal["paper", "quoted"]
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Paper:
    """What a paper publishes.

    Attributes:
        name: As `--paper` takes it.
        title: Of the benchmark.
        dataset: The data set here.
        citation: Whom to cite.
        downloads: The files that a measurement takes, and where they are.
        tables: Its tables.
        methods: Their rows, in order.
        values: What is at hand of them.
        split: The split of all published values, where the columns do not say.
    """

    name: str
    title: str
    dataset: str
    citation: str
    downloads: str
    tables: Sequence[PublishedTable]
    methods: Sequence[Method]
    values: Sequence[PublishedValue]
    split: str = ""

    def value(self, table: str, column: str, method: str) -> PublishedValue | None:
        """Returns a published value, or None where it is not at hand."""
        wanted = (table, column, method)
        return next((v for v in self.values if (v.table, v.column, v.method) == wanted), None)


@cache
def paper_named(name: str) -> Paper:
    """Returns what a paper publishes.

    Raises:
        UsageError: There is none of this name.
    """
    if name not in PAPERS:
        raise UsageError(f"--paper {name}", "there is none of this name", did_you_mean(name, PAPERS))
    data = tomllib.loads(files("foveate.evaluation").joinpath(f"papers_{name}.toml").read_text(encoding="utf-8"))
    tables, methods, values = (data.pop(kind) for kind in ("table", "method", "value"))
    return Paper(
        name=name,
        tables=tuple(_table(table) for table in tables),
        methods=tuple(Method(**method) for method in methods),
        values=tuple(PublishedValue(**value) for value in values),
        **data,
    )


def _table(data: dict[str, Any]) -> PublishedTable:
    columns = tuple(Column(**column) for column in data.pop("columns"))
    return PublishedTable(columns=columns, **{key: text.strip() for key, text in data.items()})
