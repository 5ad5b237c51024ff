"""`foveate weights`: fetch what comes from outside beforehand, and see what is here and whether it is whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from foveate.cli.plugin_lists import Json, print_rows

if TYPE_CHECKING:
    from foveate.sources.findings import Finding
    from foveate.sources.weights import Weights

app = typer.Typer(no_args_is_help=True, help="Fetch the weights of networks beforehand, and see which are here.")
Names = Annotated[list[str] | None, typer.Argument(help="Which; all when none is named.")]


@app.command()
def pull(names: Names = None) -> None:
    """Fetch weights and the demo's photos into the cache, convert them, and verify those that are there already.

    A file of a hub is named hf:OWNER/NAME@REVISION/PATH#SHA256.
    """
    from foveate.perception.sessions import prepare
    from foveate.sources.weights import declared, fetch_files

    known = _known()
    # All at once, so that a name that does not exist is told before the first download, not after it.
    for entry in [declared(name, known) for name in names or known]:
        fetch_files(entry.members)
        for network in _networks(entry):
            prepare(network)
        typer.echo(f"{entry.name}: ready ({entry.bytes:,} bytes)")


@app.command()
def verify(names: Names = None, as_json: Json = False) -> None:
    """Check every cached file by its hash, and every converted network by what it gives; fetch nothing.

    What is not here at all is passed over, unless it is named. Leaves with 3 where a file is damaged, and with 4 where
    one is missing.
    """
    from foveate.cli._output import print_json
    from foveate.sources.weights import declared

    known = _known()
    entries = [declared(name, known) for name in names or known]
    found = [(entry, finding) for entry in entries for finding in _findings(entry, passed_over=not names)]
    if as_json:
        print_json([{"weights": entry.name, **_told(finding)} for entry, finding in found])
    else:
        for entry, finding in found:
            problem = f", {finding.problem}" if finding.problem else ""
            typer.echo(f"{entry.name}/{finding.name}: {finding.state}{problem}")
    _refuse([(entry.name, finding) for entry, finding in found if finding.state != "ok"])


@app.command()
def path(
    name: Annotated[str, typer.Argument(help="Which.")],
    as_json: Json = False,
) -> None:
    """Print where the files of weights lie in the cache, one a line, the converted ones last; fetch nothing."""
    from foveate.cli._output import print_json
    from foveate.sources.weights import declared

    entry = declared(name, _known())
    findings = list(_places(entry))
    _refuse([(name, finding) for finding in findings if finding.state != "ok"])
    if as_json:
        print_json({finding.name: str(finding.path) for finding in findings})
        return
    for finding in findings:
        typer.echo(str(finding.path))


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


def _networks(entry: Weights) -> list[str]:
    """Returns the names of the networks that are made of some weights."""
    from foveate.perception.conversions import NETWORKS

    return [network.name for network in NETWORKS.values() if network.weights == entry.name]


def _findings(entry: Weights, *, passed_over: bool) -> list[Finding]:
    """Returns what is known of each file; nothing, where none is there and that may be passed over."""
    from foveate.perception.sessions import look_at_network
    from foveate.sources.findings import look_at

    found = [look_at(file) for file in entry.members]
    found.extend(look_at_network(network) for network in _networks(entry))
    return [] if passed_over and all(finding.state == "absent" for finding in found) else found


def _places(entry: Weights) -> Iterator[Finding]:
    """Yields each file's place, looking only whether it is there."""
    from foveate.perception.conversions import NETWORKS
    from foveate.sources.findings import place_of, place_of_converted

    yield from (place_of(file) for file in entry.members)
    yield from (place_of_converted(NETWORKS[network].conversion) for network in _networks(entry))


def _refuse(wrong: list[tuple[str, Finding]]) -> None:
    """Raises the error of the first wrong file, a damaged one before one that is missing."""
    from foveate.errors import InputError, UnavailableError

    if not wrong:
        return
    name, finding = min(wrong, key=lambda pair: pair[1].state != "damaged")
    more = f", and {len(wrong) - 1} more file{'s' if len(wrong) > 2 else ''} have faults" if len(wrong) > 1 else ""
    kind = InputError if finding.state == "damaged" else UnavailableError
    raise kind(
        finding.name,
        f"{finding.problem} ({finding.path}){more}",
        f"Run `foveate weights pull {name}`, which fetches or makes it again.",
    )


def _told(finding: Finding) -> dict[str, str | None]:
    return {
        "file": finding.name,
        "path": None if finding.path is None else str(finding.path),
        "state": finding.state,
        "problem": finding.problem or None,
    }


def _known() -> dict[str, Weights]:
    from foveate.datasets.photos import CARD, members
    from foveate.sources.weights import WEIGHTS, Weights

    photos = Weights(CARD.name, "the demo's twelve photographs", "see NOTICE", members())
    return {**WEIGHTS, photos.name: photos}
