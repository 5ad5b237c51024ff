"""`foveate weights`: fetch what comes from outside beforehand, and see what is here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from foveate.cli.plugin_lists import Json, print_rows

if TYPE_CHECKING:
    from foveate.sources.weights import Weights

app = typer.Typer(no_args_is_help=True, help="Fetch the weights of networks beforehand, and see which are here.")


@app.command()
def pull(
    names: Annotated[list[str] | None, typer.Argument(help="Which; all when none is named.")] = None,
) -> None:
    """Fetch weights and the demo's photos into the cache, and verify those that are there already."""
    from foveate.sources.pinned import fetch
    from foveate.sources.weights import declared

    known = _known()
    # All at once, so that a name that does not exist is told before the first download, not after it.
    for entry in [declared(name, known) for name in names or known]:
        fetch(entry.members)
        typer.echo(f"{entry.name}: ready ({entry.bytes:,} bytes)")


@app.command("list")
def list_(as_json: Json = False) -> None:
    """Show what there is, which of it is in the cache, and where the cache is."""
    from foveate.cli._output import print_json
    from foveate.sources.home import home

    entries = _known().values()
    if as_json:
        print_json({"cache": str(home()), "weights": [_row(entry) for entry in entries]})
        return
    rows = [[e.name, e.purpose, f"{e.bytes:,}", e.licence, "yes" if e.cached else "no"] for e in entries]
    print_rows(["name", "what for", "bytes", "licence", "cached"], rows, right=["bytes"])
    # Not through rich, which would break a long path.
    typer.echo(f"cache: {home()}")


def _row(entry: Weights) -> dict[str, str | int | bool]:
    return {
        "name": entry.name,
        "purpose": entry.purpose,
        "bytes": entry.bytes,
        "licence": entry.licence,
        "cached": entry.cached,
    }


def _known() -> dict[str, Weights]:
    from foveate.datasets.photos import CARD, members
    from foveate.sources.weights import WEIGHTS, Weights

    photos = Weights(CARD.name, "the demo's twelve photographs", "see NOTICE", members())
    return {**WEIGHTS, photos.name: photos}
