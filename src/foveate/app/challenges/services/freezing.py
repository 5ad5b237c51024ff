"""Freezing: what a phase is scored by does not change once it is open (`design/challenges.md`)."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Q

from foveate.app.accounts.audit import note
from foveate.app.annotate.services.transactions import at_once
from foveate.app.challenges.models import Challenge, Phase


def freeze_due(now: datetime, only: Challenge | None = None) -> int:
    """Freezes the phases of published challenges that have begun; returns how many.

    It may be called at any time, by several at once: each phase is frozen once. A draft is frozen by its first entry
    only, since nobody but its organisers sees it.

    Args:
        now: The server's clock.
        only: One challenge; all by default.
    """
    begun = Q(start__isnull=True) | Q(start__lte=now)
    due = Phase.objects.filter(begun, frozen_at=None, removed=False, challenge__published=True)
    if only is not None:
        due = due.filter(challenge=only)
    return sum(freeze(phase, now) for phase in due.select_related("challenge").order_by("pk"))


def freeze(phase: Phase, now: datetime) -> bool:
    """Freezes a phase; returns whether it was this call that did."""

    def act() -> bool:
        with transaction.atomic():
            # Whoever changes the row first has frozen it; nobody else writes it into the log.
            if not Phase.objects.filter(pk=phase.pk, frozen_at=None).update(frozen_at=now):
                return False
            about = f"{phase.challenge.slug}/{phase.name}"
            found = Phase.objects.only("fingerprint").get(pk=phase.pk)
            note(None, "phase.frozen", about, fingerprint=found.fingerprint)
            return True

    return at_once(act)
