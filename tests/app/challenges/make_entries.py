"""Makes entries that wait in a server's state: `python -m tests.app.challenges.make_entries DATA [URL]`.

`FOVEATE_TEST_ENTRIES` says how many; all are right but each tenth, which lacks a row. `FOVEATE_TEST_STATES` instead
prints what has become of them, as JSON.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any


def make(count: int) -> None:
    """Makes them."""
    from django.conf import settings

    from foveate.app.accounts.models import User
    from foveate.app.challenges.services import queue
    from tests import poison_package as poison
    from tests.app.challenges import made

    person = User.objects.create_user("sender", password="Correct-horse-7-battery")
    challenge = made.challenge(Path(settings.CONFIG.folder) / "cup")
    phase, team = challenge.phases.get(), made.team(challenge, person)
    folder = Path(settings.MEDIA_ROOT) / "challenges" / "entries"
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        (folder / f"f{number}").write_text(poison.table(rows=2 if number % 10 == 9 else 3))
        at = {"file": f"challenges/entries/f{number}", "file_name": "boxes.csv", "scores": None, "ended_at": None}
        queue.put(made.entry(phase, team, person, state="waiting", main=None, **at))


def states() -> None:
    """Prints entries by state and number of times that they ended, and what the scored ones got."""
    from foveate.app.challenges.models import Entry, EntryEvent

    final = ("refused", "scored", "failed", "lost")
    ended = Counter(EntryEvent.objects.filter(what__in=final).values_list("entry", flat=True))
    said = {
        "states": Counter(Entry.objects.values_list("state", flat=True)),
        "ended": Counter(ended[number] for number in Entry.objects.values_list("pk", flat=True)),
        "values": sorted({one.main for one in Entry.objects.all() if one.main is not None}),
        "intervals": sum(one["metrics"]["mean_iou"]["low"] is not None for one in _scores()),
    }
    sys.stdout.write(json.dumps(said))


def _scores() -> list[Any]:
    from foveate.app.challenges.models import Entry

    return [one.scores for one in Entry.objects.filter(state="scored")]


if __name__ == "__main__":
    from foveate.app.start import start

    start(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)
    if os.environ.get("FOVEATE_TEST_STATES"):
        states()
    else:
        make(int(os.environ["FOVEATE_TEST_ENTRIES"]))
