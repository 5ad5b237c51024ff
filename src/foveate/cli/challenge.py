"""`foveate challenge`: run a challenge, take part in one."""

from __future__ import annotations

import typer

from foveate.cli import _challenge_client

app = typer.Typer(no_args_is_help=True, help="Run a challenge: its folder, phases, entries, leaderboard.")
_challenge_client.register(app)
