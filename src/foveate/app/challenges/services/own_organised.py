"""What challenges hold about those who organise them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from foveate.app.accounts.models import User
from foveate.app.challenges.models import Challenge, Loaded


def held_about(user: User) -> dict[str, Iterable[Mapping[str, Any]]]:
    """Returns the challenges that a person runs, and the loadings that they did."""
    runs = Challenge.objects.filter(organisers=user).order_by("pk")
    loaded = Loaded.objects.filter(by=user).order_by("pk")
    return {
        "challenges_organised": runs.values("slug", "title").iterator(),
        "challenges_loaded": loaded.values("challenge__slug", "at").iterator(),
    }


def leave(user: User) -> None:
    """Takes somebody who leaves out of the organisers; what they loaded stays, under their pseudonym."""
    for challenge in Challenge.objects.filter(organisers=user):
        challenge.organisers.remove(user)
