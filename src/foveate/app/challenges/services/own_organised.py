"""Who organises a challenge, and what challenges hold about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from foveate.app.accounts import audit
from foveate.app.accounts.models import User
from foveate.app.annotate.services.access import not_found
from foveate.app.annotate.services.transactions import at_once
from foveate.app.challenges.models import Challenge, Loaded
from foveate.app.challenges.services import membership
from foveate.app.refused import RefusedError


def take_out(challenge: Challenge, name: str, request: HttpRequest | None = None) -> None:
    """Takes somebody out of those who run a challenge, found by the name of their account.

    Raises:
        RefusedError: They do not run it (404), or nobody would any more: of two who take out one another at once, the
            second is told.
    """

    def act() -> None:
        row = membership.hold(challenge)
        person = row.organisers.filter(username=name).first()
        if person is None:
            raise not_found()
        if row.organisers.count() == 1:
            said = _("Nobody would run the challenge any more.")
            raise RefusedError(409, "last_organiser", said, _("Name somebody else first."))
        row.organisers.remove(person)
        audit.note(request, "challenge.organiser_removed", row.slug, person=str(person.pseudonym))

    at_once(act)


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
