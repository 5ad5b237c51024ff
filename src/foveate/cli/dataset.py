"""`foveate dataset`: what data sets there are."""

from __future__ import annotations

import typer

from foveate.cli.convert import convert
from foveate.cli.plugin_lists import Json, cards, print_rows

app = typer.Typer(help="The data sets.", no_args_is_help=True)


app.command("convert")(convert)


@app.callback()
def _group() -> None:
    """The data sets."""


@app.command("list")
def list_datasets(as_json: Json = False) -> None:
    """List the data sets with their splits and the sizes that their publishers state."""
    from foveate.cli._output import print_json

    found = cards("datasets")
    if as_json:
        print_json(found)
        return
    rows = [
        ["" if number else card["name"], split, f"{count:,}" if count else "–", "" if number else card["summary"]]
        for card in found
        for number, (split, count) in enumerate(card["splits"].items())
    ]
    print_rows(["name", "split", "samples", "what it is"], rows, right=["samples"])
