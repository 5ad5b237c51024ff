"""For how long a task is lent, and when it may be taken again."""

from __future__ import annotations

from datetime import datetime, timedelta

from foveate.annotation.kinds import ProjectSettings

# What an organiser may set at most.
LONGEST_LEASE = timedelta(days=1)


def lease_until(now: datetime, settings: ProjectSettings) -> datetime:
    """Returns until when a task is lent that is taken, or whose draft is saved, now."""
    return now + timedelta(minutes=settings.lease_minutes)


def is_over(leased_until: datetime, now: datetime) -> bool:
    """Returns whether a lease is over; at its very end it is."""
    return now >= leased_until


def may_take_again(state: str, *, taken: int, wanted: int, same_stage: bool) -> bool:
    """Returns whether a person whose lease is over may go on as if it were not.

    Args:
        state: Of the task.
        taken: How many places of its stage are taken by others now.
        wanted: How many there are.
        same_stage: Whether the task is still in the stage that was lent.
    """
    return state == "open" and same_stage and taken < wanted
