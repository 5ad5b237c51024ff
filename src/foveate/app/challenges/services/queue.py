"""The queue: what is to be done, once."""

from __future__ import annotations

from django.utils import timezone

from foveate.app.challenges.models import Job, ReferenceRow

# After all entries.
_LAST = 20


def put_reference(row: ReferenceRow) -> Job:
    """Puts the scoring of a reference row into the queue, in the caller's transaction; returns the job."""
    return Job.objects.create(kind="reference", reference=row, priority=_LAST, made_at=timezone.now())
