"""`foveate challenge`: run a challenge, take part in one."""

from __future__ import annotations

import typer

from foveate.cli import _challenge_worker

app = typer.Typer(no_args_is_help=True, help="Run a challenge: phases, entries, leaderboards.")
app.command("worker")(_challenge_worker.worker)
