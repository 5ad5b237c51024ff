"""Teams: who is in which, how they are made, joined and left, and whether one may enter a phase.

Acts on the teams of a challenge are done one after another: each holds the challenge's row until it is over, so that of
two who want the last place, or the same name, one is told.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from foveate.app.accounts import audit
from foveate.app.accounts.models import User
from foveate.app.annotate.services.transactions import at_once
from foveate.app.challenges.models import Challenge, Entry, Membership, Phase, ReferenceRow, Team
from foveate.app.challenges.services import finding
from foveate.app.challenges.services.participants import participant
from foveate.app.refused import RefusedError
from foveate.challenges.phases import when
from foveate.challenges.team_names import alias, check_name, folded
from foveate.errors import InputError

# Entries that the check refused, or that the platform lost, are no attempts.
_COST_NOTHING = ("refused", "lost")
_MOST_SOLO_NAMES = 50


def team_of(user: User | AnonymousUser, challenge: Challenge) -> Team | None:
    """Returns the team that a person is in now; None where they are in none."""
    if not isinstance(user, User) or not user.is_active:
        return None
    return Team.objects.filter(challenge=challenge, memberships__person=user, memberships__left_at=None).first()


def may_enter(team: Team, phase: Phase, now: datetime) -> None:
    """Looks whether a team may send entries to a phase.

    Raises:
        RefusedError: It was disqualified, or the phase is for other teams.
    """
    if team.disqualified_at is not None:
        said = _("Your team was disqualified: %(why)s") % {"why": team.disqualified_why}
        raise RefusedError(403, "disqualified", said, _("Ask the organisers."))
    rule = finding.phase_said(phase)
    if rule.only is not None and team.key not in {folded(name) for name in rule.only}:
        said = _("This phase is for teams that the organisers have named.")
        raise RefusedError(403, "not_for_your_team", said, _("Ask the organisers."))
    if rule.best_of is not None:
        _refuse_unless_among_best(team, phase, rule.best_of, now)


def members(team: Team) -> QuerySet[Membership]:
    """Returns who is in a team now, the captain first, then by when they joined."""
    there = team.memberships.filter(left_at=None).select_related("person")
    return there.order_by("-captain", "joined_at", "pk")


def make(person: User, challenge: Challenge, name: str, *, request: HttpRequest | None = None) -> Team:
    """Returns a new team whose captain is the person.

    Raises:
        RefusedError: Teams are closed, or the person takes no part, is in a team or is bound to one.
        InputError: The name cannot be one, or looks like that of another team.
    """
    name = check_name(name)

    def act() -> Team:
        look_at_newcomer(hold(challenge), person, None)
        refuse_taken(challenge, name)
        return _made(person, challenge, name, request)

    return at_once(act)


def make_solo(person: User, challenge: Challenge, *, request: HttpRequest | None = None) -> Team:
    """Returns a new team of one that is called as the person is, with a number where that name is taken.

    Raises:
        RefusedError: As of `make`.
        InputError: No name like theirs can be had.
    """

    def act() -> Team:
        look_at_newcomer(hold(challenge), person, None)
        return _made(person, challenge, _solo_name(person, challenge), request)

    return at_once(act)


def leave(person: User, challenge: Challenge, *, request: HttpRequest | None = None) -> None:
    """Takes a person out of their team; of a captain's team who has been there longest is captain then.

    A team whose last one leaves stays with its entries; without any it is no more, and its name is free.

    Raises:
        RefusedError: They are in no team, or teams are closed.
    """

    def act() -> None:
        refuse_closed(hold(challenge))
        _take_out(_membership(person, challenge), "team.left", person, request)

    at_once(act)


def remove(actor: User, membership: Membership, *, request: HttpRequest | None = None) -> None:
    """Takes somebody out of a team; for its captain while teams may change, and for organisers.

    Raises:
        RefusedError: The actor may not, it is themselves, or they are out already.
    """

    def act() -> None:
        row = _acted_on(actor, membership)
        if row.person_id == actor.pk:
            raise RefusedError(409, "yourself", _("Nobody removes themselves."), _("Leave the team instead."))
        _take_out(row, "team.member_removed", actor, request)

    at_once(act)


def make_captain(actor: User, membership: Membership, *, request: HttpRequest | None = None) -> None:
    """Makes somebody the captain of their team instead of who is; for its captain, and for organisers.

    Raises:
        RefusedError: The actor may not, or they are out.
    """

    def act() -> None:
        row = _acted_on(actor, membership)
        if not row.captain:
            row.team.memberships.filter(captain=True).update(captain=False)
            Membership.objects.filter(pk=row.pk).update(captain=True)
            audit.note(request, "team.captain", about(row.team), actor=actor, person=str(row.person.pseudonym))

    at_once(act)


def rename(actor: User, team: Team, name: str, *, request: HttpRequest | None = None) -> None:
    """Gives a team another name: for its captain until its first entry, for organisers at any time.

    Raises:
        RefusedError: The actor may not, or not any more.
        InputError: The name cannot be one, or looks like that of another team.
    """
    name = check_name(name)

    def act() -> None:
        challenge = hold(team.challenge)
        if not finding.may_organise(actor, challenge):
            refuse_unless_captain(actor, team)
            refuse_closed(challenge)
            if team.entries.exists():
                said = _("A team keeps its name once it has sent an entry.")
                raise RefusedError(409, "has_entries", said, _("Ask the organisers."))
        refuse_taken(challenge, name, but=team)
        Team.objects.filter(pk=team.pk).update(name=name, key=folded(name))
        # Not the names: who leaves may have been called so, and the log is never changed.
        audit.note(request, "team.renamed", about(team), actor=actor)
        touch_boards(challenge)

    at_once(act)


def forget(user: User) -> None:
    """Takes a person who deletes their account out of all teams, and their name off those that were theirs alone.

    Called in the transaction of leaving; a closed challenge does not keep anybody.
    """
    for row in Membership.objects.filter(person=user, left_at=None).select_related("team__challenge").order_by("pk"):
        hold(row.team.challenge)
        _take_out(row, "team.left", user, None)
    user_made = Q(made_by=user, withdrawn_at=None)
    for team in Team.objects.filter(memberships__person=user).distinct().order_by("pk"):
        team.invitations.filter(user_made).update(withdrawn_at=timezone.now())
        others = team.memberships.exclude(person=user).filter(person__deleted_at=None)
        if not others.exists():
            Team.objects.filter(pk=team.pk).update(name=team.alias, key=folded(team.alias))
            touch_boards(team.challenge)


def hold(challenge: Challenge) -> Challenge:
    """Returns a challenge as it stands, its teams held against other acts until the transaction is over."""
    return Challenge.objects.select_for_update(of=("self",), no_key=True).get(pk=challenge.pk)


def look_at_newcomer(challenge: Challenge, person: User, team: Team | None) -> None:
    """Looks whether a person may come into a team, or make one (None).

    Raises:
        RefusedError: Teams are closed, or they take no part, are in a team or are bound to another.
    """
    refuse_closed(challenge)
    if participant(person, challenge) is None:
        said = _("You do not take part in this challenge yet.")
        raise RefusedError(403, "not_taking_part", said, _("Take part first; accept its rules."))
    if team_of(person, challenge) is not None:
        said = _("You are in a team already: one person, one team.")
        raise RefusedError(409, "in_a_team", said, _("Leave it first."))
    if (bound := bound_to(person, challenge)) is not None and bound != team:
        said = _("You were in %(team)s, which has sent entries: another team would be more attempts.")
        remedy = _("Go back to it, or ask the organisers to let you into another team.")
        raise RefusedError(409, "bound", said % {"team": bound.name}, remedy)


def bound_to(person: User, challenge: Challenge) -> Team | None:
    """Returns the team that a person has left and whose attempts they have shared, or that is disqualified.

    None where there is none, or where organisers have let them go since.
    """
    past = Membership.objects.filter(challenge=challenge, person=person).exclude(left_at=None)
    row = participant(person, challenge)
    if row is not None and row.freed_at is not None:
        past = past.filter(left_at__gt=row.freed_at)
    sent = Entry.objects.filter(team=OuterRef("team"), sent_at__lte=OuterRef("left_at")).exclude(
        state__in=_COST_NOTHING
    )
    past = past.filter(Exists(sent) | Q(team__disqualified_at__isnull=False))
    newest = past.select_related("team").order_by("-left_at", "-pk").first()
    return newest.team if newest else None


def enter(person: User, team: Team, *, captain: bool = False) -> Membership:
    """Puts a person into a team.

    Raises:
        RefusedError: It has no place.
    """
    most = finding.definition(team.challenge).teams.most_members
    if most is not None and team.memberships.filter(left_at=None).count() >= most:
        said = _("The team is full: at most %(most)d may be in it.") % {"most": most}
        raise RefusedError(409, "team_full", said, _("Ask its captain."))
    given = {"captain": captain, "joined_at": timezone.now()}
    return Membership.objects.create(challenge=team.challenge, team=team, person=person, **given)


def refuse_closed(challenge: Challenge) -> None:
    """Looks whether teams may change now.

    Raises:
        RefusedError: They may not any more.
    """
    closes = finding.definition(challenge).teams.closes
    if closes is not None and timezone.now() >= closes:
        raise RefusedError(409, "teams_closed", _("Teams stay as they are now."), _("Ask the organisers."))


def refuse_unless_captain(actor: User, team: Team) -> None:
    """Looks whether somebody is the captain of a team.

    Raises:
        RefusedError: They are not.
    """
    if not team.memberships.filter(person=actor, captain=True, left_at=None).exists():
        raise RefusedError(403, "not_captain", _("Only the captain of the team does that."), _("Ask the captain."))


def refuse_taken(challenge: Challenge, name: str, *, but: Team | None = None) -> None:
    """Looks whether a name is free in a challenge.

    Raises:
        InputError: Another team has one that looks like it, or a row of the leaderboard that is no team's.
    """
    key = folded(name)
    others = Team.objects.filter(challenge=challenge, key=key)
    others = others.exclude(pk=but.pk) if but is not None else others
    rows = ReferenceRow.objects.filter(phase__challenge=challenge).values_list("name", flat=True)
    if others.exists() or key in {folded(row) for row in rows}:
        said = "another team has this name, or one that looks like it"
        raise InputError("name", said, "Choose another name.")


def about(team: Team) -> str:
    """Returns how the audit log calls a team: not by its name, which may be a person's."""
    return f"{team.challenge.slug}/teams/{team.pk}"


