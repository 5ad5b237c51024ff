"""The state of a server for `challenge`: teams with tokens, and afterwards all that was kept of their entries.

In processes of their own, since Django knows one database a process:
`python -m benchmarks._challenge_state make DATA DATABASE_URL TEAMS`, `… dump DATA DATABASE_URL`,
`… board DATA DATABASE_URL TEAMS ENTRIES`, which adds rows that were never sent, for a long leaderboard, and
`… come DATA DATABASE_URL RATE`, which goes on adding so many a second until it is ended.
"""

from __future__ import annotations

import json
import random
import sys
import time
import uuid
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any

SLUG, PHASE = "crowd", "evaluation"


def make(teams: int) -> list[str]:
    """Makes so many teams of one person each in the challenge; returns the people's tokens."""
    from django.contrib.auth.models import Group

    from foveate.app.accounts import tokens
    from foveate.app.accounts.models import User
    from foveate.app.challenges.models import Membership

    participants = Group.objects.get_or_create(name="participant")[0]
    secrets = []
    for n, team in enumerate(_teams(teams)):
        person = User.objects.create(username=f"person-{n}", password="!")
        person.groups.add(participants)
        Membership.objects.create(
            challenge=team.challenge, team=team, person=person, captain=True, joined_at=team.made_at
        )
        secrets.append(tokens.make(person, "load")[1])
    return secrets


def _teams(count: int) -> list[Any]:
    from django.utils import timezone

    from foveate.app.challenges.models import Challenge, Team

    challenge, now = Challenge.objects.get(slug=SLUG), timezone.now()
    return Team.objects.bulk_create(
        Team(challenge=challenge, name=f"Team {n}", key=f"team {n}", alias=f"Alias {n}", made_at=now)
        for n in range(count)
    )


def dump() -> dict[str, Any]:
    """Returns the entries with all that was scored, how often each ended, and the jobs by kind and state."""
    from foveate.app.challenges.models import Entry, EntryEvent, Job

    final = ("refused", "scored", "failed", "lost")
    ended = Counter(EntryEvent.objects.filter(what__in=final).values_list("entry", flat=True))
    rows = Entry.objects.select_related("team").order_by("number")
    return {
        "entries": [
            {
                "number": row.number,
                "key": str(row.key),
                "name": row.file_name,
                "team": row.team.name,
                "state": row.state,
                "why": row.why,
                "ended": ended[row.pk],
                "metrics": row.scores and row.scores["metrics"],
                "seconds": (row.ended_at - row.sent_at).total_seconds() if row.ended_at else None,
            }
            for row in rows
        ],
        "jobs": sorted([*of, n] for of, n in Counter(Job.objects.values_list("kind", "state")).items()),
        "again": sorted(
            Counter(tries + deaths for tries, deaths in Job.objects.values_list("tries", "deaths")).items()
        ),
    }


def board(teams: int, entries: int) -> None:
    """Adds so many teams, and entries of theirs that are scored; the values are drawn."""
    from django.utils import timezone

    from foveate.app.accounts.models import User
    from foveate.app.challenges.models import Entry, Phase
    from foveate.app.challenges.services import board as boards

    phase = Phase.objects.get(challenge__slug=SLUG, name=PHASE)
    person, made, draw, now = User.objects.create(username="sender"), _teams(teams), random.Random(0), timezone.now()
    rows = []
    for n in range(entries):
        value = draw.random()
        rows.append(
            Entry(
                phase=phase,
                team=made[n % teams],
                person=person,
                number=n + 1,
                key=uuid.UUID(int=draw.getrandbits(128), version=4),
                state="scored",
                method=f"Method {n}",
                scores=_scores(value, draw.random()),
                main=value,
                sent_at=now - timedelta(seconds=entries - n),
                ended_at=now,
            )
        )
    Entry.objects.bulk_create(rows, batch_size=500)
    boards.touch(phase)


def come(rate: int) -> None:
    """Adds so many scored entries a second to a long leaderboard, one by one, for ever."""
    from django.db import transaction
    from django.utils import timezone

    from foveate.app.challenges.models import Entry, Phase
    from foveate.app.challenges.services import board as boards

    phase = Phase.objects.get(challenge__slug=SLUG, name=PHASE)
    last = Entry.objects.filter(phase=phase).order_by("-number")[0]
    draw = random.Random(last.number)
    teams = list(phase.challenge.teams.values_list("pk", flat=True))
    while True:
        last.pk, last.number, last.key = None, last.number + 1, uuid.UUID(int=draw.getrandbits(128), version=4)
        last.team_id, last.main, last.sent_at = draw.choice(teams), draw.random(), timezone.now()
        last.scores = _scores(last.main, draw.random())
        with transaction.atomic():
            last.save(force_insert=True)
            boards.touch(phase)
        time.sleep(1 / rate)


def _scores(mean: float, share: float) -> dict[str, Any]:
    """Returns scores as those of an entry of 1,705 boxes are, with intervals."""
    metrics = {
        name: {
            "value": value,
            "low": max(0.0, value - 0.01),
            "high": min(1.0, value + 0.01),
            "value_scored": value,
            "low_scored": max(0.0, value - 0.01),
            "high_scored": min(1.0, value + 0.01),
            "n": 1705,
            "undefined": None,
        }
        for name, value in (("mean_iou", mean), ("accuracy@0.5", share))
    }
    return {"dataset": "load", "counts": {"ok": 1705}, "metrics": metrics}


def main(words: list[str]) -> None:
    """Does what the words say."""
    from foveate.app.start import start

    act, data, database, *numbers = words
    start(Path(data), database or None)
    if act == "board":
        board(*map(int, numbers))
    elif act == "come":
        come(*map(int, numbers))
    else:
        sys.stdout.write(json.dumps(make(*map(int, numbers)) if act == "make" else dump()))


if __name__ == "__main__":
    main(sys.argv[1:])
