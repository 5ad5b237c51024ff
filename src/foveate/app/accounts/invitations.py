"""Invitations: a link with a role, for some uses and some time. Only a hash of its code is stored."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from foveate.app.accounts import audit, people
from foveate.app.accounts.models import Invitation, User
from foveate.app.accounts.roles import GROUPS, roles_of
from foveate.app.annotate.models import Project
from foveate.app.challenges.models import Challenge, Participant
from foveate.errors import InputError, UsageError, did_you_mean

MOST_DAYS, MOST_USES = 365, 10_000


class NotValidError(UsageError):
    """An invitation that is over, withdrawn, used up or never was: one sentence for all, so that it tells nothing."""

    def __init__(self) -> None:
        super().__init__("invitation", "it is not valid (any more)", "Ask whoever sent it for a new one.")


@dataclass(frozen=True)
class Offer:
    """What an invitation is to offer.

    Attributes:
        role: What the person becomes.
        project: Where they may work; None for no project in particular.
        days: For how long.
        uses: For how many people.
        note: Whom it is for; only organisers see it.
        challenge: Where they may take part; None for no challenge in particular.
    """

    role: str
    project: Project | None = None
    days: int = 14
    uses: int = 1
    note: str = ""
    challenge: Challenge | None = None

    def check(self, maker: User | None) -> None:
        """Raises what is wrong with it, also what this maker may not offer; None is the command line."""
        allowed = people.may_invite(maker) if maker is not None else GROUPS
        if self.role not in allowed:
            remedy = did_you_mean(self.role, allowed) if self.role not in GROUPS else "Ask an admin to invite them."
            raise UsageError(self.role, "you cannot invite people to this role", remedy)
        for name, value, most in (("days", self.days, MOST_DAYS), ("uses", self.uses, MOST_USES)):
            if not 1 <= value <= most:
                raise InputError(name, f"{value} is not between 1 and {most:,}", "Choose a number in between.")


def make(request: HttpRequest | None, maker: User | None, offer: Offer) -> tuple[Invitation, str]:
    """Returns an invitation and the path of its link, which cannot be shown again."""
    offer.check(maker)
    code = secrets.token_urlsafe(24)
    with transaction.atomic():
        invitation = Invitation.objects.create(
            digest=_digest(code),
            role=offer.role,
            project=offer.project,
            challenge=offer.challenge,
            note=offer.note,
            made_by=maker,
            expires_at=timezone.now() + timedelta(days=offer.days),
            uses_left=offer.uses,
        )
        places = {"project": offer.project, "challenge": offer.challenge}
        where: dict[str, Any] = {name: place.slug for name, place in places.items() if place is not None}
        audit.note(
            request,
            "invitation.made",
            str(invitation.pk),
            role=offer.role,
            uses=offer.uses,
            days=offer.days,
            **where,
        )
    return invitation, f"{reverse('join')}?code={code}"


def valid() -> QuerySet[Invitation]:
    """Returns the invitations that can be used now; not those of makers who could not make them any more."""
    organisers = User.objects.filter(is_active=True, groups__name="organiser")
    of_organiser = Q(made_by__in=organisers, role__in=people.ORGANISERS_INVITE)
    # Of a challenge only by who runs it, still.
    of_organiser &= Q(challenge=None) | Q(challenge__organisers=F("made_by"))
    return (
        _open()
        .filter(Q(made_by=None) | Q(made_by__is_active=True, made_by__is_superuser=True) | of_organiser)
        .distinct()
    )


def of_code(code: str) -> Invitation | None:
    """Returns the valid invitation of a code."""
    return valid().filter(digest=_digest(code)).select_related("project", "challenge").first()


def seen_by(user: User) -> QuerySet[Invitation]:
    """Returns what a person may list and withdraw: an admin all, an organiser their own, newest first."""
    mine = Invitation.objects.select_related("made_by", "project", "challenge").order_by("-made_at", "-pk")
    return mine if "admin" in roles_of(user) else mine.filter(made_by=user)


def withdraw(request: HttpRequest | None, invitation: Invitation) -> None:
    """Ends an invitation; doing so twice is doing so once."""
    with transaction.atomic():
        ended = Invitation.objects.filter(pk=invitation.pk, withdrawn_at=None).update(withdrawn_at=timezone.now())
        if ended:
            audit.note(request, "invitation.withdrawn", str(invitation.pk))


def adds_nothing(invitation: Invitation, user: User) -> bool:
    """Returns whether a person has all that an invitation offers, so that it would be used up for nothing."""
    if invitation.project is not None and not invitation.project.members.filter(pk=user.pk).exists():
        return False
    if invitation.challenge is not None and not _invited(invitation, user).exists():
        return False
    return invitation.role in roles_of(user)


@transaction.atomic
def accept(request: HttpRequest | None, invitation: Invitation, user: User) -> None:
    """Gives an account what an invitation offers.

    Raises:
        NotValidError: It is over meanwhile; of two at once with one use left, one is let in.
    """
    if adds_nothing(invitation, user):
        return
    _take(invitation)
    _apply(request, invitation, user)


@transaction.atomic
def join(request: HttpRequest | None, invitation: Invitation, name: str, password: str, display_name: str = "") -> User:
    """Returns the new account of whoever was invited; no account is left over where the invitation was not valid.

    Raises:
        NotValidError: It is over meanwhile.
        InputError: The name is taken or cannot be one.
    """
    _take(invitation)
    user = User.objects.create_user(people.check_name(name), password=password, display_name=display_name)
    audit.note(request, "account.made", str(user.pseudonym), actor=user, roles=[invitation.role])
    _apply(request, invitation, user)
    return user


def _take(invitation: Invitation) -> None:
    # One statement on one row that checks and counts, so that the database lets it through as often as there are uses;
    # a condition on another table would not be looked at again by one that had to wait.
    if _open().filter(pk=invitation.pk).update(uses_left=F("uses_left") - 1) != 1:
        raise NotValidError


def _open() -> QuerySet[Invitation]:
    return Invitation.objects.filter(withdrawn_at=None, uses_left__gt=0, expires_at__gt=timezone.now())


def _apply(request: HttpRequest | None, invitation: Invitation, user: User) -> None:
    people.add_role(user, invitation.role)
    if invitation.project is not None:
        invitation.project.members.add(user)
    if invitation.challenge is not None and not _invited(invitation, user).update(invited_at=timezone.now()):
        # They take part once they have accepted the rules, on the challenge's own page.
        Participant.objects.create(challenge=invitation.challenge, person=user, invited_at=timezone.now())
    audit.note(request, "invitation.accepted", str(invitation.pk), actor=user, role=invitation.role)


def _invited(invitation: Invitation, user: User) -> QuerySet[Participant]:
    return Participant.objects.filter(challenge=invitation.challenge, person=user)


def _digest(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()
