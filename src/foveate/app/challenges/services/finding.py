"""Challenges and phases as requests name them, and what was said of them."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from foveate.app.accounts.models import User
from foveate.app.accounts.roles import has_role
from foveate.app.annotate.services.access import not_found
from foveate.app.challenges.models import Challenge, Phase
from foveate.challenges import definition as said
from foveate.challenges.pack import Pack, open_pack
from foveate.challenges.said import of_said
from foveate.errors import InputError

Visitor = User | AnonymousUser


def visible(user: Visitor) -> QuerySet[Challenge]:
    """Returns the challenges that a visitor may see: published ones, and those that they run."""
    everything = Challenge.objects.order_by("slug")
    if not isinstance(user, User) or not user.is_active:
        return everything.filter(published=True)
    if user.is_superuser:
        return everything
    own = Challenge.objects.filter(organisers=user).values("pk") if has_role(user, "organiser") else []
    return everything.filter(Q(published=True) | Q(pk__in=own))


def challenge(request: HttpRequest, slug: str) -> Challenge:
    """Returns the challenge of a short name.

    Raises:
        RefusedError: There is none that this visitor may see (404).
    """
    found = visible(request.user).filter(slug=slug).first()
    if found is None:
        raise not_found()
    return found


def organised(request: HttpRequest, slug: str) -> Challenge:
    """Returns the challenge of a short name, to those who run it.

    Raises:
        RefusedError: There is none that this visitor runs (404).
    """
    found = challenge(request, slug)
    if not may_organise(request.user, found):
        raise not_found()
    return found


def phase(of: Challenge, name: str) -> Phase:
    """Returns the phase of a name; one that the folder no longer has counts as none.

    Raises:
        RefusedError: There is none (404).
    """
    found = of.phases.select_related("challenge").filter(name=name, removed=False).first()
    if found is None:
        raise not_found()
    return found


def may_organise(user: Visitor, of: Challenge) -> bool:
    """Returns whether a person runs a challenge: an admin, or an organiser whom it names."""
    if not isinstance(user, User) or not user.is_active:
        return False
    return user.is_superuser or (has_role(user, "organiser") and of.organisers.filter(pk=user.pk).exists())


def definition(of: Challenge) -> said.Challenge:
    """Returns what the challenge's folder said when it was last loaded."""
    return of_said(said.Challenge, of.said, of.slug)


def phase_said(row: Phase) -> said.Phase:
    """Returns what the folder said of a phase."""
    return of_said(said.Phase, row.said, row.name)


def packs() -> Path:
    """Returns the folder of all frozen data."""
    return Path(settings.MEDIA_ROOT) / "challenges" / "packs"


def pack_of(row: Phase) -> Pack:
    """Returns the questions and targets of a phase.

    Raises:
        InputError: They are missing or broken, or never came here: those of an archive without targets.
    """
    if not row.pack:
        problem = "its data are not on this server, since it was taken in without targets"
        raise InputError(f"phase {row.name}", problem, "Load the challenge's folder here, or ask where they are.")
    return open_pack(Path(settings.MEDIA_ROOT) / row.pack)
