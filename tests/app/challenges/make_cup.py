"""Makes a challenge with a team of the participant in a server's state, and prints a token of theirs, as JSON.

`python -m tests.app.challenges.make_cup DATA [DATABASE_URL]`, in a process of its own beside the server.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main(data: Path, database: str | None = None) -> None:
    """Prints `{"token": …}`."""
    from foveate.app.start import start

    start(data, database)
    from foveate.app.accounts import tokens
    from foveate.app.accounts.models import User
    from tests.app.challenges import made

    participant = User.objects.get(username="participant")
    made.team(made.challenge(data / "cup", made.phase_said(counts="chosen")), participant)
    sys.stdout.write(json.dumps({"token": tokens.make(participant, "program")[1]}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])
