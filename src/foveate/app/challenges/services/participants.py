"""Who takes part in a challenge: newcomers and people with an account, and the rules that they accepted."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from foveate.app.accounts import audit, people
from foveate.app.accounts.models import User
from foveate.app.annotate.services.transactions import at_once
from foveate.app.challenges.models import Challenge, Participant
from foveate.app.challenges.services import finding
from foveate.app.refused import RefusedError
from foveate.challenges.definition import Challenge as Said
from foveate.challenges.phases import takes_entries, when

ROLE = "participant"


@dataclass(frozen=True)
class Newcomer:
    """Who makes an account to take part.

    Attributes:
        name: Of the account.
        password: Checked already.
        display_name: What others read; may be empty.
        email: Nothing is sent to it; may be empty.
    """

    name: str
    password: str
    display_name: str = ""
    email: str = ""


def digest_of(rules: str) -> str:
    """Returns by what it is known which rules somebody accepted: their SHA-256; nothing where there are none."""
    return hashlib.sha256(rules.encode()).hexdigest() if rules else ""


def participant(user: User | AnonymousUser, challenge: Challenge) -> Participant | None:
    """Returns a person as one who takes part in a challenge; None where they do not (yet), or lost the role."""
    if not isinstance(user, User) or not user.is_active:
        return None
    row = Participant.objects.filter(challenge=challenge, person=user).exclude(joined_at=None).first()
    has_role = row is not None and (user.is_superuser or user.groups.filter(name=ROLE).exists())
    return row if has_role else None


def why_not(user: User | AnonymousUser, challenge: Challenge, said: Said, now: datetime) -> RefusedError | None:
    """Returns why somebody cannot begin to take part; None where they can."""
    ask = _("Ask the organisers.")
    if not _goes_on(said, now):
        return RefusedError(409, "challenge_over", _("The challenge is over."), _("Its leaderboards stay."))
    if said.teams.closes is not None and now >= said.teams.closes:
        return RefusedError(409, "teams_closed", _("Teams are closed: nobody can begin to take part."), ask)
    if finding.may_organise(user, challenge):
        why = _("Who organises a challenge does not take part in it.")
        return RefusedError(403, "organises", why, _("Take an account that organises nothing."))
    invited = isinstance(user, User) and Participant.objects.filter(challenge=challenge, person=user).exists()
    if said.sign_up == "invited" and not invited:
        why = _("Only who was invited takes part in this challenge.")
        return RefusedError(403, "not_invited", why, _("Follow the link of your invitation, or ask the organisers."))
    return None


def sign_up(request: HttpRequest | None, challenge: Challenge, new: Newcomer, accepted: str) -> User:
    """Returns the new account of a person who now takes part in a challenge that is open to all.

    Args:
        request: For the audit log.
        challenge: The challenge.
        new: Who it is.
        accepted: The digest of the rules that they accepted.

    Raises:
        RefusedError: Nobody can take part now, or the rules are others meanwhile.
        InputError: The name is taken or cannot be one.
    """

    def act() -> User:
        said = _looked_at(AnonymousUser(), challenge, accepted)
        user = User.objects.create_user(
            people.check_name(new.name), email=new.email, password=new.password, display_name=new.display_name
        )
        audit.note(request, "account.made", str(user.pseudonym), actor=user, roles=[ROLE], challenge=challenge.slug)
        _join(request, challenge, user, said)
        return user

    return at_once(act)


def take_part(request: HttpRequest | None, challenge: Challenge, person: User, accepted: str) -> Participant:
    """Returns an account as one that takes part: with the role, and with the rules accepted; again changes nothing.

    Where the rules are others than those that the person accepted, they are accepted anew.

    Raises:
        RefusedError: They cannot take part, or the rules are others than those that they saw.
    """

    def act() -> Participant:
        row = participant(person, challenge)
        said = finding.definition(challenge)
        if row is None or row.rules_digest != digest_of(said.rules):
            row = _join(request, challenge, person, _looked_at(person, challenge, accepted, again=row is not None))
        return row

    return at_once(act)


def _looked_at(user: User | AnonymousUser, challenge: Challenge, accepted: str, *, again: bool = False) -> Said:
    # Read in the transaction, since the rules may have been loaded anew.
    said = finding.definition(Challenge.objects.get(pk=challenge.pk))
    if not again and (refused := why_not(user, challenge, said, timezone.now())):
        raise refused
    if accepted != digest_of(said.rules):
        remedy = _("Read the rules, and accept them.")
        raise RefusedError(409, "rules_not_accepted", _("These are not the rules that you accepted."), remedy)
    return said


def _join(request: HttpRequest | None, challenge: Challenge, person: User, said: Said) -> Participant:
    now, digest = timezone.now(), digest_of(said.rules)
    row, _made = Participant.objects.get_or_create(challenge=challenge, person=person)
    row.joined_at = row.joined_at or now
    row.rules_at, row.rules_digest = (now if digest else None), digest
    row.save(update_fields=["joined_at", "rules_at", "rules_digest"])
    people.add_role(person, ROLE)
    audit.note(request, "challenge.joined", challenge.slug, actor=person, rules=digest)
    return row


def _goes_on(said: Said, now: datetime) -> bool:
    return not said.phases or any(when(one, now) == "before" or takes_entries(one, now) for one in said.phases)
