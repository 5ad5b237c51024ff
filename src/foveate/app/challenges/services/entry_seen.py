"""Who sees which entry, and how much of it."""

from __future__ import annotations

from typing import Literal

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.utils import timezone

from foveate.app.accounts.models import User
from foveate.app.challenges.models import Challenge, Entry, Phase, Team
from foveate.app.challenges.services import finding, membership
from foveate.challenges import disclosure
from foveate.challenges.disclosure import ShownValue, is_nameless

Who = Literal["organiser", "team", "other"]


def entry_for(user: User | AnonymousUser, phase: Phase, number: int) -> tuple[Entry, Who] | None:
    """Returns an entry and as who it is seen; None where it is not, or there is none.

    Its team and the organisers see all of it. Others see one that is public and was scored, where a board may name it:
    not of a disqualified team, not withdrawn.
    """
    found = rows(phase.challenge).filter(phase=phase, number=number).first()
    if found is None:
        return None
    if finding.may_organise(user, phase.challenge):
        return found, "organiser"
    team = membership.team_of(user, phase.challenge)
    if team is not None and team.pk == found.team_id:
        return found, "team"
    seen = found.public and found.state == "scored" and found.team.disqualified_at is None
    return (found, "other") if seen else None


def of_team(team: Team) -> QuerySet[Entry]:
    """Returns a team's entries, newest first."""
    return rows(team.challenge).filter(team=team).order_by("-sent_at", "-pk")


def rows(challenge: Challenge) -> QuerySet[Entry]:
    """Returns the entries of a challenge, with what tells of them."""
    return Entry.objects.filter(phase__challenge=challenge).select_related("phase__challenge", "team", "person")


def shown_values(entry: Entry, who: Who) -> dict[str, ShownValue] | None:
    """Returns values with their intervals by metric, main one first, as far as they are shown; None where they are not.

    It is what a board shows of them, never more.
    """
    phase = finding.phase_said(entry.phase)
    challenge = finding.definition(entry.phase.challenge)
    seen = disclosure.shown(entry.scores, phase, challenge, timezone.now(), who, after_end=entry.after_end)
    return dict(seen.metrics) or None


def team_name(entry: Entry, who: Who) -> str:
    """Returns what a team is called: by its alias for others, while the challenge keeps names back."""
    return entry.team.alias if _nameless(entry, who) else entry.team.name


def links_of(entry: Entry, who: Who) -> list[str]:
    """Returns an entry's links; none for others while names are kept back: where a method lies says whose it is."""
    return [] if _nameless(entry, who) else [str(link) for link in entry.links]


def _nameless(entry: Entry, who: Who) -> bool:
    return who == "other" and is_nameless(finding.definition(entry.phase.challenge), timezone.now())