def touch_boards(challenge: Challenge) -> None:
    """Says that something has changed that the challenge's leaderboards show."""
    from foveate.app.challenges.services import board

    for phase in challenge.phases.all():
        board.touch(phase)


def _made(person: User, challenge: Challenge, name: str, request: HttpRequest | None) -> Team:
    given = {"name": name, "key": folded(name), "alias": _alias(challenge), "made_at": timezone.now()}
    team = Team.objects.create(challenge=challenge, **given)
    enter(person, team, captain=True)
    audit.note(request, "team.made", about(team), actor=person, person=str(person.pseudonym))
    return team


def _solo_name(person: User, challenge: Challenge) -> str:
    for called in (person.shown_name, person.username):
        with suppress(InputError):
            check_name(called)
            return _free(called, challenge)
    raise InputError("name", "your own name cannot be that of a team here", "Make a team with another name.")


def _free(called: str, challenge: Challenge) -> str:
    for number in range(1, _MOST_SOLO_NAMES):
        with suppress(InputError):
            name = check_name(called if number == 1 else f"{called} {number}")
            refuse_taken(challenge, name)
            return name
    raise InputError("name", "it is taken, with numbers too", "Choose another name.")


def _alias(challenge: Challenge) -> str:
    # Drawn so that nobody can tell from it when a team was made.
    taken = set(challenge.teams.values_list("alias", flat=True))
    while (drawn := alias(secrets.randbelow, len(taken))) in taken:
        pass
    return drawn


