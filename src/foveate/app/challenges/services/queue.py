"""The queue: what is to be done, once."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q
from django.utils import timezone

from foveate.app.challenges.models import Entry, Job


def put(entry: Entry, kind: str = "score") -> Job:
    """Puts a job of an entry into the queue, in the caller's transaction; returns it."""
    return Job.objects.create(kind=kind, entry=entry, made_at=timezone.now())


def position(job: Job) -> int | None:
    """Returns a job's place among those of its kind, 1 for the next; None for one that does not wait."""
    if job.state != "waiting":
        return None
    before = Q(priority__lt=job.priority) | Q(priority=job.priority, pk__lt=job.pk)
    return Job.objects.filter(before, state="waiting", kind=job.kind).count() + 1


def drop(entry: Entry, *, now: datetime | None = None) -> None:
    """Gives up what is left to be done for an entry (it was withdrawn); a worker that is at it stops."""
    entry.jobs.filter(state__in=("waiting", "running")).update(
        state="given_up", ended_at=now or timezone.now(), lease=None, leased_until=None
    )
