"""The API of what people keep."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from django.http import FileResponse, HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from ninja import Field, Router
from ninja.responses import Status

from foveate.app.api_docs import A_FILE
from foveate.app.ask.api.shapes import KeepIn, KeptOut
from foveate.app.ask.models import Kept
from foveate.app.ask.services import keeping
from foveate.app.ask.services.asking import NotYetError
from foveate.app.refused import RefusedError, usual

router = Router()


@router.get("/kept", url_name="all_kept", response=list[KeptOut])
def list_kept(
    request: HttpRequest,
    offset: Annotated[int, Field(ge=0, lt=2**31)] = 0,
    limit: Annotated[int, Field(ge=1, le=100)] = 50,
) -> list[KeptOut]:
    """Lists what I keep, the newest first."""
    return [_told(row) for row in keeping.of(request)[offset : offset + limit]]


@router.post("/kept", url_name="all_kept", response={201: KeptOut})
def keep_answer(request: HttpRequest, wanted: KeepIn) -> Status[Any]:
    """Keeps an answer: the upright photo without anything else of its file, the question and the reply."""
    try:
        return Status(201, _told(keeping.keep(request, wanted.ticket, wanted.style, wanted.language)))
    except NotYetError as error:
        said = _("There is no answer yet.")
        raise RefusedError(409, "not_yet", said, _("Keep it when the answer is there."), wait=1) from error


@router.get("/kept/{uuid:number}", url_name="kept", response=KeptOut)
def get_kept(request: HttpRequest, number: UUID) -> KeptOut:
    """Tells one that I keep."""
    return _told(keeping.own(request, number))


@router.delete("/kept/{uuid:number}", url_name="kept", response={204: None})
def delete_kept(request: HttpRequest, number: UUID) -> Status[None]:
    """Removes one that I keep, with its photo."""
    keeping.forget(request, number)
    return Status(204, None)


@router.get("/kept/{uuid:number}/photo", url_name="kept_photo", openapi_extra=A_FILE)
def get_kept_photo(request: HttpRequest, number: UUID) -> Any:
    """Sends the photo of one that I keep."""
    file = keeping.photo_of(keeping.own(request, number))
    try:
        return FileResponse(file.open("rb"), headers={"Cache-Control": "no-store"})
    except FileNotFoundError as error:
        raise usual(404) from error


def _told(row: Kept) -> KeptOut:
    photo = reverse("api:kept_photo", kwargs={"number": row.pk})
    return KeptOut(id=row.pk, question=row.question, reply=row.reply, kept_at=row.kept_at, photo=photo)
