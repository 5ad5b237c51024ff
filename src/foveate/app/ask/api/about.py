"""The API of what more there is about an answer: pictures, the text in it, and why."""

from __future__ import annotations

from itertools import accumulate
from typing import Annotated, Any, Literal
from urllib.parse import quote

from django.http import HttpRequest, HttpResponse
from ninja import Field, Router

from foveate.app.api_docs import A_FILE
from foveate.app.ask.api.asked import not_yet
from foveate.app.ask.api.shapes import How, Language, LineOut, TextOut, Wait, WaitOut, WhyOut
from foveate.app.ask.services import pictures, reading
from foveate.app.ask.services.asking import NotYetError
from foveate.assist.fresh import find_format
from foveate.assist.magnify import LONGEST_SIDE
from foveate.assist.picture import Picture

router = Router()
# Proxies and programs refuse long headers; the whole text is in the reply.
_LONGEST_HEADER = 2000
# What is softened can be made out again: it is shown on the page, and sent to no program that would save it.
Kind = Literal["outline", "answer", "larger", "straight", "hidden", "private", "map", "photo"]
Form = Literal["png", "jpeg", "webp", "avif", "tiff"]
Longest = Annotated[
    int, Field(ge=16, le=LONGEST_SIDE, description="The longest side in pixels; `hidden` and `private` keep theirs.")
]


@router.get("/{ticket}/picture", url_name="ask_picture", response={202: WaitOut}, openapi_extra=A_FILE)
def get_picture(
    request: HttpRequest,
    ticket: str,
    kind: Kind = "outline",
    format: Form = "png",
    contrast: bool = False,
    crop: bool = False,
    style: How = "plain",
    language: Language = None,
    longest: Longest = LONGEST_SIDE,
    wait: Wait = 0.0,
) -> Any:
    """Sends a picture of an answer, its alternative text and notes beside it in `Foveate-Alt` and `Foveate-Notes`.

    The file is made of the picture's pixels and holds nothing else. Of both headers the value is percent-encoded UTF-8;
    notes have line breaks between them. `straight`, `private` and `map` may answer 202 at first: ask `next` again.
    """
    options = pictures.Options(contrast, crop, "blur", longest, style, language, wait)
    try:
        made = pictures.picture(request, ticket, kind, options)
    except NotYetError as error:
        return not_yet(request, ticket, error, request.get_full_path())
    return file_of(made, format)


@router.get("/{ticket}/text", url_name="ask_text", response={200: TextOut, 202: WaitOut})
def get_text(request: HttpRequest, ticket: str, whole: bool = False, wait: Wait = 0.0) -> Any:
    """Reads the text in the answer's region, or in the whole photo."""
    try:
        lines = reading.text(request, ticket, whole=whole, wait=wait)
    except NotYetError as error:
        return not_yet(request, ticket, error, request.get_full_path())
    told = [LineOut(text=line.text, score=line.score, box=line.xyxy) for line in lines]
    return TextOut(text="\n".join(line.text for line in lines), lines=told)


@router.get("/{ticket}/why", url_name="ask_why", response={200: WhyOut, 202: WaitOut})
def get_why(
    request: HttpRequest, ticket: str, style: How = "plain", language: Language = None, wait: Wait = 0.0
) -> Any:
    """Tells what the answer rests on, how sure that is, and what else was considered."""
    try:
        return WhyOut(why=list(reading.why(request, ticket, style, language, wait=wait)))
    except NotYetError as error:
        return not_yet(request, ticket, error, request.get_full_path())


def file_of(made: Picture, format: str) -> HttpResponse:
    """Returns the response that sends a picture."""
    response = HttpResponse(pictures.file_of(made, format), content_type=find_format(format).media_type)
    response.headers["Foveate-Alt"] = _header(made.alt)
    response.headers["Foveate-Notes"] = _header("\n".join(made.notes))
    response.headers["Cache-Control"] = "no-store"
    return response


def _header(text: str) -> str:
    """Returns a text percent-encoded; of one that is too long the beginning, and three dots."""
    if len(whole := quote(text)) <= _LONGEST_HEADER:
        return whole
    dots = quote("…")
    lengths = accumulate(len(quote(letter)) for letter in text)
    return quote(text[: sum(length + len(dots) <= _LONGEST_HEADER for length in lengths)]) + dots
