"""Leases that are over: their places are free again. No daemon does that; whoever comes next does."""

from __future__ import annotations

import threading
import time
from datetime import datetime
from functools import partial

from django.db.models import Q
from django.utils import timezone

from foveate.annotation.leases import LONGEST_LEASE
from foveate.app.accounts.models import User
from foveate.app.annotate.models import Assignment, Project
from foveate.app.annotate.services import places
from foveate.app.annotate.services.transactions import at_once

# More than these wait for the next who comes, so that nobody waits for a long night's leases.
_AT_A_TIME = 200
# Each is on the disk before the next: on a slow one, two hundred take many seconds. So long they may take who asks for
# a task, and who saves one.
_PATIENCE, _SHORT = 0.5, 0.1
_SECONDS = 30.0
_last = threading.local()


def overdue(project: Project | None = None, *, but: User | None = None, patience: float = _PATIENCE) -> int:
    """Ends leases that are over, and returns how many.

    Args:
        project: Of this project only.
        but: Whose leases stay: that person is about to renew them.
        patience: After so many seconds no further one is ended.
    """
    now = timezone.now()
    leases = Assignment.objects.filter(_over(now), state="leased").order_by("leased_until")
    if project is not None:
        leases = leases.filter(task__project=project)
    if but is not None:
        leases = leases.exclude(annotator=but)
    ended, until = 0, time.monotonic() + patience
    for number in list(leases.values_list("pk", flat=True)[:_AT_A_TIME]):
        ended += at_once(partial(_end, number, now))
        if time.monotonic() > until:
            break
    return ended


def now_and_then() -> None:
    """Ends leases that are over, if this thread has not looked for half a minute."""
    now = time.monotonic()
    if now - getattr(_last, "looked", -_SECONDS) >= _SECONDS:
        _last.looked = now
        overdue(patience=_SHORT)


def _over(now: datetime) -> Q:
    """Returns which leases are over; those too that were made while the clock was ahead, and would never be."""
    return Q(leased_until__lte=now) | Q(leased_until__gt=now + 2 * LONGEST_LEASE)


def _end(number: int, now: datetime) -> int:
    # Whoever has renewed, sent or given it back meanwhile was quicker.
    if not Assignment.objects.filter(_over(now), pk=number, state="leased").update(state="expired"):
        return 0
    places.give_up(Assignment.objects.select_related("task").get(pk=number))
    return 1
