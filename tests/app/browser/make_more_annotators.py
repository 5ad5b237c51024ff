"""Makes three more annotators in a server's state, and prints them as JSON.

`python -m tests.app.browser.make_more_annotators DATA [DATABASE_URL]`, in a process of its own beside the server.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

NAMES = ("by keys", "vanishing", "trying")


def main(data: Path, database: str | None = None) -> None:
    """Prints `{name: {"name", "password", "session"}}`."""
    from foveate.app.start import start

    start(data, database)
    from tests.app.make_people import person

    sys.stdout.write(json.dumps({name: person(name, "annotator") for name in NAMES}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])
