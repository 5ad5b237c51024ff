"""`foveate challenge`: a challenge from its folder to its end."""

from __future__ import annotations

import typer

from foveate.cli import _challenge_reproduce

app = typer.Typer(name="challenge", no_args_is_help=True, help="Run a challenge, or take part in one.")
_challenge_reproduce.register(app)
