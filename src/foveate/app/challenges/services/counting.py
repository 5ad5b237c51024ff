"""What is left of a phase's limits for a team."""

from __future__ import annotations

from datetime import datetime

from foveate.app.challenges.models import Entry, Phase, Team
from foveate.app.challenges.services import finding
from foveate.app.refused import RefusedError
from foveate.challenges import quotas


def left_for(team: Team, phase: Phase, now: datetime) -> quotas.Left:
    """Returns how many entries a team may still send to a phase."""
    return quotas.left(finding.phase_said(phase).limits, _sent(team, phase), now)


def check(team: Team, phase: Phase, now: datetime) -> None:
    """Looks whether a team has an entry left.

    Raises:
        RefusedError: It has none, today or at all, or too many are under way; `details` say what is left.
    """
    limits, sent = finding.phase_said(phase).limits, _sent(team, phase)
    refusal = quotas.refusal(limits, sent, now)
    if refusal is not None:
        details = {**refusal.details, **as_details(quotas.left(limits, sent, now))}
        wait = (refusal.again_at - now).total_seconds() if refusal.again_at else None
        raise RefusedError(429, refusal.code, refusal.said, refusal.remedy, details, wait=wait)


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


def _sent(team: Team, phase: Phase) -> list[quotas.Sent]:
    rows = Entry.objects.filter(phase=phase, team=team).values_list("state", "sent_at", "main")
    return [quotas.Sent(state, at, main is not None) for state, at, main in rows]
