"""Questions: a ticket for each, its turn, and what came of it."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _

from foveate.app.ask.services import access, methods, photos
from foveate.app.ask.services.desk import the_desk
from foveate.app.refused import RefusedError
from foveate.assist.answers import Answered
from foveate.assist.asking import DEFAULT_GROUNDER
from foveate.assist.desk import AskWork, Done, Failed, FullError, GoneError, Request, State, Waiting, Work, Working
from foveate.assist.photos import Photo
from foveate.assist.placing import Style
from foveate.assist.replies import Reply, reply

LONGEST_WAIT = 20.0
# Who waits for an answer keeps a thread of the server, and others must be answered meanwhile.
_waiting = threading.BoundedSemaphore(max(1, settings.CONFIG.threads // 4))
_STATUSES = {"unavailable": 503, "stopped": 503}


@dataclass(frozen=True, eq=False, slots=True)
class Result:
    """What came of a question.

    Attributes:
        ticket: Of the question.
        key: The photo's.
        photo: The photo itself.
        answered: What the method said.
        reply: That in words.
    """

    ticket: str
    key: str
    photo: Photo
    answered: Answered
    reply: Reply


class NotYetError(Exception):
    """It is not done yet.

    Args:
        state: Its turn, or how long it is being done.
        ticket: Under which it is done: of a question, or of something more about its answer.
    """

    def __init__(self, state: Waiting | Working, ticket: str) -> None:
        super().__init__(ticket)
        self.state, self.ticket = state, ticket


def submit(request: HttpRequest, key: str, question: str, grounder: str = DEFAULT_GROUNDER) -> str:
    """Asks a question about a photo that this visitor brought; returns the ticket.

    Raises:
        RefusedError: The photo is not theirs or no longer here, the method is not offered, they asked too often, or too
            much waits (503).
        UsageError: The question is empty or too long.
    """
    photos.own(request, key)
    methods.offered(grounder)
    work = AskWork(question, grounder)
    access.count(request)
    return give(request, key, work)


def give(request: HttpRequest, key: str, work: Work) -> str:
    """Gives any work about a photo to the desk, in the turns of this visitor; returns its ticket.

    Raises:
        RefusedError: As for `submit`.
    """
    photos.own(request, key)
    try:
        return the_desk().submit(key, work, access.who(request))
    except GoneError as error:
        raise access.not_found() from error
    except FullError as error:
        raise busy(error) from error


def state(request: HttpRequest, ticket: str, wait: float = 0.0) -> State:
    """Returns how far something is that this visitor asked for.

    Args:
        request: Who asks.
        ticket: Of the question, or of another work.
        wait: For so many seconds at most its end is waited for, unless too many wait already.

    Raises:
        RefusedError: It is not theirs, not here, or no longer.
    """
    request_of(request, ticket)
    seconds = min(max(wait, 0.0), LONGEST_WAIT)
    try:
        if seconds and _waiting.acquire(blocking=False):
            try:
                return the_desk().wait(ticket, seconds)
            finally:
                _waiting.release()
        return the_desk().state(ticket)
    except GoneError as error:
        raise access.not_found() from error


def request_of(request: HttpRequest, ticket: str) -> Request:
    """Returns what was asked with a ticket of this visitor's.

    Raises:
        RefusedError: It is not theirs, not here, or no longer.
    """
    access.check(request)
    try:
        asked = the_desk().request(ticket)
    except GoneError as error:
        raise access.not_found() from error
    if not access.is_own(request, asked.who):
        raise access.not_found()
    return asked


def cancel(request: HttpRequest, ticket: str) -> None:
    """Takes back what this visitor asked for: it is not done where it has not begun, and told to nobody in any case.

    Raises:
        RefusedError: It is not theirs, not here, or no longer.
    """
    request_of(request, ticket)
    the_desk().cancel(ticket)


def done(request: HttpRequest, ticket: str, wait: float = 0.0) -> Done:
    """Returns what came of any work.

    Raises:
        NotYetError: It is not done yet.
        RefusedError: It came to nothing, is not theirs, not here, or no longer.
    """
    found = state(request, ticket, wait)
    if isinstance(found, Done):
        return found
    if isinstance(found, Failed):
        raise refusal(found)
    raise NotYetError(found, ticket)


def result(
    request: HttpRequest, ticket: str, style: Style = "plain", language: str | None = None, *, wait: float = 0.0
) -> Result:
    """Returns what came of a question, in words.

    Args:
        request: Who asks.
        ticket: Of the question.
        style: How places are told.
        language: Of the words, as browsers name it.
        wait: As for `state`.

    Raises:
        NotYetError: It is not answered yet.
        RefusedError: It came to nothing, is not theirs, not here, or no longer.
    """
    answered = done(request, ticket, wait).result
    if not isinstance(answered, Answered):
        raise access.not_found()
    key = request_of(request, ticket).key
    return Result(ticket, key, photos.own(request, key), answered, reply(answered, style, language))


def refusal(failed: Failed) -> RefusedError:
    """Returns the refusal that a work's failure means; its `code` is the failure's kind."""
    said = f"{failed.where}: {failed.problem}"
    message = f"{said[:1].upper()}{said[1:]}."
    return RefusedError(_STATUSES.get(failed.kind, 422), failed.kind, message, failed.remedy)


def busy(error: FullError) -> RefusedError:
    """Returns the refusal where the desk takes no more."""
    return RefusedError(503, "busy", _("So much is asked here that no more is taken now."), error.remedy, wait=5)
