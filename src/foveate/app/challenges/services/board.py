"""Leaderboards: when they have changed."""

from __future__ import annotations

from django.db.models import F

from foveate.app.challenges.models import Phase


def touch(phase: Phase) -> None:
    """Says that something has changed that a phase's board shows."""
    Phase.objects.filter(pk=phase.pk).update(version=F("version") + 1)
