"""`foveate backup` and `foveate restore`: all of the server's state in one file, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from foveate.cli._server import Data, Database


def backup(
    file: Annotated[Path, typer.Argument(help="The file to write; by custom its name ends in .zip.", readable=False)],
    data: Data = None,
    database: Database = None,
) -> None:
    """Write all of the server's state to one file, of one moment, also while the server runs.

    It has everything but who is signed in, the secret that sessions are signed with, and renderings of photos, which
    are made again; hidden targets of challenges are in it. It restores into SQLite as into PostgreSQL. Keep it as you
    keep passwords.
    """
    from foveate.app.start import start

    start(data, database)
    from foveate.app.backup.write import back_up

    _say("backed up", back_up(file), file)


def restore(
    file: Annotated[Path, typer.Argument(help="A file of `foveate backup`.", readable=False)],
    replace: Annotated[bool, typer.Option("--replace", help="In place of what is there.")] = False,
    data: Data = None,
    database: Database = None,
) -> None:
    """Put a backup in place: all of it, or nothing where it is damaged or anything fails.

    The file is read through and checked first. The server may run meanwhile; everybody signs in again after it.
    """
    from foveate.app.start import start

    start(data, database)
    from foveate.app.backup.restore import restore as put_back

    _say("restored", put_back(file, replace=replace), file)


def _say(done: str, counts: dict[str, int], file: Path) -> None:
    from foveate.cli._output import say

    shown = ("accounts.user", "annotate.project", "annotate.task", "annotate.submission")
    parts = [f"{counts[name]:,} {name.partition('.')[2]}s" for name in shown if name in counts]
    say(f"{file}: {done} {sum(counts.values()):,} rows ({', '.join(parts)}).")
