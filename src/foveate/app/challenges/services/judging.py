"""What organisers do with teams: strike one from the boards with a reason, take that back, let somebody go."""

from __future__ import annotations

from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from foveate.app.accounts import audit
from foveate.app.accounts.models import User
from foveate.app.annotate.services.access import not_found
from foveate.app.annotate.services.transactions import at_once
from foveate.app.challenges.models import Challenge, Participant, Team
from foveate.app.challenges.services import finding, membership
from foveate.app.refused import RefusedError
from foveate.errors import InputError

LONGEST_REASON = 500


def found(challenge: Challenge, search: str) -> QuerySet[Team]:
    """Returns the teams of a challenge in whose name, alias or members' names a text occurs, by name.

    Each has `people`, who are in it now, and `sent`, its entries.
    """
    teams = Team.objects.filter(challenge=challenge)
    if search:
        there = Q(memberships__left_at=None)
        person = Q(memberships__person__username__icontains=search)
        shown = Q(memberships__person__display_name__icontains=search)
        named = Q(name__icontains=search) | Q(alias__icontains=search)
        teams = Team.objects.filter(pk__in=teams.filter(named | (there & (person | shown))).values("pk"))
    now = Q(memberships__left_at=None)
    people = Count("memberships", filter=now, distinct=True)
    return teams.annotate(people=people, sent=Count("entries", distinct=True)).order_by("key")


def disqualify(actor: User, team: Team, why: str, *, request: HttpRequest | None = None) -> None:
    """Disqualifies a team: it sends nothing any more, and its rows are struck. The reason is shown to it.

    Raises:
        InputError: No reason is given, or it is too long.
        RefusedError: The actor does not run the challenge (404), or the team is disqualified already.
    """
    why = _reason(why)

    def act() -> None:
        challenge = _held(actor, team)
        stands = Team.objects.filter(pk=team.pk, disqualified_at=None)
        if not stands.update(disqualified_at=timezone.now(), disqualified_why=why):
            raise RefusedError(409, "disqualified", _("The team is disqualified already."), _("Reload the page."))
        audit.note(request, "team.disqualified", membership.about(team), actor=actor, why=why)
        membership.touch_boards(challenge)

    at_once(act)


def take_back(actor: User, team: Team, why: str, *, request: HttpRequest | None = None) -> None:
    """Undoes a disqualification: the team has its places again.

    Raises:
        InputError: No reason is given, or it is too long.
        RefusedError: The actor does not run the challenge (404), or the team is not disqualified.
    """
    why = _reason(why)

    def act() -> None:
        challenge = _held(actor, team)
        struck = Team.objects.filter(pk=team.pk, disqualified_at__isnull=False)
        if not struck.update(disqualified_at=None, disqualified_why=""):
            raise RefusedError(409, "not_disqualified", _("The team is not disqualified."), _("Reload the page."))
        audit.note(request, "team.reinstated", membership.about(team), actor=actor, why=why)
        membership.touch_boards(challenge)

    at_once(act)


def free(actor: User, team: Team, person: User, *, request: HttpRequest | None = None) -> None:
    """Lets somebody who has left a team go into another, though they have shared the attempts of the first.

    Raises:
        RefusedError: The actor does not run the challenge, or the person takes no part (404).
    """

    def act() -> None:
        challenge = _held(actor, team)
        row = Participant.objects.filter(challenge=challenge, person=person)
        if not row.update(freed_at=timezone.now()):
            raise not_found()
        audit.note(request, "team.let_go", membership.about(team), actor=actor, person=str(person.pseudonym))

    at_once(act)


def _held(actor: User, team: Team) -> Challenge:
    challenge = membership.hold(team.challenge)
    if not finding.may_organise(actor, challenge):
        raise not_found()
    return challenge


def _reason(why: str) -> str:
    why = why.strip()
    if not why:
        raise InputError("reason", "it is empty", "Say why: the team reads it.")
    if len(why) > LONGEST_REASON:
        raise InputError("reason", f"it has {len(why)} characters, {LONGEST_REASON} may be", "Say it shorter.")
    return why
