"""Lets all sessions of a server's state be over, and prints how many they were: `python -m tests.app.end_sessions`."""

from __future__ import annotations

import sys
from pathlib import Path


def main(data: str, *database: str) -> None:
    """Ends them."""
    from foveate.app.start import start

    start(Path(data), *database)
    from datetime import timedelta

    from django.contrib.sessions.models import Session
    from django.utils import timezone

    sys.stdout.write(str(Session.objects.update(expire_date=timezone.now() - timedelta(days=1))))


if __name__ == "__main__":
    main(*sys.argv[1:])
