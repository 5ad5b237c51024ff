"""Pages for what went wrong: what it is, what to do, and the request's id, by which it is found in the log."""

from __future__ import annotations

import logging
import sys
from dataclasses import dataclass

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from foveate.app.frame.themes import cookie_theme
from foveate.app.logs import REQUEST_ID

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Words:
    """What an error's page says: its heading, what to do, and what happened where the heading does not tell all."""

    title: str | Promise
    remedy: str | Promise
    text: str | Promise = ""


WORDS = {
    400: Words(
        _("This could not be understood"),
        _("Go back, load the page again, and send it once more."),
        _("What the browser sent is not what this page expects. Nothing was changed."),
    ),
    403: Words(
        _("This is not yours to open"),
        _("Ask the organiser who invited you for the role, or sign in with another account."),
        _("You are signed in, but your account has no role that may do this."),
    ),
    404: Words(
        _("There is no such page"),
        _("Check the address, or begin at the first page."),
        _("The address is wrong, or what was here is gone, or it is not yours to see."),
    ),
    405: Words(
        _("This page cannot be used that way"),
        _("Begin at the first page, and use the buttons there."),
        _("The address is meant for a button or a program, not to be opened like this."),
    ),
    413: Words(
        _("That is too large"),
        _("Send a smaller file, or send it in parts."),
        _("What was sent is larger than this server takes. Nothing was changed."),
    ),
    429: Words(
        _("Too many tries"),
        _("Wait a few minutes, then try again. Nothing is lost meanwhile."),
        _("This was asked too often in a short time, from your account or your network."),
    ),
    500: Words(
        _("Something went wrong on our side"),
        _("Try again. If it stays, tell the person who runs this server, with the number below."),
        _("The server met a fault. It was written to the log; what had been saved before is still there."),
    ),
    503: Words(
        _("The server is not ready"),
        _("Wait a minute, then load the page again. What had been saved is still there."),
        _("It is starting, being restored, or cannot reach its database."),
    ),
}
CSRF = Words(
    _("The form was not accepted"),
    _("Go back, load the page again, and send it once more. If it stays, allow cookies for this site."),
    _("It was sent without its safety key: the page was open for long, or cookies are off. Nothing was changed."),
)
# Where the fault may be the database itself, a page is made without asking it who is here.
BARE = (500, 503)


def problem(request: HttpRequest, status: int, words: Words | None = None) -> HttpResponse:
    """Returns the page of an error.

    Args:
        request: What was asked.
        status: The HTTP status.
        words: What the page says; None for what is always said of a status of `WORDS`.
    """
    said = words or WORDS.get(status, WORDS[400])
    context = {"said": said, "status": status, "request_id": REQUEST_ID.get()}
    template = loader.get_template("frame/problem.html")
    if status in BARE:
        return HttpResponse(template.render({**context, "bare": True, "theme": cookie_theme(request)}), status=status)
    return HttpResponse(template.render(context, request), status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answers 400."""
    return problem(request, 400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answers 403."""
    return problem(request, 403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answers 404."""
    return problem(request, 404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answers 500; 503 where the fault is that the database is away, full or locked, so that it is tried again."""
    away = isinstance(sys.exc_info()[1], OperationalError | InterfaceError)
    return problem(request, 503 if away else 500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answers a form that came without its key; `reason` is for the log, since it helps nobody who reads the page."""
    logger.warning("csrf refused: %s", reason)
    return problem(request, 403, CSRF)
