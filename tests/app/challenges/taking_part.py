"""People who take part in a challenge, and come into teams."""

from __future__ import annotations

from django.utils import timezone

from foveate.app.accounts.models import User
from foveate.app.accounts.people import add_role
from foveate.app.challenges.models import Challenge, Participant, Team
from foveate.app.challenges.services import team_links


def taking_part(challenge: Challenge, who: str | User) -> User:
    """Returns a person who takes part in a challenge, with a new account where only a name is given."""
    user = who if isinstance(who, User) else User.objects.get_or_create(username=who)[0]
    add_role(user, "participant")
    Participant.objects.get_or_create(challenge=challenge, person=user, joined_at=timezone.now())
    return user


def invite(captain: User, person: User, team: Team) -> str:
    """Brings a person into a team by a link that can be used again; returns its path."""
    link, path = team_links.make(captain, team, uses=2)
    team_links.follow(person, link)
    return path
