"""The API of photos and questions: a photo becomes a key, a question a ticket, a ticket an answer."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from ninja import Router
from ninja.responses import Status

from foveate.app.ask.api import sent
from foveate.app.ask.api.shapes import (
    AnswerOut,
    How,
    Language,
    MethodOut,
    PhotoIn,
    PhotoOut,
    QuestionIn,
    Wait,
    WaitOut,
)
from foveate.app.ask.services import access, asking, keeping, methods, photos
from foveate.app.ask.services.asking import NotYetError, Result
from foveate.app.ask.services.desk import the_desk
from foveate.app.refused import RefusedError
from foveate.assist.asking import check_question
from foveate.assist.desk import FullError, Waiting
from foveate.assist.replies import reply_object

router = Router()
_PHOTO = sent.description(PhotoIn, {"photo": "/9j/4AAQSkZJRg…", "name": "jar.jpg"})
_QUESTION = sent.description(
    QuestionIn, {"question": "What is this?", "photo": "/9j/4AAQSkZJRg…", "name": "jar.jpg", "wait": 20}
)


@router.get("/methods", response=list[MethodOut])
def ask_methods(request: HttpRequest) -> list[MethodOut]:
    """Lists the methods: what they do, what they cost, and where the photo goes."""
    access.check(request)
    return [MethodOut.of(method) for method in methods.methods()]


@router.post("/photos", url_name="ask_bring", response={201: PhotoOut}, openapi_extra=_PHOTO)
def bring_photo(request: HttpRequest, language: Language = None) -> Status[Any]:
    """Takes a photo into memory, upright and without anything else of its file; nothing is written to the disk."""
    access.check(request)
    given, file = sent.read(request, PhotoIn)
    brought = _brought(request, file, given.name, language)
    height, width = brought.size_hw
    told = PhotoOut(
        key=brought.key,
        width=width,
        height=height,
        notes=list(brought.notes),
        advice=list(brought.advice),
        kept_seconds=the_desk().settings.kept_seconds,
    )
    return Status(201, told)


@router.delete("/photos/{key}", response={204: None})
def forget_photo(request: HttpRequest, key: str) -> Status[None]:
    """Forgets a photo and all that was asked about it, now."""
    photos.forget(request, key)
    return Status(204, None)


@router.post("", url_name="ask_question", response={200: AnswerOut, 202: WaitOut}, openapi_extra=_QUESTION)
def ask_question(request: HttpRequest) -> Status[Any]:
    """Asks a question about a photo; answers 202 with its turn where the reply is not there in time.

    Then ask `next` again, until it answers 200. Where too many wait already, nothing is waited for.
    """
    access.check(request)
    given, file = sent.read(request, QuestionIn)
    # Before the photo is taken, which is dear.
    check_question(given.question)
    methods.offered(given.grounder)
    key = given.key or _brought(request, file, given.name, given.language).key
    ticket = asking.submit(request, key, given.question, given.grounder)
    return _told(request, ticket, given)


@router.get("/{ticket}", url_name="ask_answer", response={200: AnswerOut, 202: WaitOut})
def get_answer(
    request: HttpRequest, ticket: str, style: How = "plain", language: Language = None, wait: Wait = 0.0
) -> Status[Any]:
    """Tells the reply, or how far it is; what came to nothing is refused with the reason."""
    return _told(request, ticket, QuestionIn(question="?", style=style, language=language, wait=wait))


@router.delete("/{ticket}", url_name="ask_answer", response={204: None})
def cancel_question(request: HttpRequest, ticket: str) -> Status[None]:
    """Takes a question back."""
    asking.cancel(request, ticket)
    return Status(204, None)


def not_yet(request: HttpRequest, ticket: str, error: NotYetError, address: str) -> Status[Any]:
    """Returns the answer about something that is not done yet, to be asked for again at an address."""
    state = error.state
    waits = isinstance(state, Waiting)
    told = WaitOut(
        ticket=ticket,
        key=asking.request_of(request, ticket).key,
        state="waiting" if waits else "working",
        turn=state.turn if isinstance(state, Waiting) else None,
        about_seconds=state.about_seconds if isinstance(state, Waiting) else None,
        next=address,
    )
    return Status(202, told)


def _told(request: HttpRequest, ticket: str, given: QuestionIn) -> Status[Any]:
    try:
        result = asking.result(request, ticket, given.style, given.language, wait=given.wait)
    except NotYetError as error:
        words = {"style": given.style, **({"language": given.language} if given.language else {})}
        return not_yet(request, ticket, error, reverse("api:ask_answer", args=[ticket], query=words))
    kept = keeping.keep(request, ticket, given.style, given.language).pk if given.keep else None
    return Status(200, _answer(result, kept))


def _answer(result: Result, kept: Any) -> AnswerOut:
    reply = reply_object(result.answered, result.reply)
    return AnswerOut(ticket=result.ticket, key=result.key, state="done", reply=reply, kept=kept)


def _brought(request: HttpRequest, file: Any, name: str, language: str | None) -> photos.Brought:
    if file is None:
        said = _("There is no photo.")
        raise RefusedError(422, "no_photo", said, _("Send it with the question, or the key of one that was sent."))
    try:
        return photos.bring(request, file, name or getattr(file, "name", "") or "", language=language)
    except FullError as error:
        raise asking.busy(error) from error