def _membership(person: User, challenge: Challenge) -> Membership:
    row = Membership.objects.filter(challenge=challenge, person=person, left_at=None)
    found = row.select_related("team__challenge", "person").first()
    if found is None:
        raise RefusedError(409, "no_team", _("You are in no team."), _("Make one, or follow a link into one."))
    return found


def _acted_on(actor: User, membership: Membership) -> Membership:
    challenge = hold(membership.challenge)
    row = Membership.objects.select_related("team__challenge", "person").filter(pk=membership.pk, left_at=None).first()
    if row is None:
        raise RefusedError(409, "not_in_the_team", _("They are not in the team any more."), _("Reload the page."))
    if not finding.may_organise(actor, challenge):
        refuse_unless_captain(actor, row.team)
        refuse_closed(challenge)
    return row


def _take_out(row: Membership, action: str, actor: User, request: HttpRequest | None) -> None:
    team, person = row.team, row.person
    Membership.objects.filter(pk=row.pk).update(left_at=timezone.now(), captain=False)
    # Links that they made let nobody in any more.
    team.invitations.filter(made_by=person, withdrawn_at=None).update(withdrawn_at=timezone.now())
    audit.note(request, action, about(team), actor=actor, person=str(person.pseudonym))
    following = team.memberships.filter(left_at=None).order_by("joined_at", "pk").first()
    if following is None:
        _end_empty(team, actor, request)
    elif row.captain:
        Membership.objects.filter(pk=following.pk).update(captain=True)
        audit.note(request, "team.captain", about(team), actor=actor, person=str(following.person.pseudonym))


def _end_empty(team: Team, actor: User, request: HttpRequest | None) -> None:
    if team.disqualified_at is None and not team.entries.exists() and not team.uploads.exists():
        audit.note(request, "team.ended", about(team), actor=actor)
        team.delete()


def _refuse_unless_among_best(team: Team, phase: Phase, best_of: tuple[str, int], now: datetime) -> None:
    from foveate.app.challenges.services import board

    name, most = best_of
    before = phase.challenge.phases.filter(name=name).first()
    if before is None or when(finding.phase_said(before), now) != "over":
        said = _("The best teams of %(phase)s may enter this phase, and it is not over yet.")
        raise RefusedError(403, "not_decided", said % {"phase": name}, _("Wait until it is over."))
    if team.pk not in board.best_teams(before, most, now):
        said = _("This phase is for the best %(most)d teams of %(phase)s.")
        raise RefusedError(403, "not_for_your_team", said % {"most": most, "phase": name}, _("Ask the organisers."))
