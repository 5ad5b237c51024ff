"""Makes Django ready in this process, for the commands that work on the server's state."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

from foveate.errors import UnavailableError

_NEEDED = ("django", "ninja", "waitress", "whitenoise", "csp", "dj_database_url", "pythonjsonlogger", "argon2")


def check_extra(database: str | None = None) -> None:
    """Looks whether what the server is made of is installed.

    Raises:
        UnavailableError: A package is not here.
    """
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise UnavailableError(
            "foveate serve", f"the package {missing[0]} is not installed", "Install it: pip install 'foveate[app]'"
        )
    if (database or "").startswith(("postgres", "pgsql")) and find_spec("psycopg") is None:
        raise UnavailableError(
            "--database", "PostgreSQL needs the package psycopg", "Install it: pip install 'foveate[postgres]'"
        )


def start(data: Path | None = None, database: str | None = None, **environment: str | None) -> None:
    """Reads the settings and makes the models ready; where that was done already, it stays as it is.

    Args:
        data: The folder of the server's state; None for `FOVEATE_DATA`, or the usual one.
        database: The URL of the database; None for `FOVEATE_DATABASE_URL`, or the embedded one.
        environment: Further variables of `Config`, without `FOVEATE_`, in lower case.

    Raises:
        UnavailableError: A package is not here.
        InputError: The database's URL cannot be read.
    """
    from foveate.app.config import Config

    given = {"data": str(data) if data else None, "database_url": database, **environment}
    os.environ.update({f"FOVEATE_{name.upper()}": value for name, value in given.items() if value is not None})
    config = Config.from_environment()
    check_extra(config.database_url)
    config.check()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "foveate.app.settings")
    import django
    from django.apps import apps

    if not apps.ready:
        django.setup()
