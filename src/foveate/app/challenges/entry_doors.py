"""What the part of entries puts into the doors of other parts when Django starts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from foveate.app.accounts import own_data
from foveate.app.accounts.models import User
from foveate.app.challenges import links
from foveate.app.challenges.models import Challenge, Entry, EntryEvent, Upload
from foveate.app.challenges.services import membership, uploading
from foveate.app.middleware.larger import LARGER, TOO_LARGE

# What one form brings without JavaScript; larger files go in parts.
MOST_IN_A_FORM = 50 * 1024**2
_AROUND = 1024**2


def open_doors() -> None:
    """Says which addresses take files, what is held about a person, and where their entries are."""
    LARGER["api:upload"] = uploading.PART
    TOO_LARGE["api:upload"] = uploading.part_too_large
    LARGER["challenges:enter"] = LARGER["challenges:reproduce"] = MOST_IN_A_FORM + _AROUND
    own_data.MORE.append(held_about)
    own_data.LEAVING.append(forget)
    links.LINKS.append(own_link)


def held_about(user: User) -> dict[str, Iterable[Mapping[str, Any]]]:
    """Returns the entries and uploads that a person sent, and what happened to these entries; no scores."""
    entries = Entry.objects.filter(person=user).order_by("pk")
    uploads = Upload.objects.filter(person=user).order_by("begun_at")
    events = EntryEvent.objects.filter(entry__person=user).order_by("pk")
    said = (
        "method",
        "description",
        "links",
        "note",
        "public",
        "chosen",
        "sent_at",
        "file_name",
        "file_bytes",
        "sha256",
    )
    where = ("phase__challenge__slug", "phase__name", "team__name")
    return {
        "entries": entries.values("id", *where, "number", "key", "state", "container", *said).iterator(),
        "entry_events": events.values("entry_id", "at", "what", "said").iterator(),
        "uploads": uploads.values(*where, "name", "size", "received", "begun_at", "touched_at").iterator(),
    }


def forget(user: User) -> None:
    """Gives up the uploads of a person who leaves; their entries are their team's and stay, under the pseudonym."""
    for upload in Upload.objects.filter(person=user):
        uploading.give_up(upload)


def own_link(request: HttpRequest, challenge: Challenge) -> Sequence[links.Link]:
    """Returns the link to a team's entries, for its members."""
    if membership.team_of(request.user, challenge) is None:
        return []
    url = reverse("challenges:entries", args=[challenge.slug])
    return [links.Link(url, _("Entries"), 50, ("enter", "entry", "describe"))]
