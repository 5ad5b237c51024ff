"""`foveate weights`: fetch what comes from outside beforehand, and see what is here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from foveate.sources.weights import Weights

app = typer.Typer(no_args_is_help=True, help="Fetch the weights of networks beforehand, and see which are here.")


@app.command()
def pull(
    names: Annotated[list[str] | None, typer.Argument(help="Which; all when none is named.")] = None,
) -> None:
    """Fetch weights and the demo's photos into the cache, and verify those that are there already."""
    from foveate.errors import UsageError, did_you_mean
    from foveate.sources.pinned import fetch

    known = _known()
    for name in names or ():
        # A name that does not exist is told before the first download, not after it.
        if name not in known:
            raise UsageError(f"weights {name}", "there are none of this name", did_you_mean(name, sorted(known)))
    for name in names or known:
        for path in fetch(known[name].members).values():
            typer.echo(f"{name}: {path}")


@app.command("list")
def list_() -> None:
    """Show what there is, and which of it is in the cache."""
    from rich.console import Console
    from rich.table import Table

    table = Table("name", "what for", box=None, pad_edge=False, header_style="bold")
    table.add_column("bytes", justify="right")
    table.add_column("licence")
    table.add_column("cached")
    for entry in _known().values():
        cached = "yes" if entry.cached else "no"
        table.add_row(entry.name, entry.purpose, f"{entry.bytes:,}", entry.licence, cached)
    Console().print(table)


def _known() -> dict[str, Weights]:
    from foveate.datasets.photos import CARD, members
    from foveate.sources.weights import WEIGHTS, Weights

    photos = Weights(CARD.name, "the demo's four photographs", "see NOTICE", members())
    return {**WEIGHTS, photos.name: photos}
