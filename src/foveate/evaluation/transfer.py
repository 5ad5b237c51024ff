"""Trained on A, tested on B: runs of methods that were made of a data set, as a matrix.

What a run was trained on stands in its header (`trained_on`), so that the matrix is read from runs alone. A row is what
a method was trained on, a column what it was tested on; rows of different methods or options are kept apart. Where the
two are the very same samples, the value says what is remembered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from foveate.errors import InputError, UsageError
from foveate.evaluation.evaluate import Value, evaluate
from foveate.evaluation.load import DataPlace, Loaded, load
from foveate.evaluation.metric_names import metrics_named
from foveate.evaluation.origins import seen_in_training
from foveate.runs.header import Header
from foveate.runs.store import is_run, read_run

METRIC = "mean_iou"
NOTHING = "nothing"
# Of no method's behaviour: where it found what it was made of.
_PLACES = ("file",)

Seen = Literal["no", "yes", "perhaps"]


@dataclass(frozen=True)
class Row:
    """A method, trained on something.

    Attributes:
        method: Its name, with the options in which the methods of the matrix differ.
        trained_on: `NAME:SPLIT`, or `nothing`.
        fingerprint: Of what it was trained on; empty where there is nothing.
    """

    method: str
    trained_on: str
    fingerprint: str


@dataclass(frozen=True)
class Trial:
    """A cell of the matrix: one run.

    Attributes:
        row: What was trained.
        tested_on: `NAME:SPLIT`.
        value: Of the metric, with its interval.
        seen: Whether it was trained on the samples that it is tested on; `perhaps` where on others of the same split.
        source: The run.
    """

    row: Row
    tested_on: str
    value: Value
    seen: Seen
    source: str


@dataclass(frozen=True)
class Transfer:
    """The matrix.

    Attributes:
        metric: What its values are.
        rows: What was trained, in the order of the runs.
        columns: What was tested on, likewise.
        cells: By row and column; where there is no run, there is none.
        notes: What a reader must know of runs.
    """

    metric: str
    rows: Sequence[Row]
    columns: Sequence[str]
    cells: Mapping[tuple[Row, str], Trial]
    notes: Sequence[str] = ()

    def as_dict(self) -> dict[str, Any]:
        """Returns what `foveate transfer --json` prints."""
        return {
            "metric": self.metric,
            "tested_on": list(self.columns),
            "trained_on": [vars(row) for row in self.rows],
            "cells": [
                {
                    **vars(cell.row),
                    "tested_on": cell.tested_on,
                    "value": cell.value.value,
                    "low": cell.value.low,
                    "high": cell.value.high,
                    "n": cell.value.n,
                    "seen": cell.seen,
                    "source": cell.source,
                }
                for cell in self.cells.values()
            ],
            "notes": list(self.notes),
        }


def transfer(
    sources: Sequence[Path | str],
    roots: Mapping[str, Path | str] | None = None,
    *,
    metric: str = METRIC,
    resamples: int = 1000,
    seed: int = 0,
) -> Transfer:
    """Returns the matrix of runs.

    Args:
        sources: Runs; those of methods that were trained on nothing stand beside as a row of their own.
        roots: The folder of a data set by its name, where it is not where the run was made.
        metric: Its name.
        resamples: Bootstrap resamples for the intervals.
        seed: Of the bootstrap.

    Raises:
        UsageError: There is no run, no such metric, or two runs are of one cell.
        InputError: One is no run, is a control, or its data are not there.
    """
    if not sources:
        raise UsageError("transfer", "no run is given", "Name one run or more.")
    wanted = metrics_named([metric])[0].name
    loaded = [_loaded(source, roots or {}) for source in sources]
    names = _methods([header for _, header in loaded])
    cells: dict[tuple[Row, str], Trial] = {}
    for name, (one, header) in zip(names, loaded, strict=True):
        cell = _tested(name, one, header, wanted, resamples, seed)
        taken = cells.get((cell.row, cell.tested_on))
        if taken is not None:
            raise UsageError(
                cell.source,
                f"{taken.source} is of {name}, trained on {cell.row.trained_on} and tested on {cell.tested_on}, too",
                "Leave one of the two out.",
            )
        cells[cell.row, cell.tested_on] = cell
    rows, columns = dict.fromkeys(row for row, _ in cells), dict.fromkeys(column for _, column in cells)
    notes = [f"{one.source}: {note}" for one, _ in loaded for note in _other_notes(one)]
    return Transfer(wanted, list(rows), list(columns), cells, notes)


def _loaded(source: Path | str, roots: Mapping[str, Path | str]) -> tuple[Loaded, Header]:
    path = Path(source)
    base = read_run(path).header.dataset.partition(":")[0] if is_run(path) else ""
    one = load(source, DataPlace(root=roots.get(base)))
    if one.header is None:
        raise InputError(str(source), "it is no run, and does not say what it was trained on", "Give runs.")
    if one.header.control:
        raise InputError(str(source), f"it is a control ({one.header.control.get('name')})", "Leave it out.")
    return one, one.header


def _tested(name: str, one: Loaded, header: Header, metric: str, resamples: int, seed: int) -> Trial:
    found = evaluate(
        one.predictions,
        one.truths,
        metrics=[metric],
        groups=one.groups,
        resamples=resamples,
        seed=seed,
        where=str(one.source),
    )
    trained = header.trained_on
    row = Row(name, str(trained.get("dataset", NOTHING)), str(trained.get("fingerprint", "")))
    value = found.metrics[metric]
    return Trial(row, header.dataset, value, _seen(header), str(one.source))


def _seen(header: Header) -> Seen:
    if seen_in_training(header.trained_on, header.dataset, header.fingerprint) is None:
        return "no"
    return "yes" if header.trained_on.get("fingerprint") == header.fingerprint else "perhaps"


def _methods(headers: Sequence[Header]) -> list[str]:
    """Returns each run's method, with those options in which runs of the same method differ."""
    names = []
    for header in headers:
        same = [other.config for other in headers if other.grounder == header.grounder]
        differing = [
            f"{option}={value}"
            for option, value in header.config.items()
            if option not in _PLACES and any(other.get(option) != value for other in same)
        ]
        names.append(f"{header.grounder} ({', '.join(differing)})" if differing else header.grounder)
    return names


def _other_notes(one: Loaded) -> list[str]:
    """Returns what is to be minded of a run; that it has seen its samples stands in the matrix."""
    remarks = set(one.data.remarks)
    return [note for note in one.notes if note not in remarks and not note.startswith("trained on")]
