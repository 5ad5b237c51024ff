"""`foveate score --touched`: the scores with and without the samples that a table names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foveate.cli._output import say

if TYPE_CHECKING:
    from foveate.evaluation.leakage import Leakage
    from foveate.evaluation.load import Loaded

TouchedFile = Annotated[
    Path | None,
    typer.Option(
        readable=False,
        help="Score with and without these samples: a CSV of id or photo, or a report of near-duplicates.",
        show_default=False,
    ),
]


def leakage_of(loaded: Loaded, touched: Path, metrics: Sequence[str], resamples: int, seed: int) -> Leakage:
    """Returns a run or a file with and without the samples that a table names."""
    from foveate.evaluation.estimates import Draws
    from foveate.evaluation.leakage import leakage
    from foveate.evaluation.results import results_of
    from foveate.evaluation.touched_by import touched_by

    ids = touched_by(touched, loaded.data.name, loaded.queries)
    results = results_of(loaded.source.name, loaded)
    return leakage(results, ids, metrics=metrics, source=str(touched), draws=Draws(resamples, seed))


def print_leakage(found: Leakage) -> None:
    """Prints, for a person, the scores with and without the touched samples."""
    from foveate.cli.plugin_lists import print_rows
    from foveate.evaluation.telling_leakage import leakage_rows, leakage_sentences

    head, rows = leakage_rows([found])
    say()
    print_rows(head[1:], [row[1:] for row in rows], right=head[2:])
    for sentence in leakage_sentences(found):
        say(sentence)
