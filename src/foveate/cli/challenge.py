"""`foveate challenge`: a challenge from its folder to its end."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from foveate.cli import _challenge_archive, _challenge_client, _challenge_reproduce, _challenge_worker
from foveate.cli._challenge_entry import check_entry
from foveate.cli._server import Data, Database
from foveate.cli.plugin_lists import Json

if TYPE_CHECKING:
    from foveate.app.challenges.models import Challenge
    from foveate.challenges import definition
    from foveate.challenges.pack import Pack

app = typer.Typer(no_args_is_help=True, help="Run a challenge: its folder, phases, entries, leaderboard.")

Folder = Annotated[Path, typer.Argument(readable=False, help="The folder that holds challenge.toml.")]
Slug = Annotated[str, typer.Argument(help="The challenge's short name.", show_default=False)]


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="The short name, of addresses.", show_default=False)],
    template: Annotated[str, typer.Option(help="What to begin with: toloka or vizwiz.", show_default=False)],
    out: Annotated[
        Path | None, typer.Option(readable=False, help="The new folder.", show_default="the short name")
    ] = None,
    root: Annotated[
        Path | None, typer.Option(readable=False, help="Where the official files lie.", show_default="data, in it")
    ] = None,
) -> None:
    """Begin a challenge's folder with what the papers' texts state; what they do not stays empty."""
    from foveate.challenges.begin import begin

    folder = out or Path(name)
    begin(name, template, folder, root)
    typer.echo(f"{folder}: fill in challenge.toml, then: foveate challenge check {folder}")


@app.command()
def check(folder: Folder, as_json: Json = False) -> None:
    """Open all that a folder names and tell every fault; leave with 3 where it cannot be loaded.

    Example: foveate challenge check cup
    """
    from foveate.challenges.folder import check as look
    from foveate.cli._output import print_json, say

    findings = look(folder)
    if as_json:
        print_json([vars(finding) for finding in findings])
    else:
        for level, title in _LEVELS.items():
            found = [finding for finding in findings if finding.level == level]
            for finding in found:
                say(f"{title}: {finding}")
    if any(finding.level == "error" for finding in findings):
        raise typer.Exit(3)
    if not as_json:
        say("It can be loaded.")


_LEVELS = {"told": "Found", "not_said": "Not said", "warning": "Mind", "error": "Error"}


@app.command()
def load(
    folder: Folder,
    organiser: Annotated[
        list[str] | None, typer.Option(help="An account that runs it; several times for several.", show_default=False)
    ] = None,
    data: Data = None,
    database: Database = None,
) -> None:
    """Take a folder into the server's state, also while the server runs; what is frozen is refused if changed.

    Example: foveate challenge load cup --organiser anna
    """
    _open(data, database)
    from foveate.app.accounts import people
    from foveate.app.challenges.services.loading import load as take
    from foveate.challenges._fields import FaultsError
    from foveate.cli._output import remark, say

    try:
        row = take(folder.absolute(), None, organisers=[people.named(name) for name in organiser or ()])
    except FaultsError as error:
        for fault in error.faults[:-1]:
            remark(str(fault))
        raise error.faults[-1] from error
    seen = "published" if row.published else "a draft, which only its organisers see"
    say(f"{row.slug} is loaded: {row.phases.filter(removed=False).count()} phases, {seen}.")


@app.command("list")
def list_(as_json: Json = False, data: Data = None, database: Database = None) -> None:
    """List the challenges: short name, whether published, phases, entries."""
    _open(data, database)
    from foveate.app.challenges.models import Challenge
    from foveate.cli._output import print_json
    from foveate.cli.plugin_lists import print_rows

    rows = [_row(row) for row in Challenge.objects.order_by("slug")]
    if as_json:
        print_json(rows)
        return
    titles = ["name", "title", "published", "phases", "entries"]
    print_rows(
        titles,
        [
            [
                row["name"],
                row["title"],
                "yes" if row["published"] else "no",
                ", ".join(f"{one['name']} ({one['when']})" for one in row["phases"]),
                f"{sum(one['entries'] for one in row['phases']):,}",
            ]
            for row in rows
        ],
    )


@app.command()
def show(slug: Slug, as_json: Json = False, data: Data = None, database: Database = None) -> None:
    """Show a challenge: its phases with their times, fingerprints and entries."""
    _open(data, database)
    from foveate.cli._output import print_json, say
    from foveate.cli.plugin_lists import print_rows

    row = _row(_challenge(slug))
    if as_json:
        print_json(row)
        return
    say(f"{row['name']}: {row['title']}, {'published' if row['published'] else 'a draft'}, loaded {row['loaded_at']}")
    say(f"Folder: {row['folder']}")
    titles = ["phase", "now", "start", "end", "fingerprint", "frozen", "entries"]
    cells = [
        [one["name"], one["when"], one["start"] or "at once", one["end"] or "never", one["fingerprint"][:12]]
        + [one["frozen_at"] or "no", f"{one['entries']:,}"]
        for one in row["phases"]
    ]
    print_rows(titles, cells, right=["entries"])


@app.command("starter-kit")
def starter_kit(
    source: Annotated[str, typer.Argument(metavar="FOLDER|SLUG", help="A challenge's folder, or one that was loaded.")],
    out: Annotated[Path, typer.Option(readable=False, help="The new folder.", show_default=False)],
    phase: Annotated[
        str | None, typer.Option(help="The phase; needed where there are several.", show_default=False)
    ] = None,
    data: Data = None,
    database: Database = None,
) -> None:
    """Write what participants begin with: questions without targets, an example entry, check and score.

    Example: foveate challenge starter-kit cup --phase evaluation --out kit
    """
    import tempfile

    from foveate.challenges.starter_kit import phase_named, write_kit
    from foveate.cli._output import say
    from foveate.evaluation.wording import counted

    with tempfile.TemporaryDirectory(prefix="foveate-") as place:
        if (Path(source) / "challenge.toml").is_file():
            said, packs = _of_folder(Path(source), Path(place))
        else:
            _open(data, database)
            said, packs = _of_server(source)
        files = write_kit(said, phase_named(said, phase).name, packs, out)
    say(f"{out}: {counted(len(files), 'file')}: {', '.join(files)}")


def _of_folder(folder: Path, packs: Path) -> tuple[definition.Challenge, dict[str, Pack]]:
    from foveate.challenges import toml
    from foveate.challenges.pack import write_pack

    said = toml.read(folder)
    made = {name: write_pack(data, packs) for name, data in said.data.items()}
    return said, {phase.name: made[phase.data] for phase in said.phases}


def _of_server(slug: str) -> tuple[definition.Challenge, dict[str, Pack]]:
    from foveate.app.challenges.services import finding

    row = _challenge(slug)
    return finding.definition(row), {
        phase.name: finding.pack_of(phase) for phase in row.phases.filter(removed=False).order_by("position")
    }


def _challenge(slug: str) -> Challenge:
    from foveate.app.annotate.slugs import named
    from foveate.app.challenges.models import Challenge

    return named(slug, Challenge.objects.all(), "challenge")


def _row(row: Challenge) -> dict[str, Any]:
    from django.utils import timezone

    from foveate.app.challenges.services import finding
    from foveate.challenges.phases import when

    now = timezone.now()
    return {
        "name": row.slug,
        "title": row.title,
        "published": row.published,
        "folder": row.folder,
        "loaded_at": row.loaded_at.isoformat(timespec="seconds"),
        "phases": [
            {
                "name": phase.name,
                "kind": phase.kind,
                "when": "removed" if phase.removed else when(finding.phase_said(phase), now),
                "start": phase.start.isoformat(timespec="minutes") if phase.start else None,
                "end": phase.end.isoformat(timespec="minutes") if phase.end else None,
                "fingerprint": phase.fingerprint,
                "frozen_at": phase.frozen_at.isoformat(timespec="seconds") if phase.frozen_at else None,
                "entries": phase.entries.count(),
            }
            for phase in row.phases.order_by("removed", "position", "pk")
        ],
    }


def _open(data: Path | None, database: str | None) -> None:
    """Makes the server's state ready, also where the server has never been started."""
    from foveate.app.start import start

    start(data, database)
    from foveate.app.database import migrate

    migrate()


# After those of a challenge itself, so that --help begins with them.
app.command("check-entry")(check_entry)
app.command("worker")(_challenge_worker.worker)
_challenge_client.register(app)
_challenge_reproduce.register(app)
app.command("leaderboard")(_challenge_archive.leaderboard)
app.command("export")(_challenge_archive.export)
app.command("import")(_challenge_archive.import_)
app.command("rescore")(_challenge_archive.rescore)
