"""`foveate challenge`: a challenge from its folder to its end."""

from __future__ import annotations

import typer

from foveate.cli import _challenge_archive as archive

app = typer.Typer(no_args_is_help=True, help="Run a challenge: its folder, phases, entries, leaderboard.")
app.command("leaderboard")(archive.leaderboard)
app.command("export")(archive.export)
app.command("import")(archive.import_)
app.command("rescore")(archive.rescore)
