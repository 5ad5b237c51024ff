"""Files that come in parts: each part is on the disk before it is acknowledged, and sending it twice is no harm."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import PurePosixPath, PureWindowsPath
from uuid import UUID

from django.conf import settings
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.translation import gettext as _

from foveate.app.accounts.models import User
from foveate.app.annotate.services.transactions import at_once
from foveate.app.challenges.models import Challenge, Phase, Team, Upload
from foveate.app.challenges.services import entry_files, finding, membership, space
from foveate.app.challenges.services.gate import check_open, team_or_refuse
from foveate.app.database import give_room_alone
from foveate.app.limits import Limit
from foveate.app.refused import RefusedError
from foveate.challenges.checking import refuse_name
from foveate.errors import InputError

# The most that one part may bring.
PART = 8 * 1024**2
# What is not finished and was not touched for so long is removed.
KEPT = timedelta(days=1)
_MOST_AT_ONCE = 20
# Who was cut off twenty times knows no number by which to give these up.
_LEFT_ALONE = timedelta(hours=1)
_RATE = Limit(settings.UPLOAD_RATE)
_SHA256 = re.compile(r"[0-9a-f]{64}|")


@dataclass(frozen=True)
class Wanted:
    """A file that somebody wants to send: its name, its size in bytes, and its sha256 where they know it."""

    name: str
    size: int
    sha256: str = ""


def begin(person: User, phase: Phase, wanted: Wanted) -> Upload:
    """Makes room for a file; returns the upload, of which nothing is there yet.

    Raises:
        RefusedError: The phase takes no entries, the team may not enter, the file is too large, there is no room, or
            they began too many.
    """
    name = clean_name(wanted.name)
    # Before anything is counted: a wrong name costs nothing.
    check_form(phase, name)
    _RATE.check(f"person {person.pk}")
    if not _SHA256.fullmatch(wanted.sha256):
        raise RefusedError(422, "not_valid", _("The sha256 is not of 64 hexadecimal digits."), _("Leave it out."))
    check_size(phase, wanted.size)
    upload, made_room = at_once(lambda: _begun(person, phase, wanted, name))
    # Its file after its row: had the transaction failed, it would still be wanted.
    if made_room is not None:
        entry_files.remove(made_room)
    return upload


def _begun(person: User, phase: Phase, wanted: Wanted, name: str) -> tuple[Upload, UUID | None]:
    """Returns the upload, and the one that made room for it."""
    now = timezone.now()
    # One at a time begins in a challenge, so that what is left for files is not given away twice.
    challenge = Challenge.objects.select_for_update(of=("self",), no_key=True).get(pk=phase.challenge_id)
    team = team_or_refuse(person, challenge)
    check_open(phase, now)
    membership.may_enter(team, phase, now)
    made_room = _room_in_number(team, now)
    # What is left of all challenges, and of the disk, is not given away twice either.
    give_room_alone()
    space.check(team, wanted.size)
    upload = Upload.objects.create(
        phase=phase,
        team=team,
        person=person,
        name=name,
        size=wanted.size,
        sha256=wanted.sha256,
        begun_at=now,
        touched_at=now,
    )
    return upload, made_room


def own(person: User, phase: Phase, identity: UUID) -> Upload:
    """Returns an upload of the person's team.

    Raises:
        RefusedError: There is none of that number; others' are not told from none.
    """
    team = membership.team_of(person, phase.challenge)
    found = Upload.objects.filter(pk=identity, phase=phase, team=team).first() if team else None
    if found is None:
        raise _gone()
    return found


def place_of(upload: Upload) -> str:
    """Returns where the file of an upload lies."""
    return entry_files.place(upload.pk, upload.name)


def take(upload: Upload, offset: int, size: int, read: Callable[[int], bytes]) -> int:
    """Takes a part of a file; returns how many bytes of the file are there.

    A part that is there already is compared and forgotten, so that who heard no answer may send it again.

    Args:
        upload: Of which upload.
        offset: Where the part begins in the file.
        size: How many bytes it has.
        read: Returns at most so many bytes of it.

    Raises:
        RefusedError: The part does not begin where the file ends (`details` say where that is), is too long, is cut
            short, is other than what is there already, somebody else is sending one just now, or the disk is full.
    """
    if size > PART:
        raise part_too_large(size)
    with entry_files.alone(upload.pk) as alone:
        if not alone:
            message = _("Another part of this file is being written.")
            raise RefusedError(409, "busy", message, _("Wait a moment, then ask how much is there."), wait=1)
        received = there(upload)
        if offset + size <= received:
            if size:
                _compare(upload, offset, size, read)
            return received
        if offset != received:
            message = _("The file goes on at byte %(at)d.") % {"at": received}
            raise RefusedError(409, "wrong_offset", message, _("Send what comes there."), {"received": received})
        if offset + size > upload.size:
            message = _("The file was said to have %(size)d bytes.") % {"size": upload.size}
            raise RefusedError(422, "too_long", message, _("Begin anew with its right size."))
        return _written(upload, offset, size, read)


def part_too_large(size: int) -> RefusedError:
    """Returns what is said of a part of so many bytes, which are too many."""
    values = {"size": f"{size:,}", "most": f"{PART:,}"}
    message = _("This part has %(size)s bytes; a part of a file may have at most %(most)s (8 MiB).") % values
    remedy = _("Send the file in parts of at most 8 MiB, each with its offset.")
    return RefusedError(413, "too_large", message, remedy, {"size": size, "most": PART})


def _compare(upload: Upload, offset: int, size: int, read: Callable[[int], bytes]) -> None:
    try:
        at = entry_files.differs(place_of(upload), offset, size, read)
    except FileNotFoundError as error:
        raise _gone() from error
    if at is not None:
        values = {"first": f"{offset:,}", "last": f"{offset + size - 1:,}", "at": f"{at:,}"}
        message = _("Bytes %(first)s to %(last)s are here already, and what came is another file from byte %(at)s on.")
        remedy = _("Send the rest of the same file, or give this upload up and begin anew.")
        raise RefusedError(409, "other_bytes", message % values, remedy, {"first_difference": at})


def there(upload: Upload) -> int:
    """Returns how many bytes of the file are there: as the database says, and never more than the disk has."""
    try:
        upload.refresh_from_db(fields=["received"])
    except Upload.DoesNotExist as error:
        raise _gone() from error
    return min(upload.received, entry_files.length(place_of(upload)))


def give_up(upload: Upload) -> None:
    """Removes an upload and its file; nothing, where it is an entry by now."""
    if Upload.objects.filter(pk=upload.pk).delete()[0]:
        entry_files.remove(upload.pk)


def digest_of(upload: Upload) -> str:
    """Returns the sha256 of a whole file.

    Raises:
        RefusedError: Not all of it is there, or it is not what its sender said; then it is removed.
    """
    if (received := there(upload)) < upload.size:
        message = _("%(received)d of %(size)d bytes are there.") % {"received": received, "size": upload.size}
        raise RefusedError(409, "not_whole", message, _("Send the rest first."), {"received": received})
    try:
        with entry_files.path_of(place_of(upload)).open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError as error:
        raise _gone() from error  # It was given up this moment.
    if upload.sha256 and found != upload.sha256:
        give_up(upload)
        message = _("The file that came has the sha256 %(found)s, and %(said)s was said.")
        values = {"found": found[:12], "said": upload.sha256[:12]}
        raise RefusedError(422, "wrong_sha256", message % values, _("It was damaged on its way: send it anew."))
    return found


def whole(person: User, phase: Phase, wanted: Wanted, read: Callable[[int], bytes]) -> Upload:
    """Takes a whole file at once, as a form brings it; returns its upload.

    Raises:
        RefusedError: As `begin` and `take`.
    """
    upload, offset = begin(person, phase, wanted), 0
    try:
        while offset < wanted.size:
            offset = take(upload, offset, min(PART, wanted.size - offset), read)
    except BaseException:
        give_up(upload)
        raise
    return upload


def clean_name(name: str) -> str:
    """Returns the name of a file without folders and without letters that cannot be seen.

    Raises:
        RefusedError: Nothing is left of it.
    """
    last = PureWindowsPath(PurePosixPath(name).name).name
    clean = "".join(letter for letter in last if letter.isprintable()).strip()[-255:]
    if not clean.strip("."):
        raise RefusedError(422, "not_valid", _("The file has no name."), _("Give it one, such as answers.csv."))
    return clean


def check_form(phase: Phase, name: str) -> None:
    """Looks whether a phase takes a file of a name; what containers are called, their own part looks at.

    Raises:
        RefusedError: Its suffix is of no form that the phase takes.
    """
    if phase.kind == "reproduction":
        return
    try:
        refuse_name(name, finding.phase_said(phase), name)
    except InputError as error:
        raise RefusedError(422, "wrong_form", str(error.fault), error.remedy, {"name": name}) from error


def check_size(phase: Phase, size: int) -> None:
    """Looks whether a phase takes a file of a size.

    Raises:
        RefusedError: It is empty, or larger than the phase takes.
    """
    most = finding.phase_said(phase).limits.most_bytes
    if size < 1:
        raise RefusedError(422, "empty", _("The file is empty."), _("Choose another one."))
    if size > most:
        values = {"size": filesizeformat(size), "most": filesizeformat(most)}
        message = _("The file has %(size)s, and this phase takes at most %(most)s.") % values
        raise RefusedError(413, "too_large", message, _("Make it smaller."), {"most": most})


def expire(now: datetime) -> int:
    """Removes the uploads that nobody has gone on with for a day; returns how many."""
    count = 0
    for identity in Upload.objects.filter(touched_at__lt=now - KEPT).values_list("pk", flat=True):
        # Asked again: a part may have come meanwhile.
        if Upload.objects.filter(pk=identity, touched_at__lt=now - KEPT).delete()[0]:
            entry_files.remove(identity)
            count += 1
    return count


def _room_in_number(team: Team, now: datetime) -> UUID | None:
    """Returns the upload that made room for one more, being left alone for longest; None where there was room.

    Raises:
        RefusedError: There is none.
    """
    rows = Upload.objects.filter(team=team)
    if rows.count() < _MOST_AT_ONCE:
        return None
    oldest = rows.filter(touched_at__lt=now - _LEFT_ALONE).order_by("touched_at").first()
    if oldest is None:
        message = _("Your team has %(n)d uploads that are not finished.") % {"n": _MOST_AT_ONCE}
        remedy = _("Finish some, or give them up; one that nobody goes on with for an hour makes room for another.")
        raise RefusedError(429, "limit_uploads", message, remedy)
    identity = oldest.pk
    oldest.delete()
    return identity


def _written(upload: Upload, offset: int, size: int, read: Callable[[int], bytes]) -> int:
    try:
        complete = entry_files.write(place_of(upload), offset, size, read)
    except OSError as error:
        raise space.full() from error
    if not complete:
        message = _("The part ended early.")
        raise RefusedError(400, "cut_short", message, _("Send it again."), {"received": offset})
    # Only now: what is said to be there is on the disk.
    kept = Upload.objects.filter(pk=upload.pk).update(received=offset + size, touched_at=timezone.now())
    if not kept:
        entry_files.remove(upload.pk)
        raise _gone()
    return offset + size


def _gone() -> RefusedError:
    message = _("There is no such upload: it was given up, is an entry by now, or lay unfinished for a day.")
    return RefusedError(404, "no_upload", message, _("Begin anew."))
