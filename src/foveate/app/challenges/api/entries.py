"""The API of uploads and entries: a file goes in parts and becomes an entry, whose state is told until it is over."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from django.http import FileResponse, HttpRequest
from django.utils import timezone
from ninja import Router
from ninja.responses import Status
from pydantic import Field

from foveate.app.accounts.roles import person_of
from foveate.app.api_docs import A_FILE
from foveate.app.challenges.api.entry_shapes import (
    EntriesOut,
    EntryChangeIn,
    EntryIn,
    EntryOut,
    FileIn,
    LeftOut,
    UploadOut,
    WordsIn,
)
from foveate.app.challenges.models import Entry, Phase
from foveate.app.challenges.services import (
    counting,
    entering,
    entry_acts,
    entry_seen,
    entry_told,
    finding,
    tidying,
    uploading,
)
from foveate.app.challenges.services.gate import team_or_refuse
from foveate.app.challenges.views.entry_files import own_file
from foveate.app.refused import RefusedError, usual

router = Router()
_PHASE = "/challenges/{slug:slug}/phases/{slug:phase}"
_UPLOAD, _ENTRY = _PHASE + "/uploads/{uuid:upload}", _PHASE + "/entries/{int:number}"
_MOST = 500
# The body is the bytes themselves, which a description made of Python's types cannot say.
_BYTES = {"requestBody": {"required": True, "content": {"application/octet-stream": {"schema": {"format": "binary"}}}}}


@router.post(_PHASE + "/uploads", response={201: UploadOut})
def begin_upload(request: HttpRequest, slug: str, phase: str, wanted: FileIn) -> Status[Any]:
    """Begins to send a file; then its parts go to `uploads/ID?offset=…`, and the upload becomes an entry."""
    tidying.tidy_now_and_then()
    file = uploading.Wanted(wanted.name, wanted.size, wanted.sha256)
    return Status(201, entry_told.upload(uploading.begin(person_of(request), _phase(request, slug, phase), file)))


@router.get(_UPLOAD, url_name="upload", response=UploadOut)
def get_upload(request: HttpRequest, slug: str, phase: str, upload: UUID) -> dict[str, Any]:
    """Tells how much of a file is there, to go on after a break."""
    return entry_told.upload(uploading.own(person_of(request), _phase(request, slug, phase), upload))


@router.put(_UPLOAD, url_name="upload", response=UploadOut, openapi_extra=_BYTES)
def send_part(
    request: HttpRequest, slug: str, phase: str, upload: UUID, offset: Annotated[int, Field(ge=0, le=2**62)]
) -> dict[str, Any]:
    """Takes the bytes of the body as those at `offset`, at most 8 MiB; they are on the disk when it answers.

    A part that is there already is taken again without harm. Another offset than where the file ends is refused with
    409 and `details.received`.
    """
    row = uploading.own(person_of(request), _phase(request, slug, phase), upload)
    said = request.META.get("CONTENT_LENGTH") or ""
    if not said.isdigit():
        raise usual(411)
    uploading.take(row, offset, int(said), request.read)
    return entry_told.upload(row)


@router.delete(_UPLOAD, url_name="upload", response={204: None})
def give_up_upload(request: HttpRequest, slug: str, phase: str, upload: UUID) -> Status[None]:
    """Removes an upload that is not wanted any more."""
    uploading.give_up(uploading.own(person_of(request), _phase(request, slug, phase), upload))
    return Status(204, None)


@router.post(_PHASE + "/entries", response={201: EntryOut})
def send_entry(request: HttpRequest, slug: str, phase: str, sent: EntryIn) -> Status[Any]:
    """Makes an entry of an upload that is whole; with a key that was sent before, tells the entry of that."""
    words = _words(sent.model_dump(mode="json"))
    wanted = entering.Sent(sent.key, sent.upload, words=words, public=sent.public)
    made = entering.send(person_of(request), _phase(request, slug, phase), wanted, request)
    return Status(201, entry_told.entry(made, "team"))


@router.get(_PHASE + "/limits", response=LeftOut)
def entry_limits(request: HttpRequest, slug: str, phase: str) -> dict[str, Any]:
    """Tells how many entries one's team may still send to a phase, and when the next day of limits begins."""
    row = _phase(request, slug, phase)
    team = team_or_refuse(person_of(request), row.challenge)
    return counting.as_details(counting.left_for(team, row, timezone.now()))


