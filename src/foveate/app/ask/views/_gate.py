"""What every page of asking does: who may, what is not kept, what is gone, and what is not done yet."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language

from foveate.app.ask import words
from foveate.app.ask.services import access, asking, photos
from foveate.app.ask.services.asking import NotYetError, Result
from foveate.app.ask.services.desk import the_desk
from foveate.app.refused import RefusedError
from foveate.assist.desk import AskWork
from foveate.assist.placing import STYLES, Style

COOKIE = "foveate_places"
_YEAR = 365 * 24 * 60 * 60
# A page that waits a little is often spared a second one; a quarter of the server's threads wait at most.
PATIENCE = 3.0
# Of a page without a script: from one look to the next.
_LOOKS_AGAIN = 5
View = Callable[..., HttpResponseBase]


class SeeOther(HttpResponseRedirect):
    """Leads from a form that was sent to the page of what came of it."""

    status_code = 303


def asks(view: View) -> View:
    """Returns a view for who may ask: others are led to where they sign in, or told that there is nothing."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not access.may_ask(request) and not request.user.is_authenticated and settings.CONFIG.ask != "nobody":
            return redirect_to_login(request.get_full_path() if request.method == "GET" else reverse("ask:ask"))
        access.check(request)
        try:
            response = view(request, *args, **kwargs)
        except NotYetError as error:
            response = waiting(request, error)
        except RefusedError as error:
            if error.code != "not_found":
                raise
            response = render(request, "ask/gone.html", {"said": error}, status=404)
        patch_cache_control(response, private=True, no_store=True)
        return response

    return guarded


def waiting(request: HttpRequest, error: NotYetError) -> HttpResponse:
    """Returns the page that is shown until something is done: it looks again by itself, with a script or without."""
    asked = asking.request_of(request, error.ticket)
    values = {
        "told": words.told(error.state),
        "ticket": error.ticket,
        "key": asked.key,
        "question": asked.work.question if isinstance(asked.work, AskWork) else "",
        "advice": photos.advice(photos.own(request, asked.key), language()),
        "seconds": _LOOKS_AGAIN,
    }
    return render(request, "ask/waiting.html", {**values, **common()}, status=202)


def the_result(request: HttpRequest, ticket: str) -> Result:
    """Returns what came of a question, in the visitor's words.

    Raises:
        NotYetError: It is not answered yet.
        RefusedError: It came to nothing, or is not theirs, not here, or no longer.
    """
    return asking.result(request, ticket, style_of(request), language(), wait=PATIENCE)


def style_of(request: HttpRequest) -> Style:
    """Returns how places are told to this visitor."""
    chosen = request.COOKIES.get(COOKIE, "")
    return chosen if chosen in STYLES else "plain"


def keep_style(request: HttpRequest, response: HttpResponseBase, style: str) -> None:
    """Keeps in the browser how places are told."""
    response.set_cookie(COOKIE, style, max_age=_YEAR, samesite="Lax", httponly=True, secure=request.is_secure())


def language() -> str:
    """Returns the language of the page."""
    return get_language() or "en"


def common() -> dict[str, Any]:
    """Returns what every page of asking needs."""
    return {
        "script_words": words.SCRIPT,
        "most_bytes": photos.most_bytes(),
        "kept": words.kept_for(the_desk().settings.kept_seconds),
    }
