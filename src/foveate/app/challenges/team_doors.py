"""What the part of teams puts into the doors of other parts when Django starts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from foveate.app.accounts import own_data
from foveate.app.accounts.models import User
from foveate.app.challenges import links
from foveate.app.challenges.models import Challenge, Membership, Participant, TeamInvitation
from foveate.app.challenges.services import finding, membership, participants


def open_doors() -> None:
    """Says what is held about a person, what is done when they leave, and where their team is."""
    own_data.MORE.append(held_about)
    own_data.LEAVING.append(membership.forget)
    links.LINKS.append(own_links)


def held_about(user: User) -> dict[str, Iterable[Mapping[str, Any]]]:
    """Returns the challenges that a person takes part in, the teams they are or were in, and their links into these."""
    took = Participant.objects.filter(person=user).order_by("pk")
    teams = Membership.objects.filter(person=user).order_by("pk")
    made = TeamInvitation.objects.filter(made_by=user).order_by("pk")
    dates = ("invited_at", "joined_at", "rules_at", "rules_digest", "freed_at")
    return {
        "challenges": took.values("challenge__slug", *dates).iterator(),
        "teams": teams.values("challenge__slug", "team__name", "captain", "joined_at", "left_at").iterator(),
        "team_links": made.values("team__name", "made_at", "expires_at", "uses_left", "withdrawn_at").iterator(),
    }


def own_links(request: HttpRequest, challenge: Challenge) -> Sequence[links.Link]:
    """Returns the link to the team of who takes part, to taking part for others, and to all teams for organisers."""
    if finding.may_organise(request.user, challenge):
        return [links.Link(reverse("challenges:teams", args=[challenge.slug]), _("Teams"), 91, ("one_team", "invite"))]
    if participants.participant(request.user, challenge) is None:
        return [links.Link(reverse("challenges:join", args=[challenge.slug]), _("Take part"), 40)]
    return [links.Link(reverse("challenges:team", args=[challenge.slug]), _("Team"), 40)]
