"""The runs and files that a paper's tables are filled with, on any of the splits of its data set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from foveate.errors import InputError, UsageError
from foveate.evaluation.load import DataPlace, load
from foveate.evaluation.load_same import short_names
from foveate.evaluation.published import Paper
from foveate.evaluation.results import Results, results_of
from foveate.runs.store import is_run


def paper_runs(paper: Paper, sources: Sequence[Path | str], place: DataPlace) -> list[Results]:
    """Returns runs and files measured, each on its own split.

    Args:
        paper: The paper.
        sources: As `score` takes them. A file without a split is of that split of the tables whose ids it has; the
            publisher's own files are known by their names.
        place: Where the data set is; runs know their own.

    Raises:
        UsageError: One is named twice, or nothing tells of which split a file is.
        InputError: One is about another data set, or is broken.
    """
    return [
        _results(paper, name, Path(source), place) for name, source in zip(short_names(sources), sources, strict=True)
    ]


def _results(paper: Paper, name: str, source: Path, place: DataPlace) -> Results:
    if is_run(source):
        # It knows its own; what is said of the data set is for the files beside it.
        found = results_of(name, load(source, replace(place, dataset=None)))
    elif ":" in (place.dataset or ""):
        found = results_of(name, load(source, place))
    else:
        found = _of_some_split(paper, name, source, place)
    if found.loaded.data.card.name != paper.dataset:
        raise InputError(
            str(source),
            f"it is about {found.loaded.data.name}, the tables of {paper.name} are about {paper.dataset}",
            f"Take runs on {paper.dataset}, or another --paper.",
        )
    return found


def _of_some_split(paper: Paper, name: str, source: Path, place: DataPlace) -> Results:
    splits = [column.split for table in paper.tables for column in table.columns if column.split]
    if not splits:
        raise UsageError(
            str(source),
            "a file of predictions does not say which split it is for",
            f"Pass --dataset {paper.dataset}:SPLIT --root DIR.",
        )
    named = [split for method in paper.methods for split, file in method.files.items() if file == source.name]
    found, errors = [], []
    for split in named or dict.fromkeys(splits):
        try:
            found.append(results_of(name, load(source, replace(place, dataset=f"{paper.dataset}:{split}"))))
        except InputError as error:
            errors.append(error)
    if not found:
        raise errors[0]
    if len(found) > 1:
        raise UsageError(
            str(source),
            f"its ids are in {' and in '.join(one.loaded.data.name for one in found)}",
            f"Pass --dataset {paper.dataset}:SPLIT.",
        )
    return found[0]
