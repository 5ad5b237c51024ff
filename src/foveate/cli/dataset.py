"""`foveate dataset`: what data sets there are."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(help="The data sets.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """The data sets."""


@app.command("list")
def list_datasets(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """List the data sets with their splits and the sizes that their publishers state."""
    from foveate import plugins
    from foveate.cli._output import print_json
    from foveate.core.cards import DatasetCard

    cards: list[DatasetCard] = [plugins.load("datasets", name).CARD for name in plugins.modules("datasets")]
    if as_json:
        print_json(
            [{"name": c.name, "summary": c.summary, "splits": dict(c.splits), "licence": c.licence} for c in cards]
        )
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("name", "split", "samples", "what it is"):
        table.add_column(title, justify="right" if title == "samples" else "left")
    for card in cards:
        for number, (split, count) in enumerate(card.splits.items()):
            first = number == 0
            table.add_row(
                card.name if first else "", split, f"{count:,}" if count else "–", card.summary if first else ""
            )
    Console().print(table)
