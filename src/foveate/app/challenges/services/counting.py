"""What is left of a phase's limits for a team."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from foveate.app.challenges.models import Entry, Phase, Team
from foveate.app.challenges.services import finding
from foveate.app.challenges.services.gate import utc
from foveate.app.refused import RefusedError
from foveate.challenges import quotas


def left_for(team: Team, phase: Phase, now: datetime) -> quotas.Left:
    """Returns how many entries a team may still send to a phase."""
    rows = Entry.objects.filter(phase=phase, team=team).values_list("state", "sent_at", "main")
    sent = [quotas.Sent(state, at, main is not None) for state, at, main in rows]
    return quotas.left(finding.phase_said(phase).limits, sent, now)


def check(team: Team, phase: Phase, now: datetime) -> None:
    """Looks whether a team has an entry left.

    Raises:
        RefusedError: It has none, today or at all, or too many are under way.
    """
    left = left_for(team, phase, now)
    limits = finding.phase_said(phase).limits
    why = quotas.refusal(left)
    if why is None:
        return
    details = as_details(left)
    if why == "at_once":
        message = ngettext(
            "%(n)d entry of your team is under way, and no more may be at once.",
            "%(n)d entries of your team are under way, and no more may be at once.",
            limits.at_once,
        )
        remedy = _("Wait until it is scored, or withdraw it.")
        raise RefusedError(429, "too_many_at_once", message % {"n": limits.at_once}, remedy, details)
    if why == "today":
        message = _("Your team has no entry left today.")
        remedy = _("The next day begins at %(next)s.") % {"next": utc(left.next_day)}
        wait = (left.next_day - now).total_seconds()
        raise RefusedError(429, "none_left_today", message, remedy, details, wait=wait)
    message = _("Your team has no entry left in this phase.")
    raise RefusedError(429, "none_left", message, _("Its limits are on the challenge’s page."), details)


def as_details(left: quotas.Left) -> dict[str, object]:
    """Returns what is left as JSON."""
    return {
        "valid_today": left.valid_today,
        "valid_in_all": left.valid_in_all,
        "all_today": left.all_today,
        "all_in_all": left.all_in_all,
        "at_once": left.at_once,
        "next_day": left.next_day.isoformat(),
    }
