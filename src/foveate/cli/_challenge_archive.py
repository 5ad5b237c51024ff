"""`foveate challenge export, import, rescore, leaderboard`: a challenge in a file, and its board on the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foveate.cli._server import Data, Database
from foveate.cli.plugin_lists import Json, print_rows

if TYPE_CHECKING:
    from foveate.app.challenges.models import Challenge
    from foveate.app.challenges.services.board import Board
    from foveate.challenges.rescoring import Rescored

Slug = Annotated[str, typer.Argument(help="The challenge's short name.", show_default=False)]
File = Annotated[Path, typer.Argument(metavar="FILE", readable=False, help="What `export` wrote.", show_default=False)]
_TOLD = 20


def export(
    slug: Slug,
    out: Annotated[Path, typer.Option(readable=False, help="The new file, a zip.", show_default=False)],
    targets: Annotated[
        bool, typer.Option("--targets", help="With the hidden targets, so that it can be scored.")
    ] = False,
    pseudonyms: Annotated[
        bool, typer.Option("--pseudonyms", help="Teams by their aliases, without what they wrote.")
    ] = False,
    data: Data = None,
    database: Database = None,
) -> None:
    """Write a challenge to a file: all it said, teams, entries with files, scores and events, and its data.

    Example: foveate challenge export cup --out cup.zip --targets
    """
    from foveate.cli._projects import ready

    ready(data, database)
    from foveate.app.accounts.audit import note
    from foveate.app.challenges.services.archiving import export as write

    manifest = write(_named(slug), out, names=not pseudonyms, targets=targets)
    note(None, "challenge.exported", slug, targets=targets, names=not pseudonyms)
    with_targets = "with targets: keep it as secret as these" if targets else "without targets"
    typer.echo(f"{out}: {len(manifest.sha256):,} files, {with_targets}")


def import_(
    file: File,
    slug: Annotated[str | None, typer.Option(metavar="NAME", help="Its name here.", show_default="its own")] = None,
    by: Annotated[
        str | None, typer.Option(metavar="NAME", help="Whose it is then.", show_default="the only admin's")
    ] = None,
    data: Data = None,
    database: Database = None,
) -> None:
    """Take a challenge from a file into this server: its board is there as it was; teams come without people.

    Example: foveate challenge import cup.zip --slug cup-2026
    """
    from foveate.cli._projects import organiser_named, ready

    ready(data, database)
    from foveate.app.challenges.services.importing import take
    from foveate.challenges.archive_read import opened
    from foveate.evaluation.wording import counted

    with opened(file) as archive:
        made = take(archive, organiser_named(by), slug)
        n = len(archive.entries)
    entries = "1 entry" if n == 1 else f"{n:,} entries"
    phases, teams = counted(made.phases.count(), "phase"), counted(made.teams.count(), "team")
    typer.echo(f"{made.slug}: {phases}, {teams}, {entries}")


def rescore(
    file: File,
    against: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            readable=False,
            help="The challenge's folder, or one of frozen data.",
            show_default="the archive's targets",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Score every entry of an archive anew, without a server; leave with 3 where a digit differs on the same data.

    Example: foveate challenge rescore cup.zip --against cup
    """
    from foveate.challenges.archive_read import opened
    from foveate.challenges.rescoring import rescore as each
    from foveate.cli._output import print_json, remark, say

    with opened(file) as archive:
        found = list(each(archive, against))
    if as_json:
        print_json([one.as_dict() for one in found])
    else:
        _tell(found)
    if any(not one.same_data for one in found):
        remark("the data are others than those that the entries were scored against")
    same = sum(one.same for one in found)
    if not as_json:
        say(f"{same:,} of {len(found):,} entries score as they did, digit for digit")
    if any(not one.same and one.same_data for one in found):
        raise typer.Exit(3)


def leaderboard(
    slug: Slug,
    phase: Annotated[
        str | None,
        typer.Argument(metavar="PHASE", help="The phase's short name.", show_default="the one that began last"),
    ] = None,
    # As this command was asked in the version before.
    named: Annotated[str | None, typer.Option("--phase", hidden=True)] = None,
    public: Annotated[bool, typer.Option("--public", help="What everybody sees now, not what organisers see.")] = False,
    as_json: Json = False,
    data: Data = None,
    database: Database = None,
) -> None:
    """Print the leaderboard of a phase.

    Example: foveate challenge leaderboard cup evaluation
    """
    from foveate.cli._output import print_json
    from foveate.cli._projects import ready
    from foveate.errors import UsageError

    if phase and named and phase != named:
        raise UsageError("--phase", f"the phase is said twice, {phase} and {named}", "Leave --phase out.")
    ready(data, database)
    from django.utils import timezone

    from foveate.app.challenges.services import board as boards
    from foveate.app.challenges.services import board_files

    row = boards.phase_named(_named(slug), phase or named, timezone.now())
    found = boards.board(row, timezone.now(), "other" if public else "organiser")
    if as_json:
        print_json(board_files.as_json(found))
        return
    _print(found)


def _named(slug: str) -> Challenge:
    from foveate.app.challenges.models import Challenge
    from foveate.errors import UsageError, did_you_mean

    found = Challenge.objects.filter(slug=slug).first()
    if found is None:
        known = Challenge.objects.order_by("slug").values_list("slug", flat=True)
        raise UsageError(slug, "there is no challenge of this name", did_you_mean(slug, known))
    return found


def _tell(found: list[Rescored]) -> None:
    from foveate.cli._output import say

    for one in found:
        if one.problem:
            say(f"{one.phase}, entry {one.number}: {one.problem}")
        for difference in one.differences[:_TOLD]:
            say(f"{one.phase}, entry {one.number}, {difference.where}: {difference.then}, now {difference.now}")


def _print(board: Board) -> None:
    from foveate.app.challenges.services import board as boards
    from foveate.challenges.disclosure import times_100

    rows = []
    for one in boards.told(board, board.rows):
        values = [one.shown.metrics.get(name) for name in board.metrics]
        cells = ["" if value is None else times_100(value.value) for value in values]
        place = str(one.row.place or ("out" if one.row.status == "disqualified" else ""))
        rows.append([place, one.row.name, *cells, f"{one.row.entries:,}", one.row.method])
    numbers = ["place", *board.metrics, "entries"]
    print_rows(["place", "team", *board.metrics, "entries", "method"], rows, right=numbers)
