"""Who may ask, who takes turns, and whose a photo is."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _

from foveate.app.config import Config
from foveate.app.limits import Limit, address
from foveate.app.refused import RefusedError, usual
from foveate.app.serving import THROUGH_PROXY

_RATE = Limit(settings.CONFIG.ask_rate)


def may_ask(request: HttpRequest) -> bool:
    """Returns whether this visitor may ask about photos here, by `FOVEATE_ASK`."""
    config: Config = settings.CONFIG
    if config.ask == "here" and not request.META.get(THROUGH_PROXY):
        return True
    return config.ask == "everyone" or (config.ask != "nobody" and request.user.is_authenticated)


def check(request: HttpRequest) -> None:
    """Looks whether this visitor may ask, and whether it is their own page or program that asks.

    Raises:
        RefusedError: They may not: 401 where signing in helps, 403 where nothing does, 404 where nobody may.
    """
    if not may_ask(request):
        nobody = settings.CONFIG.ask == "nobody"
        raise usual(404 if nobody else 403 if request.user.is_authenticated else 401)
    # Who is signed in sends a CSRF token, which a page elsewhere has not. Who is nobody has none to send.
    origin = request.headers.get("Origin")
    if origin is not None and request.method not in {"GET", "HEAD"} and urlsplit(origin).netloc != request.get_host():
        raise usual(403)


def who(request: HttpRequest) -> str:
    """Returns who takes turns: the person, else the session, else the address."""
    return next(_names(request))


def is_own(request: HttpRequest, brought_by: str) -> bool:
    """Returns whether something was brought by this visitor; the name that they had then may be another one now."""
    return brought_by in {*_names(request)}


def count(request: HttpRequest) -> None:
    """Counts a photo or a question.

    Raises:
        RefusedError: It was too often.
    """
    # A session costs nobody anything, so that who has none in particular is counted by address.
    number = request.user.pk if request.user.is_authenticated else None
    _RATE.check(f"address {address(request)}" if number is None else f"person {number}")


def not_found() -> RefusedError:
    """Returns what is answered about photos and answers of others, forgotten ones, and ones that never were."""
    said = _("There is no such photo or answer here, or no longer.")
    return RefusedError(404, "not_found", said, _("Photos are forgotten after ten minutes; send it again."))


def _names(request: HttpRequest) -> Iterator[str]:
    # Whether somebody is signed in is asked first: by that a session that does not exist loses its key.
    if request.user.is_authenticated:
        yield f"person {request.user.pk}"
    elif request.session.session_key:
        yield f"session {request.session.session_key}"
    yield f"address {address(request)}"
