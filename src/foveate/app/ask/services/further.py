"""More of the desk's work about an answer, by tickets of their own; the same thing asked for again is done once."""

from __future__ import annotations

import threading
from typing import Any

from django.http import HttpRequest

from foveate.app.ask.services import asking
from foveate.app.ask.services.desk import the_desk
from foveate.assist.desk import Failed, GoneError, Work

_MOST = 2000
_lock = threading.Lock()
# Tickets by the secret of the question and the kind of work; those that were asked for first are forgotten first.
_tickets: dict[tuple[str, str], str] = {}


def of(request: HttpRequest, ticket: str, name: str, work: Work, wait: float = 0.0) -> Any:
    """Returns what came of further work about the photo of a question.

    Args:
        request: Who asks.
        ticket: Of the question.
        name: What tells this work from others about the same answer.
        work: The work.
        wait: As for `asking.state`.

    Raises:
        NotYetError: It is not done yet; asked for again later, it is told how far it is.
        RefusedError: It came to nothing, or the question is not theirs, not here, or no longer.
    """
    return asking.done(request, _ticket(request, ticket, name, work), wait).result


def _ticket(request: HttpRequest, ticket: str, name: str, work: Work) -> str:
    key = asking.request_of(request, ticket).key
    with _lock:
        found = _tickets.get((ticket, name))
        if found is None or not _is_of_use(found):
            found = asking.give(request, key, work)
            _tickets.pop((ticket, name), None)
            _tickets[ticket, name] = found
            while len(_tickets) > _MOST:
                del _tickets[next(iter(_tickets))]
        return found


def _is_of_use(ticket: str) -> bool:
    """Returns whether a ticket is still known, and did not come to nothing by no fault of the photo."""
    try:
        state = the_desk().state(ticket)
    except GoneError:
        return False
    return not (isinstance(state, Failed) and state.kind in {"stopped", "unavailable"})
