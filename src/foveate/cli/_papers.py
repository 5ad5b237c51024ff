"""`foveate report --paper`: a paper's tables on the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from foveate.evaluation.load import DataPlace
    from foveate.reports.evaluation.paper_report import PaperMade

PaperName = Annotated[
    str | None,
    typer.Option(
        help="Instead of a page: the tables of a paper (vizwiz, toloka), published values beside those of the runs.",
        show_default=False,
    ),
]


def report_paper(
    name: str, sources: Sequence[Path], place: DataPlace, out: Path | None, resamples: int, seed: int
) -> None:
    """Writes a paper's tables, and prints them."""
    from foveate.evaluation.estimates import Draws
    from foveate.reports.evaluation.paper_report import paper_report

    made = paper_report(name, sources, place, out, draws=Draws(resamples, seed))
    print_paper(made)
    if out is not None:
        typer.echo(f"\n{out}")


def print_paper(made: PaperMade) -> None:
    """Prints a paper's tables for a person."""
    from foveate.cli.plugin_lists import print_rows
    from foveate.evaluation.telling_papers import about, undefined, wide

    typer.echo(f"{made.tables.paper.title}. {made.tables.paper.citation}.")
    for note in (*made.tables.notes, *undefined(made.tables)):
        typer.echo(f"Note: {note}")
    for table in made.tables.tables:
        if table.rows:
            typer.echo(f"\n{table.table.title}")
            print_rows(*wide(table))
            typer.echo(about(table))
    for section in made.sections[1:]:
        typer.echo(f"\n{section.title}\n{section.lead}")
    if made.tables.how:
        typer.echo("\nTo measure the rest")
        for how in made.tables.how:
            typer.echo(f"{how.method} ({', '.join(how.splits)}):")
            for line in how.lines:
                typer.echo(f"  {line}")
