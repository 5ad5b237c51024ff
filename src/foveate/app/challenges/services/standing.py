"""How a challenge stands, for those who run it: entries by state, the queue, workers, what was given back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Min, Q

from foveate.app.challenges.models import Challenge, Entry, Job, Worker

# A worker says every 15 seconds that it lives.
_SILENT = timedelta(seconds=60)
_WORTH_SAYING = timedelta(minutes=1)
_NEWEST = 20


@dataclass(frozen=True)
class Queue:
    """The jobs of a challenge.

    Attributes:
        waiting: How many wait.
        running: How many are being done.
        oldest: Since when the one that waits longest waits; None where none waits for a minute or more.
        workers: Processes that are alive, of the whole server.
    """

    waiting: int
    running: int
    oldest: datetime | None
    workers: int


def entries_by_state(challenge: Challenge) -> dict[int, list[tuple[str, int]]]:
    """Returns by the number of each phase how many entries are in which state, in the order of an entry's life."""
    words = {state: str(label) for state, label in Entry.STATES}
    counted = Entry.objects.filter(phase__challenge=challenge).values("phase", "state").annotate(n=Count("pk"))
    found: dict[int, dict[str, int]] = {}
    for row in counted.order_by("phase", "state"):
        found.setdefault(row["phase"], {})[row["state"]] = row["n"]
    return {
        phase: [(words[state], states[state]) for state in words if state in states] for phase, states in found.items()
    }


def queue_of(challenge: Challenge, now: datetime) -> Queue:
    """Returns how the queue stands."""
    own = Q(entry__phase__challenge=challenge) | Q(reference__phase__challenge=challenge)
    jobs = Job.objects.filter(own)
    waiting = jobs.filter(state="waiting")
    oldest = waiting.filter(made_at__lte=now - _WORTH_SAYING).aggregate(oldest=Min("made_at"))["oldest"]
    return Queue(
        waiting=waiting.count(),
        running=jobs.filter(state="running").count(),
        oldest=oldest,
        workers=Worker.objects.filter(seen_at__gt=now - _SILENT, stopped_at=None).count(),
    )


def given_back(challenge: Challenge) -> list[Entry]:
    """Returns the newest entries that were lost by the platform's fault."""
    lost = Entry.objects.filter(phase__challenge=challenge, state="lost").select_related("team", "phase")
    return list(lost.order_by("-sent_at", "-pk")[:_NEWEST])
