"""Makes a screening in a server's state, whose first reviewer is the annotator; prints its slug as JSON.

`python -m tests.app.browser.make_screening DATA [DATABASE_URL]`, in a process of its own beside the server.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main(data: Path, database: str | None = None) -> None:
    """Prints `{"slug"}`."""
    from foveate.app.start import start

    start(data, database)
    from foveate.app.accounts.models import User
    from tests.app.rounds.screened import screening

    annotator, organiser = (User.objects.get(username=name) for name in ("annotator", "organiser"))
    made = screening(data / "photos of tins", organiser, (annotator, organiser))
    sys.stdout.write(json.dumps({"slug": made.slug}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])
