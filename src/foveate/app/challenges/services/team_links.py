"""Links into a team: for some uses and some days; only a hash of their code is kept."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from foveate.app.accounts import audit
from foveate.app.accounts.models import User
from foveate.app.annotate.services.transactions import at_once
from foveate.app.challenges.models import Challenge, Membership, Team, TeamInvitation
from foveate.app.challenges.services import membership
from foveate.app.refused import RefusedError
from foveate.errors import InputError

MOST_DAYS, MOST_USES, MOST_OPEN = 30, 100, 50


def make(
    actor: User, team: Team, *, days: int = 7, uses: int = 1, request: HttpRequest | None = None
) -> tuple[TeamInvitation, str]:
    """Returns a link into a team, and its path, which cannot be shown again; for the captain.

    Raises:
        RefusedError: The actor is not the captain, teams are closed, the team is disqualified or has many links.
        InputError: So many days or uses cannot be.
    """
    for name, value, most in (("days", days, MOST_DAYS), ("uses", uses, MOST_USES)):
        if not 1 <= value <= most:
            raise InputError(name, f"{value} is not between 1 and {most}", "Choose a number in between.")

    def act() -> tuple[TeamInvitation, str]:
        challenge = membership.hold(team.challenge)
        membership.refuse_unless_captain(actor, team)
        membership.refuse_closed(challenge)
        if Team.objects.get(pk=team.pk).disqualified_at is not None:
            raise RefusedError(403, "disqualified", _("Your team was disqualified."), _("Ask the organisers."))
        if open_links(team).count() >= MOST_OPEN:
            raise RefusedError(409, "many_links", _("The team has many open links."), _("Withdraw one first."))
        code, now = secrets.token_urlsafe(24), timezone.now()
        made = TeamInvitation.objects.create(
            team=team,
            digest=_digest(code),
            made_by=actor,
            made_at=now,
            expires_at=now + timedelta(days=days),
            uses_left=uses,
        )
        audit.note(request, "team.invited", membership.about(team), actor=actor, days=days, uses=uses)
        return made, f"{reverse('challenges:join_team', args=[challenge.slug])}?code={code}"

    return at_once(act)


def open_links(team: Team) -> QuerySet[TeamInvitation]:
    """Returns the links of a team that can be used now, the newest first."""
    return _valid().filter(team=team).select_related("made_by").order_by("-made_at", "-pk")


def of_code(challenge: Challenge, code: str) -> TeamInvitation | None:
    """Returns the valid link of a code into a team of a challenge."""
    return of_number(challenge, _valid().filter(digest=_digest(code)).values_list("pk", flat=True).first() or 0)


def of_number(challenge: Challenge, number: int) -> TeamInvitation | None:
    """Returns a valid link into a team of a challenge by its row's number."""
    return _valid().filter(pk=number, team__challenge=challenge).select_related("team__challenge").first()


def withdraw(actor: User, link: TeamInvitation, *, request: HttpRequest | None = None) -> None:
    """Ends a link; twice is once. For the captain.

    Raises:
        RefusedError: The actor is not the captain.
    """

    def act() -> None:
        membership.refuse_unless_captain(actor, link.team)
        if TeamInvitation.objects.filter(pk=link.pk, withdrawn_at=None).update(withdrawn_at=timezone.now()):
            audit.note(request, "team.link_withdrawn", membership.about(link.team), actor=actor)

    at_once(act)


def follow(person: User, link: TeamInvitation, *, request: HttpRequest | None = None) -> Team:
    """Returns the team that a person has come into by a link.

    Raises:
        RefusedError: It is over (410), the team is full, or the person may not (see `look_at_newcomer`).
    """

    def act() -> Team:
        challenge = membership.hold(link.team.challenge)
        found = of_number(challenge, link.pk)
        if found is None:
            raise over()
        team = found.team
        membership.look_at_newcomer(challenge, person, team)
        membership.enter(person, team)
        TeamInvitation.objects.filter(pk=found.pk).update(uses_left=found.uses_left - 1)
        audit.note(request, "team.joined", membership.about(team), actor=person, person=str(person.pseudonym))
        return team

    return at_once(act)


def over() -> RefusedError:
    """Returns what is said of a link that is over or never was: one sentence for all, so that it tells nothing."""
    said = _("This link is not valid (any more).")
    return RefusedError(410, "link_over", said, _("Ask the captain of the team for a new one."))


def _valid() -> QuerySet[TeamInvitation]:
    # Who made it must still be in the team: who was taken out lets nobody in.
    there = Membership.objects.filter(team=OuterRef("team"), person=OuterRef("made_by"), left_at=None)
    rows = TeamInvitation.objects.filter(withdrawn_at=None, uses_left__gt=0, expires_at__gt=timezone.now())
    return rows.filter(Exists(there), made_by__is_active=True, team__disqualified_at=None)


def _digest(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()
