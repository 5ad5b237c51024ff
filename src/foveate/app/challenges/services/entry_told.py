"""What is told of entries and uploads, as the API and the pages' scripts read it."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from foveate.app.challenges.models import Entry, EntryEvent, Job, Upload
from foveate.app.challenges.services import entry_seen, queue, uploading
from foveate.challenges.disclosure import ShownValue, times_100
from foveate.challenges.quotas import UNDER_WAY

# A problem, an event and a line of the log are few lines each; what a program reads of them is bounded all the same.
_MOST_LOG = 20_000


def entry(row: Entry, who: entry_seen.Who) -> dict[str, Any]:
    """Returns an entry as JSON: all of it for its team and the organisers, of a public one what others may know."""
    values = entry_seen.shown_values(row, who)
    told: dict[str, Any] = {
        "challenge": row.phase.challenge.slug,
        "phase": row.phase.name,
        "number": row.number,
        "team": entry_seen.team_name(row, who),
        "state": row.state,
        "method": row.method,
        "description": row.description,
        "links": entry_seen.links_of(row, who),
        "sent_at": row.sent_at.isoformat(),
        "after_end": row.after_end,
        "scores": {name: one.text for name, one in values.items()} if values is not None else None,
        "intervals": {name: interval(one) for name, one in values.items()} if values is not None else None,
        "own": None,
    }
    if who != "other":
        told["own"] = own_part(row)
    return told


def interval(value: ShownValue) -> tuple[str, str] | None:
    """Returns both ends of a value's interval times 100, with the digits that are shown; None while there is none."""
    if value.low is None or value.high is None:
        return None
    return times_100(value.low), times_100(value.high)


def own_part(row: Entry) -> dict[str, Any]:
    """Returns what only a team and the organisers are told of an entry."""
    job = job_of(row)
    return {
        "person": row.person.username,
        "note": row.note,
        "public": row.public,
        "chosen": row.chosen,
        "file_name": row.file_name,
        "file_bytes": row.file_bytes,
        "sha256": row.sha256,
        "container": row.container,
        "ended_at": row.ended_at.isoformat() if row.ended_at else None,
        "over": row.state not in UNDER_WAY,
        "why": row.why,
        "problems": row.problems,
        "cost": cost(row),
        "position": queue.position(job) if job is not None and job.state == "waiting" else None,
        "stage": job.stage if job else "",
        "progress": job.progress if job else 0.0,
        "log": job.log[-_MOST_LOG:] if job else "",
        "events": [event(one) for one in row.events.order_by("pk")],
    }


def job_of(row: Entry) -> Job | None:
    """Returns the newest job that decides an entry's state; intervals follow in one of their own."""
    return row.jobs.filter(kind__in=("score", "reproduce")).order_by("-pk").first()


def cost(row: Entry) -> str:
    """Returns a word for what an entry costs of the limits: `valid`, `all` (only of all entries), or `nothing`."""
    if row.state in UNDER_WAY or row.state == "scored" or (row.state == "withdrawn" and row.main is not None):
        return "valid"
    return "all" if row.state == "failed" else "nothing"


def event(row: EntryEvent) -> dict[str, Any]:
    """Returns something that happened to an entry as JSON."""
    return {"at": row.at.isoformat(), "what": row.what, "said": row.said or event_said(row.what)}


def event_said(what: str) -> str:
    """Returns a sentence for something that happened; the word itself where it is none of ours."""
    known = {
        "sent": _("It was sent."),
        "withdrawn": _("It was withdrawn."),
        "chosen": _("It was chosen to rank."),
        "made_public": _("It was made public."),
        "made_private": _("It was made private."),
        "described": _("What is said of it was changed."),
        "file_removed": _("Its file was removed, since it was never scored."),
    }
    return known.get(what, what.replace("_", " ").capitalize() + ".")


def upload(row: Upload) -> dict[str, Any]:
    """Returns an upload as JSON; `received` is how much of it is on the server's disk."""
    return {
        "id": str(row.pk),
        "name": row.name,
        "size": row.size,
        "received": uploading.there(row),
        "part": uploading.PART,
        "kept_until": (row.touched_at + uploading.KEPT).isoformat(),
    }
