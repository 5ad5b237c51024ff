"""`foveate compare --ranks`: how sure a ranking is, for a person."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foveate.cli._output import say

if TYPE_CHECKING:
    from foveate.evaluation.compare import Draws
    from foveate.evaluation.load import DataPlace
    from foveate.evaluation.significance import Significance

RanksFlag = Annotated[
    bool,
    typer.Option("--ranks", help="Say how sure the ranking is by the first metric: ranks under resampling, ties."),
]


def ranks_of(sources: Sequence[Path], place: DataPlace, metric: str, draws: Draws) -> Significance:
    """Returns how sure the ranking of runs is."""
    from foveate.evaluation.results import all_results
    from foveate.evaluation.significance import significance

    return significance(all_results(sources, place), metric, draws=draws)


def print_ranks(found: Significance) -> None:
    """Prints the ranking, what could be told apart, and what to read from both."""
    from foveate.cli.plugin_lists import print_rows
    from foveate.errors import shown
    from foveate.evaluation.telling_ranks import gap_rows, rank_rows, rank_sentences

    say(f"\nRanked by {found.metric} ({found.better} is better)")
    for head, rows, text in (rank_rows(found), gap_rows(found)):
        print_rows(head, [[shown(cell) for cell in row] for row in rows], right=head[text:])
        say()
    for sentence in rank_sentences(found):
        say(sentence)
