"""The tables of papers, published values beside measured ones: one row a method, one column a value of each kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from foveate.analysis._regions import target_region
from foveate.core.bootstrap import Statistic
from foveate.core.rle import area
from foveate.core.truths import Truth
from foveate.evaluation._paper_commands import commands
from foveate.evaluation.estimates import Draws, estimates
from foveate.evaluation.evaluate import summarise
from foveate.evaluation.measured import Measured, columns_of
from foveate.evaluation.metric_names import Metric, Weights, metrics_named
from foveate.evaluation.published import Column, Method, Paper, PublishedTable, PublishedValue
from foveate.evaluation.results import Results


@dataclass(frozen=True)
class MeasuredValue:
    """One value that was measured here.

    Attributes:
        run: On which run or file.
        dataset: `NAME:SPLIT`.
        value: The value; None where it is not defined.
        low: Lower end of its 95 % interval.
        high: Upper end.
        n: Over how many samples.
        undefined: Why there is no value.
    """

    run: str
    dataset: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    undefined: str | None = None


@dataclass(frozen=True)
class PaperCell:
    """One column of a row: what is published, and what was measured; None where there is nothing."""

    column: str
    published: PublishedValue | None
    measured: MeasuredValue | None


@dataclass(frozen=True)
class PaperRow:
    """One method.

    Attributes:
        method: What it is called.
        inputs: What it is given; empty where that is not known.
        cells: One a column.
    """

    method: str
    inputs: str
    cells: Sequence[PaperCell]


@dataclass(frozen=True)
class PaperTable:
    """One table: the published form of it, and its rows."""

    table: PublishedTable
    rows: Sequence[PaperRow]


@dataclass(frozen=True)
class HowTo:
    """What would measure a method where it was not.

    Attributes:
        method: What it is called.
        splits: On which splits it was not measured.
        lines: Commands, each on a line, or a sentence.
    """

    method: str
    splits: Sequence[str]
    lines: Sequence[str]


@dataclass(frozen=True)
class PaperReport:
    """A paper's tables with what was measured.

    Attributes:
        paper: What is published.
        tables: Each with the rows that it has something for.
        how: What would measure the rest.
        notes: What must be known of the measured values.
    """

    paper: Paper
    tables: Sequence[PaperTable]
    how: Sequence[HowTo]
    notes: Sequence[str]

    def as_dict(self) -> dict[str, Any]:
        """Returns all of it as plain values."""
        tables = [{**asdict(one.table), "rows": [asdict(row) for row in one.rows]} for one in self.tables]
        about = {name: getattr(self.paper, name) for name in ("name", "title", "dataset", "citation", "downloads")}
        return {"paper": about, "tables": tables, "how": [asdict(one) for one in self.how], "notes": list(self.notes)}


@dataclass(frozen=True, eq=False)
class _Run:
    """A run with the values of every column that it has something for."""

    results: Results
    values: Mapping[tuple[str, str], MeasuredValue]
    notes: Sequence[str]


# A row: its method, what it is called here, and its runs.
_Named = tuple[Method, str, list[_Run]]


def paper_report(
    paper: Paper, runs: Sequence[Results], *, root: str | None = None, draws: Draws | None = None
) -> PaperReport:
    """Returns a paper's tables with what was measured of the runs.

    Args:
        paper: What is published.
        runs: On any of the splits of the paper's data set.
        root: Where the data set is, for the commands; None where that is not known.
        draws: For the intervals.

    Raises:
        InputError: A metric cannot measure one of them.
    """
    found = [_measured(paper, run, draws or Draws()) for run in runs]
    named = _named(paper, found)
    return PaperReport(
        paper,
        [_table(paper, table, named) for table in paper.tables],
        [how for method in paper.methods if (how := _how(paper, method, found, root))],
        list(dict.fromkeys(note for run in found for note in run.notes)),
    )


def method_of(paper: Paper, run: Results) -> Method | None:
    """Returns the published method that a run is of, or None.

    By its grounder and, where a row is of one training alone, by what it was trained on; or by the publisher's name of
    the file.
    """
    header = run.loaded.header
    if header is not None:
        data = str(header.trained_on.get("dataset", ""))
        own = (m for m in paper.methods if m.grounder == header.grounder)
        return next((m for m in own if not m.trained_on or data.startswith(tuple(m.trained_on))), None)
    return next((m for m in paper.methods if run.loaded.source.name in m.files.values()), None)


def coverage_of(truths: Sequence[Truth]) -> Weights:
    """Returns the target's share of the photo ``(N,)``; NaN without a target or where the photo's size is not known."""
    return np.array([_coverage(truth) for truth in truths], dtype=np.float64)


def _coverage(truth: Truth) -> float:
    if not truth.targets or truth.size_hw is None:
        return float("nan")
    height, width = truth.size_hw
    return area(target_region(truth, truth.size_hw)) / (height * width)


def _measured(paper: Paper, run: Results, draws: Draws) -> _Run:
    split = run.loaded.data.split
    columns = {
        (table.key, column.key): column
        for table in paper.tables
        for column in table.columns
        if column.split in {"", split}
    }
    chosen = metrics_named([column.metric for column in columns.values()])
    by_function = {metric.module.measure: metric for metric in chosen}
    measured = {f: columns_of(m, run.joined, str(run.loaded.source)) for f, m in by_function.items()}
    whole = Measured(run.joined, run.groups, chosen, {m.name: measured[m.module.measure] for m in chosen})
    told = summarise(whole, resamples=draws.resamples, seed=draws.seed)
    parts = _of_sizes(run, whole, columns, draws)
    values = {}
    for key, column in columns.items():
        (name,) = (metric.name for metric in metrics_named(column.metric))
        value = parts.get(key) or told.metrics[name]
        values[key] = MeasuredValue(
            run.name, run.loaded.data.name, value.value, value.low, value.high, value.n, value.undefined
        )
    return _Run(run, values, [f"{run.name}: {note}" for note in (*run.loaded.notes, *told.notes)])


def _of_sizes(
    run: Results, whole: Measured, columns: Mapping[tuple[str, str], Column], draws: Draws
) -> dict[tuple[str, str], MeasuredValue]:
    """Returns the values of the columns that are over targets of one size only."""
    sized = {key: column for key, column in columns.items() if column.high is not None}
    if not sized:
        return {}
    coverage = coverage_of(run.truths)
    statistics: dict[str, Statistic] = {}
    n = {}
    for key, column in sized.items():
        (metric,) = metrics_named(column.metric)
        of = ((coverage >= column.low) & (coverage < (column.high or 0.0))).astype(np.float64)
        statistics["/".join(key)] = _over(whole, metric, of)
        n[key] = round(float(whole.reduce(metric, of[None, :])["n"][0]))
    found = estimates(statistics, run.groups, draws)
    told = {key: found["/".join(key)] for key in sized}
    return {
        key: MeasuredValue(run.name, "", one.value, one.low, one.high, n[key], None if n[key] else "no such target")
        for key, one in told.items()
    }


def _over(whole: Measured, metric: Metric, of: Weights) -> Statistic:
    return lambda weights: whole.reduce(metric, weights * of)["value"]


def _named(paper: Paper, runs: Sequence[_Run]) -> list[_Named]:
    """Returns the methods of the paper in its order, then what the paper does not know, each with its runs."""
    rows: list[_Named] = []
    for method in paper.methods:
        parts = _apart([run for run in runs if method_of(paper, run.results) is method]) or [[]]
        rows += [(method, method.name if len(parts) == 1 else f"{method.name} ({_runs(part)})", part) for part in parts]
    others: dict[tuple[str, str], list[_Run]] = {}
    for run in runs:
        if method_of(paper, run.results) is None:
            header = run.results.loaded.header
            key = (run.results.name, "") if header is None else (header.grounder, str(dict(header.config)))
            others.setdefault(key, []).append(run)
    for (name, _), own in others.items():
        parts = _apart(own)
        several = len(parts) > 1 or sum(name == other for other, _ in others) > 1
        rows += [(Method("", name, ""), f"{name} ({_runs(part)})" if several else name, part) for part in parts]
    return rows


def _runs(runs: Sequence[_Run]) -> str:
    return ", ".join(run.results.name for run in runs)


def _apart(runs: Sequence[_Run]) -> list[list[_Run]]:
    """Returns runs by rows, in each of which no column is filled twice."""
    rows: list[list[_Run]] = []
    for run in runs:
        free = next((row for row in rows if not any(run.values.keys() & other.values.keys() for other in row)), None)
        if free is None:
            rows.append([run])
        else:
            free.append(run)
    return rows


def _table(paper: Paper, table: PublishedTable, named: Sequence[_Named]) -> PaperTable:
    first = table is paper.tables[0]
    rows = [(method, _row(paper, table, method, name, runs)) for method, name, runs in named]
    kept = [
        row for method, row in rows if (first and method.listed) or any(c.published or c.measured for c in row.cells)
    ]
    return PaperTable(table, kept)


def _row(paper: Paper, table: PublishedTable, method: Method, name: str, runs: Sequence[_Run]) -> PaperRow:
    values = {key: value for run in runs for key, value in run.values.items()}
    cells = [
        PaperCell(column.key, paper.value(table.key, column.key, method.key), values.get((table.key, column.key)))
        for column in table.columns
    ]
    return PaperRow(name, method.inputs, cells)


def _how(paper: Paper, method: Method, runs: Sequence[_Run], root: str | None) -> HowTo | None:
    measured = {run.results.loaded.data.split for run in runs if method_of(paper, run.results) is method}
    wanted = dict.fromkeys(column.split or paper.split for table in paper.tables for column in table.columns)
    lacking = [split for split in wanted if split not in measured]
    return HowTo(method.name, lacking, commands(paper, method, lacking, root)) if lacking else None
