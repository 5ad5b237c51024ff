"""Boards of a state in a process of their own: `python -m tests.app.challenges.board_states WHAT DATA [URL]`.

`make` makes challenges whose scores have digits that are easily lost; `told` prints every board of the state as its
page, its CSV, its JSON and the API tell it, to visitors and to a team.
"""

from __future__ import annotations

import json
import math
import re
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

_BEGAN = datetime(2026, 1, 1, 12, tzinfo=UTC)
# One tie that two decimals make and one that is true; the smallest float, a sum that is not 0.3, and 2/3 of 17 digits.
_VALUES = (0.1 + 0.2, 2 / 3, math.pi / 4, math.pi / 4 + 1e-9, 5e-324, 1e-7, 1 / 3, 1 / 3, 1 - 2**-53, 0.0)


def make() -> None:
    """Makes a phase for each way in which values are shown: two decimals, places only, all digits after the end."""
    from foveate.app.accounts.models import User

    person = User.objects.create_user("fritz", password="Correct-horse-7")
    for slug, more in (
        ("open", {"end": None}),
        ("ranks", {"end": None, "scores": "rank_only"}),
        ("over", {"end": _BEGAN + timedelta(days=9), "ties": "shared"}),
    ):
        _challenge(slug, {"start": _BEGAN, "metrics": ("mean_iou", "accuracy@0.5"), **more}, person)


def _challenge(slug: str, said: dict[str, Any], person: Any) -> None:
    from django.conf import settings

    from tests.app.challenges import made

    folder = Path(settings.MEDIA_ROOT).parent / "folders" / slug
    challenge = made.challenge(folder, made.phase_said(**said), slug=slug)
    phase = challenge.phases.get()
    for number, value in enumerate(_VALUES):
        team = made.team(challenge, *([person] if number == 3 else []), name=f"Owls {number}")
        one = {"value": value, "low": value / 7, "high": min(1.0, value * 1.1), "value_scored": value, "n": 3}
        metrics = {name: {**one, "undefined": None} for name in ("mean_iou", "accuracy@0.5")}
        metrics["accuracy@0.5"]["value"] = math.sqrt(value / 2)
        sent = _BEGAN + timedelta(hours=number, microseconds=100_001 + number)
        given = {"main": value, "scores": {"n": 3, "n_grounded": 3, "counts": {"ok": 3}, "metrics": metrics}}
        made.entry(phase, team, person, method="=1+1 äöü", sent_at=sent, ended_at=sent, **given)


def told() -> dict[str, str]:
    """Returns what is told of every board, by who asks and where."""
    from django.test import Client

    from foveate.app.accounts.models import User
    from foveate.app.challenges.models import Phase

    member = Client()
    member.force_login(User.objects.get())
    found = {}
    for phase in Phase.objects.select_related("challenge").order_by("challenge__slug"):
        base = f"{phase.challenge.slug}/{phase.name}"
        ways = [f"/challenges/{base}/leaderboard{end}" for end in ("/", ".csv", ".json")]
        for path in (*ways, f"/api/v1/challenges/{phase.challenge.slug}/phases/{phase.name}/leaderboard"):
            for who, client in (("visitor", Client()), ("member", member)):
                answer = client.get(path)
                assert answer.status_code == 200, (path, answer.status_code)
                body = b"".join(answer) if answer.streaming else answer.content
                found[f"{who} {path}"] = _steady(body.decode())
    return found


def _steady(page: str) -> str:
    """Returns a page without what is drawn anew for each visit."""
    return re.sub(r'(csrfmiddlewaretoken" value|nonce)="[^"]*"', r'\1=""', page)


if __name__ == "__main__":
    from foveate.app.start import start

    what, data, *url = sys.argv[1:]
    start(Path(data), url[0] if url else None)
    from django.conf import settings

    settings.ALLOWED_HOSTS = ["*"]
    if what == "make":
        from foveate.app.database import migrate

        migrate()
        make()
    sys.stdout.write(json.dumps(told()))
