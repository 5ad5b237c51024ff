"""Makes a server's state look as if a newer Foveate had made it: `python -m tests.app.make_newer DATA [URL]`."""

from __future__ import annotations

import sys
from pathlib import Path

from foveate.app.start import start


def main(data: Path, database: str | None = None) -> None:
    """Adds a migration that nobody has."""
    start(data, database)
    from django.db import connection
    from django.db.migrations.recorder import MigrationRecorder

    MigrationRecorder(connection).record_applied("accounts", "9999_later")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])
