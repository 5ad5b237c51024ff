"""Who is in which team, and whether a team may enter a phase."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _

from foveate.app.accounts.models import User
from foveate.app.challenges.models import Challenge, Phase, Team
from foveate.app.challenges.services import finding
from foveate.app.refused import RefusedError


def team_of(user: User | AnonymousUser, challenge: Challenge) -> Team | None:
    """Returns the team that a person is in now; None where they are in none."""
    if not isinstance(user, User):
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
    only = finding.phase_said(phase).only
    if only is not None and team.name not in only:
        said = _("This phase is for teams that the organisers have named.")
        raise RefusedError(403, "not_for_your_team", said, _("Ask the organisers."))
