"""What the checks hold about a person, for that person; and what goes when they leave."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from foveate.app.accounts.models import User
from foveate.app.review.models import Look, Pause


def tables(user: User) -> dict[str, Iterable[Mapping[str, Any]]]:
    """Returns what organisers said of a person's work, and what the person said of others'.

    For which rule a submission was looked at is left out: it would tell which tasks are gold questions.
    """
    said = ("submission_id", "verdict", "word", "decided_at")
    pause = ("project__slug", "word", "paused_at", "ended_at")
    looks = Look.objects.order_by("pk")
    return {
        "looks_at_my_work": looks.filter(submission__assignment__annotator=user).values(*said).iterator(),
        "my_looks": looks.filter(decided_by=user).values(*said).iterator(),
        "pauses": Pause.objects.filter(annotator=user).order_by("pk").values(*pause).iterator(),
    }


def leave(user: User) -> None:
    """Deletes why a person was paused, and that they were; what was said of the work stays with the work."""
    Pause.objects.filter(annotator=user).delete()
