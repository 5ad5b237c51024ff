"""What screenings hold about a person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q

from foveate.app.accounts.models import User
from foveate.app.rounds.models import Mark, Turn


def held_about(user: User) -> dict[str, Iterable[Mapping[str, Any]]]:
    """Returns the rounds in which a person is named, and what they said; that stays under their pseudonym."""
    named = Turn.objects.filter(Q(first=user) | Q(second=user)).order_by("pk")
    said = Mark.objects.filter(reviewer=user).order_by("pk")
    columns = ("turn__screening__slug", "turn__name", "sample__key", "flag", "note", "made_at", "changed_at")
    return {
        "screening_rounds": named.values("screening__slug", "name", "state").iterator(),
        "screening_answers": said.values(*columns).iterator(),
    }
