"""How much room files of entries may take: of a team, of a challenge, of all, and what the disk has."""

from __future__ import annotations

import shutil
from pathlib import Path

from django.conf import settings
from django.db.models import Q, QuerySet, Sum
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _

from foveate.app.challenges.models import Entry, Team, Upload
from foveate.app.config import Space, entry_space
from foveate.app.refused import RefusedError

GIB = 1024**3
# The database and the logs need some too.
_KEPT_FREE = GIB


def limits() -> Space:
    """Returns how much room there is, as `FOVEATE_ENTRY_SPACE` says, which was looked at when the server started."""
    return entry_space(str(settings.ENTRY_SPACE))


def used_by(team: Team) -> int:
    """Returns how many bytes a team's files take, those that it is sending with their whole size."""
    return _used(Q(team=team))


def check(team: Team, size: int) -> None:
    """Looks whether a team may send a file of a size.

    Raises:
        RefusedError: There is no room for it: of the team, the challenge, all, or on the disk.
    """
    room, challenge = limits(), team.challenge
    for said, most, used in (
        (_("your team’s files may take %(most)s"), room.team, used_by(team)),
        (_("the files of this challenge may take %(most)s"), room.challenge, _used(Q(team__challenge=challenge))),
        (_("the files of all challenges may take %(most)s"), room.all, _used(Q())),
    ):
        if used + size > most:
            values = {"most": filesizeformat(most), "used": filesizeformat(used), "size": filesizeformat(size)}
            message = _("There is no room for %(size)s: %(said)s, and %(used)s are taken.")
            remedy = _("Withdraw entries that are not scored yet, give up uploads, or ask the organisers.")
            details = {"most": most, "used": used}
            raise RefusedError(507, "no_room", message % {**values, "said": said % values}, remedy, details)
    if size + _to_come() + _KEPT_FREE > free():
        raise full()


def free() -> int:
    """Returns how many bytes the disk of the media folder has left."""
    folder = Path(settings.MEDIA_ROOT)
    folder.mkdir(parents=True, exist_ok=True)
    return shutil.disk_usage(folder).free


def full() -> RefusedError:
    """Returns what is said where the disk has no room; that it is the platform's fault, and costs nothing."""
    message = _("The server’s disk has no room for this file. That is not your fault, and costs you no entry.")
    return RefusedError(507, "disk_full", message, _("Try again later, and tell the organisers."))


def _used(which: Q) -> int:
    kept = Entry.objects.filter(which).exclude(file="")
    return _sum(kept, "file_bytes") + _sum(Upload.objects.filter(which), "size")


def _to_come() -> int:
    rows = Upload.objects.aggregate(size=Sum("size"), received=Sum("received"))
    return (rows["size"] or 0) - (rows["received"] or 0)


def _sum(rows: QuerySet[Entry] | QuerySet[Upload], field: str) -> int:
    return rows.aggregate(sum=Sum(field))["sum"] or 0
