"""Lets every lease of a server's state be over, as if its minutes had passed; prints how many there were.

`python -m tests.app.browser.make_leases_over DATA [DATABASE_URL]`, in a process of its own beside the server.
"""

from __future__ import annotations

import sys
from datetime import timedelta
from pathlib import Path


def main(data: Path, database: str | None = None) -> None:
    """Only the clock is changed: the server itself finds out that they are over."""
    from foveate.app.start import start

    start(data, database)
    from django.utils import timezone

    from foveate.app.annotate.models import Assignment

    leased = Assignment.objects.filter(state="leased")
    sys.stdout.write(str(leased.update(leased_until=timezone.now() - timedelta(seconds=1))))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])
