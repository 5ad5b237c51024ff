"""`foveate compare --ranks`: how sure a ranking is, for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from foveate.evaluation.significance import Significance


def print_ranks(found: Significance) -> None:
    """Prints the ranking, what could be told apart, and what to read from both."""
    from foveate.cli.plugin_lists import print_rows
    from foveate.evaluation.telling_ranks import gap_rows, rank_rows, rank_sentences

    typer.echo(f"\nRanked by {found.metric} ({found.better} is better)")
    for head, rows, text in (rank_rows(found), gap_rows(found)):
        print_rows(head, rows, right=head[text:])
        typer.echo()
    for sentence in rank_sentences(found):
        typer.echo(sentence)
