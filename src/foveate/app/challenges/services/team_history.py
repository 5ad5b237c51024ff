"""What happened to a team, as its people and the organisers read it: rows of the audit log, in words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils.translation import gettext as _

from foveate.app.accounts.models import AuditEvent, User
from foveate.app.challenges.models import Team
from foveate.app.challenges.services.membership import about

_MOST = 200
_ACTIONS = (
    *("team.made", "team.joined", "team.left", "team.member_removed", "team.captain", "team.renamed"),
    *("team.disqualified", "team.reinstated", "team.let_go"),
)


@dataclass(frozen=True)
class Happened:
    """One thing that happened, in a sentence."""

    at: datetime
    said: str


def history(team: Team) -> list[Happened]:
    """Returns what happened to a team, the newest first; its links and their codes are left out."""
    rows = list(AuditEvent.objects.filter(action__in=_ACTIONS, about=about(team)).order_by("-at", "-pk")[:_MOST])
    known = [UUID(row.details["person"]) for row in rows if "person" in row.details]
    people = {str(user.pseudonym): user for user in User.objects.filter(pseudonym__in=known)}
    return [Happened(row.at, _said(row, people)) for row in rows]


def _said(row: AuditEvent, people: dict[str, User]) -> str:
    sentences = {
        "team.made": _("%(who)s made the team."),
        "team.joined": _("%(who)s joined."),
        "team.left": _("%(who)s left."),
        "team.member_removed": _("%(who)s was taken out."),
        "team.captain": _("%(who)s is captain."),
        "team.renamed": _("The team was renamed."),
        "team.disqualified": _("The team was disqualified: %(why)s"),
        "team.reinstated": _("The disqualification was taken back: %(why)s"),
        "team.let_go": _("%(who)s may go into another team."),
    }
    user = people.get(row.details.get("person", ""))
    gone = user is None or user.deleted_at is not None
    who = _("Somebody who has left the server") if gone or user is None else user.shown_name
    return sentences[row.action] % {"who": who, "why": row.details.get("why", "")}
