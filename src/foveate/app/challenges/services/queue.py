"""The queue: what is to be done, once."""

from __future__ import annotations

from django.db.models import Q
from django.utils import timezone

from foveate.app.challenges.models import Entry, Job


def put(entry: Entry, kind: str = "score") -> Job:
    """Puts a job of an entry into the queue, in the caller's transaction; returns it."""
    return Job.objects.create(kind=kind, entry=entry, made_at=timezone.now())


def position(job: Job) -> int | None:
    """Returns how many jobs of its kind are before a job, and itself: 1 for the next one; None for one that does not wait."""
    if job.state != "waiting":
        return None
    before = Q(priority__lt=job.priority) | Q(priority=job.priority, pk__lt=job.pk)
    return Job.objects.filter(before, state="waiting", kind=job.kind).count() + 1
