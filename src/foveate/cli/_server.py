"""The options that say where the server's state is; every command that works on it takes them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Data = Annotated[
    Path | None,
    typer.Option(
        readable=False,
        envvar="FOVEATE_DATA",
        show_envvar=False,
        help="The folder of all that the server keeps; FOVEATE_DATA says it too.",
        show_default="the user's data folder",
    ),
]
Database = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        envvar="FOVEATE_DATABASE_URL",
        show_envvar=False,
        help="postgres://NAME:PASSWORD@HOST/DATABASE; better in FOVEATE_DATABASE_URL, which others cannot see.",
        show_default="SQLite in that folder",
    ),
]