@router.get("/challenges/{slug:slug}/entries", response=EntriesOut)
def own_entries(request: HttpRequest, slug: str) -> dict[str, Any]:
    """Lists the entries of one's team in all phases, newest first, with what is left of the limits."""
    challenge = finding.challenge(request, slug)
    team, now = team_or_refuse(person_of(request), challenge), timezone.now()
    phases = challenge.phases.filter(removed=False).order_by("position")
    return {
        "team": team.name,
        "entries": [entry_told.entry(row, "team") for row in entry_seen.of_team(team)[:_MOST]],
        "left": {row.name: counting.as_details(counting.left_for(team, row, now)) for row in phases},
    }


@router.get(_ENTRY, url_name="one_entry", response=EntryOut)
def get_entry(request: HttpRequest, slug: str, phase: str, number: int) -> dict[str, Any]:
    """Tells an entry: its state, place in the queue and problems to its team; of a public one what others may know."""
    row, who = _seen(request, slug, phase, number)
    return entry_told.entry(row, who)


@router.patch(_ENTRY, url_name="one_entry", response=EntryOut)
def change_entry(request: HttpRequest, slug: str, phase: str, number: int, change: EntryChangeIn) -> dict[str, Any]:
    """Changes what is said of an entry, and whether it is public."""
    row, person = _own(request, slug, phase, number), person_of(request)
    given = change.model_dump(mode="json", exclude_unset=True)
    said = {name: value for name, value in given.items() if name != "public" and value is not None}
    if change.public is not None:
        row = entry_acts.publish(person, row, change.public, request)
    if said:
        now = {name: getattr(row, name) for name in WordsIn.model_fields}
        row = entry_acts.describe(person, row, _words({**now, **said}), request)
    return entry_told.entry(row, "team")


@router.post(_ENTRY + "/withdraw", response=EntryOut)
def withdraw_entry(request: HttpRequest, slug: str, phase: str, number: int) -> dict[str, Any]:
    """Takes an entry back, while its phase goes on."""
    row = entry_acts.withdraw(person_of(request), _own(request, slug, phase, number), request)
    return entry_told.entry(row, "team")


@router.post(_ENTRY + "/choose", response=EntryOut)
def choose_entry(request: HttpRequest, slug: str, phase: str, number: int) -> dict[str, Any]:
    """Makes an entry the one of its team that ranks, where the phase lets teams choose."""
    row = entry_acts.choose(person_of(request), _own(request, slug, phase, number), request)
    return entry_told.entry(row, "team")


@router.get(_ENTRY + "/file", response={200: None}, openapi_extra=A_FILE)
def entry_file(request: HttpRequest, slug: str, phase: str, number: int) -> FileResponse:
    """Sends the file of an entry as it came, to its team and the organisers."""
    row, who = _seen(request, slug, phase, number)
    return own_file(row, who)


def _phase(request: HttpRequest, slug: str, name: str) -> Phase:
    return finding.phase(finding.challenge(request, slug), name)


def _seen(request: HttpRequest, slug: str, phase: str, number: int) -> tuple[Entry, entry_seen.Who]:
    row = _phase(request, slug, phase)
    found = entry_seen.entry_for(person_of(request), row, number) if number < 2**31 else None
    if found is None:
        raise usual(404)
    return found


def _own(request: HttpRequest, slug: str, phase: str, number: int) -> Entry:
    row, who = _seen(request, slug, phase, number)
    if who == "other":
        raise usual(404)
    if who == "organiser":
        # An organiser looks at all; what is done with an entry, its team does.
        team = team_or_refuse(person_of(request), row.phase.challenge)
        if team.pk != row.team_id:
            raise RefusedError(403, "not_yours", "This is another team’s entry.", "Its team may do that.")
    return row


def _words(given: dict[str, Any]) -> entering.Words:
    return entering.Words(given["method"], given["description"], tuple(given["links"]), given["note"])
