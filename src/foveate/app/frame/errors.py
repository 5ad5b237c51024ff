"""Pages for what went wrong: what it is, what to do, and the request's id, by which it is found in the log."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Words:
    """What a page of one status says: what happened, and what to do."""

    title: str | Promise
    text: str | Promise
    remedy: str | Promise


WORDS = {
    400: Words(
        _("This could not be understood"),
        _("What the browser sent is not what this page expects. Nothing was changed."),
        _("Go back, load the page again, and send it once more."),
    ),
    403: Words(
        _("This is not yours to open"),
        _("You are signed in, but your account has no role that may do this."),
        _("Ask the organiser who invited you for the role, or sign in with another account."),
    ),
    404: Words(
        _("There is no such page"),
        _("The address is wrong, or what was here is gone, or it is not yours to see."),
        _("Check the address, or begin at the first page."),
    ),
    405: Words(
        _("This page cannot be used that way"),
        _("The address is meant for a button or a program, not to be opened like this."),
        _("Begin at the first page, and use the buttons there."),
    ),
    413: Words(
        _("That is too large"),
        _("What was sent is larger than this server takes. Nothing was changed."),
        _("Send a smaller file, or send it in parts."),
    ),
    429: Words(
        _("Too many tries"),
        _("This was asked too often in a short time, from your account or your network."),
        _("Wait a few minutes, then try again. Nothing is lost meanwhile."),
    ),
    500: Words(
        _("Something went wrong on our side"),
        _("The server met a fault. It was written to the log; what had been saved before is still there."),
        _("Try again. If it stays, tell the person who runs this server, with the number below."),
    ),
    503: Words(
        _("The server is not ready"),
        _("It is starting, being restored, or cannot reach its database."),
        _("Wait a minute, then load the page again. What had been saved is still there."),
    ),
}
CSRF = Words(
    _("The form was not accepted"),
    _("It was sent without its safety key: the page was open for long, or cookies are off. Nothing was changed."),
    _("Go back, load the page again, and send it once more. If it stays, allow cookies for this site."),
)
# Where the fault may be the database itself, a page is made without asking it who is here.
BARE = (500, 503)


def problem(
    request: HttpRequest, status: int, text: str = "", *, remedy: str = "", words: Words | None = None
) -> HttpResponse:
    """Returns the page of an error.

    Args:
        request: What was asked.
        status: The HTTP status; one of `WORDS`.
        text: What happened, where more is known than the status says.
        remedy: What to do, likewise.
        words: All that the page says, in place of the status' own.
    """
    said = words or WORDS[status]
    context = {
        "title": said.title,
        "text": text or said.text,
        "remedy": remedy or said.remedy,
        "status": status,
        "request_id": getattr(request, "request_id", ""),
    }
    template = loader.get_template("frame/problem.html")
    if status in BARE:
        return HttpResponse(template.render({**context, "bare": True, "theme": "auto"}), status=status)
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
    """Answers 500."""
    return problem(request, 500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answers a form that came without its key; `reason` is for the log, since it helps nobody who reads the page."""
    logger.warning("csrf refused: %s", reason)
    return problem(request, 403, words=CSRF)
