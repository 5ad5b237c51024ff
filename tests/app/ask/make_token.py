"""Makes and prints a token of the annotator's in a server's state: `python -m tests.app.ask.make_token DATA [URL]`."""

from __future__ import annotations

import sys
from pathlib import Path


def main(data: Path, database: str | None = None) -> None:
    """Prints the token."""
    from foveate.app.start import start

    start(data, database)
    from foveate.app.accounts.models import User
    from foveate.app.accounts.tokens import make

    sys.stdout.write(make(User.objects.get(username="annotator"), "a program")[1])


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])
