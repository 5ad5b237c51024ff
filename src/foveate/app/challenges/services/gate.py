"""Who may send to a phase, and when."""

from __future__ import annotations

from datetime import UTC, datetime

from django.utils.translation import gettext as _

from foveate.app.accounts.models import User
from foveate.app.accounts.roles import has_role
from foveate.app.challenges.models import Challenge, Phase, Team
from foveate.app.challenges.services import finding, membership
from foveate.app.refused import RefusedError
from foveate.challenges.phases import takes_entries, when


def team_or_refuse(person: User, challenge: Challenge) -> Team:
    """Returns the team that a person is in.

    Raises:
        RefusedError: They are in none, or are no participant any more.
    """
    team = membership.team_of(person, challenge)
    if team is None:
        message = _("You are in no team of this challenge.")
        raise RefusedError(403, "no_team", message, _("Make a team, or join one, on the challenge’s pages."))
    if not has_role(person, "participant"):
        message = _("You are no participant any more.")
        raise RefusedError(403, "not_taking_part", message, _("Ask an admin for the role."))
    return team


def check_open(phase: Phase, now: datetime) -> None:
    """Looks whether a phase takes entries at a moment.

    Raises:
        RefusedError: It has not begun, is over, or was taken out of the challenge, or its data are not here.
    """
    said = finding.phase_said(phase)
    if phase.removed:
        raise RefusedError(409, "phase_removed", _("This phase is not part of the challenge any more."))
    if takes_entries(said, now):
        if not phase.pack:
            message = _("The data of this phase are not on this server, so that nothing can be scored by them.")
            raise RefusedError(409, "no_data", message, _("Ask the organisers where the challenge goes on."))
        return
    if when(said, now) == "before":
        assert said.start is not None
        message = _("This phase has not begun: it takes entries from %(start)s on.") % {"start": utc(said.start)}
        details = {"start": said.start.isoformat()}
        raise RefusedError(409, "not_begun", message, _("Send it then; your upload is kept for a day."), details)
    assert said.end is not None
    message = _("This phase is over: it took entries until %(end)s.") % {"end": utc(said.end)}
    raise RefusedError(
        409, "over", message, _("Look for another phase of the challenge."), {"end": said.end.isoformat()}
    )


def utc(moment: datetime) -> str:
    """Returns a moment as messages say it: in UTC, to the second."""
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
