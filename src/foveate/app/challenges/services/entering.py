"""An entry is sent: row, job and first event in one transaction, in which limits and the clock are looked at."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Max
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from foveate.app.accounts import audit
from foveate.app.accounts.models import User
from foveate.app.annotate.services.transactions import at_once
from foveate.app.challenges.models import Entry, EntryEvent, Phase, Team, Upload
from foveate.app.challenges.services import (
    board,
    counting,
    entry_files,
    finding,
    freezing,
    membership,
    queue,
    uploading,
)
from foveate.app.challenges.services.gate import check_open, team_or_refuse
from foveate.app.refused import RefusedError
from foveate.challenges.phases import when
from foveate.challenges.texts import problem_of_text

# No more than the forms and the API take.
_MOST_WORDS = 5_000


@dataclass(frozen=True)
class Words:
    """What a team says of an entry.

    Attributes:
        method: The method's name, which boards show.
        description: How it works; others read it where the entry is public.
        links: Addresses of a paper, code, weights; others follow them.
        note: For the team itself and the organisers.
    """

    method: str = ""
    description: str = ""
    links: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Sent:
    """What is sent.

    Attributes:
        key: Chosen by who sends: with the same key, sending twice is sending once.
        upload: A file that is there; None for an image that is only named.
        container: The name of an image, for a reproduction; empty elsewhere.
        words: What the team says of it.
        public: Whether it stands on the board.
    """

    key: UUID
    upload: UUID | None = None
    container: str = ""
    words: Words = Words()
    public: bool = True


def send(person: User, phase: Phase, sent: Sent, request: HttpRequest | None = None) -> Entry:
    """Makes an entry and puts it into the queue; returns it, or the one that was made with the same key.

    Raises:
        RefusedError: The person is in no team, the team may not enter, the phase takes no entries now, nothing is left
            of the limits, or the file is not whole. Nothing has changed then.
    """
    team = team_or_refuse(person, phase.challenge)
    again = _again(team, phase, sent.key)
    if again is not None:
        return again
    _check_kind(phase, sent)
    check_words(sent.words)
    try:
        # Hashing two gigabytes takes seconds: outside the transaction, and once the file is whole it changes no more.
        digest = uploading.digest_of(uploading.own(person, phase, sent.upload)) if sent.upload else ""
        made = at_once(lambda: _made(person, phase.pk, sent, digest, request))
    except RefusedError:
        # Sent twice at once: the other one has just made the entry of this upload.
        if (again := _again(team, phase, sent.key)) is not None:
            return again
        raise
    if made.file:
        entry_files.finished(made.file)
    return made


def _made(person: User, phase: int, sent: Sent, digest: str, request: HttpRequest | None) -> Entry:
    # Entries of a phase are made one after another: numbers have no gap, and no limit is passed by sending at once.
    rows = Phase.objects.select_for_update(of=("self",), no_key=True).select_related("challenge")
    row, now = rows.get(pk=phase), timezone.now()
    team = team_or_refuse(person, row.challenge)
    if (again := _again(team, row, sent.key)) is not None:
        return again
    check_open(row, now)
    membership.may_enter(team, row, now)
    counting.check(team, row, now)
    if row.frozen_at is None:
        freezing.freeze(row, now)
    upload = _upload(person, row, sent.upload)
    entry = Entry.objects.create(
        phase=row,
        team=team,
        person=person,
        number=(row.entries.aggregate(most=Max("number"))["most"] or 0) + 1,
        key=sent.key,
        file=uploading.place_of(upload) if upload else "",
        container=sent.container,
        file_name=upload.name if upload else "",
        file_bytes=upload.size if upload else 0,
        sha256=digest,
        public=sent.public,
        after_end=when(finding.phase_said(row), now) == "over",
        sent_at=_sent_at(row, team, now),
        **said(sent.words),
    )
    # The file stays where it is; from now on it is the entry's.
    if upload is not None:
        upload.delete()
    EntryEvent.objects.create(entry=entry, at=entry.sent_at, what="sent", details={"sha256": digest})
    queue.put(entry, queue.kind_of(entry))
    board.touch(row)
    audit.note(request, "entry.sent", name_of(entry), actor=person, bytes=entry.file_bytes, sha256=digest)
    return entry


def name_of(entry: Entry) -> str:
    """Returns how the audit log calls an entry: challenge, phase and number."""
    return f"{entry.phase.challenge.slug}/{entry.phase.name}/{entry.number}"


def said(words: Words) -> dict[str, object]:
    """Returns what a team says of an entry, as fields of its row."""
    return {
        "method": words.method,
        "description": words.description,
        "links": list(words.links),
        "note": words.note,
    }


def check_words(words: Words) -> None:
    """Looks whether what a team says is what it seems to be: boards, pages and spreadsheets show it beside others'.

    Raises:
        RefusedError: It holds letters that nobody sees, or that turn the writing around.
    """
    given = {"method": words.method, "description": words.description, "note": words.note}
    for name, text in [*given.items(), *(("links", link) for link in words.links)]:
        problem = problem_of_text(text, _MOST_WORDS, lines=name in ("description", "note"))
        if problem:
            message = _("%(name)s %(problem)s.") % {"name": name.capitalize(), "problem": problem}
            raise RefusedError(422, "not_valid", message, _("Type it again instead of copying it."), {"field": name})


def _check_kind(phase: Phase, sent: Sent) -> None:
    if phase.kind != "reproduction" and (sent.upload is None or sent.container):
        raise RefusedError(422, "no_file", _("An entry to this phase is a file."), _("Upload it first."))
    if sent.upload is None and not sent.container:
        message = _("An entry to this phase is an image, by name or as an archive.")
        raise RefusedError(422, "no_file", message, _("Name one, or upload its archive first."))


def _again(team: Team, phase: Phase, key: UUID) -> Entry | None:
    found = Entry.objects.filter(team=team, key=key).first()
    if found is not None and found.phase_id != phase.pk:
        message = _("The key of this entry was used for another phase.")
        raise RefusedError(409, "key_used", message, _("Choose a new key for each entry."))
    return found


def _upload(person: User, phase: Phase, identity: UUID | None) -> Upload | None:
    if identity is None:
        return None
    list(Upload.objects.select_for_update(of=("self",)).filter(pk=identity))
    return uploading.own(person, phase, identity)


def _sent_at(phase: Phase, team: Team, now: datetime) -> datetime:
    """Returns the moment of an entry: now, unless the clock has gone back since the team's newest one."""
    newest = Entry.objects.filter(phase=phase, team=team).aggregate(newest=Max("sent_at"))["newest"]
    return now if newest is None else max(now, newest)
