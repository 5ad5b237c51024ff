"""Gives each request an id, and writes its line in the log."""

from __future__ import annotations

import logging
import re
import time
import uuid
from collections.abc import Callable

from django.core.signals import got_request_exception
from django.dispatch import receiver
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from foveate.app.logs import REQUEST_ID

HEADER = "X-Request-ID"
_LOG = logging.getLogger("foveate.request")
# Parts of paths that are as good as a password.
_SECRET = frozenset({"code", "token", "secret", "key", "ticket", "uidb64"})
_LONG = re.compile(r"[^/]{20,}")


class RequestLog:
    """The outermost layer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answers, and logs how that went."""
        identity = uuid.uuid4().hex
        mark, began = REQUEST_ID.set(identity), time.monotonic()
        try:
            response = self._get_response(request)
            response.headers[HEADER] = identity
            _write(request, response.status_code, 1000 * (time.monotonic() - began))
            return response
        finally:
            REQUEST_ID.reset(mark)


def shown_path(request: HttpRequest) -> str:
    """Returns the path of a request without a link's code: without whatever could be one, if it is unknown."""
    path, match = request.path, request.resolver_match
    if match is None:
        return _LONG.sub("…", path)
    for name, value in match.kwargs.items():
        if name in _SECRET:
            path = path.replace(str(value), "…")
    return path


def _write(request: HttpRequest, status: int, ms: float) -> None:
    # Only of somebody whom the view has looked up: the log asks the database nothing.
    user = getattr(request, "_cached_user", None) or getattr(request, "auth", None)
    event = {
        "method": request.method,
        "path": shown_path(request),
        "status": status,
        "ms": round(ms, 1),
        "user": getattr(user, "pk", None),
        "address": request.META.get("REMOTE_ADDR"),
    }
    level = logging.ERROR if status >= 500 else logging.INFO
    _LOG.log(level, "request", extra=event)


@receiver(got_request_exception)
def _unforeseen(sender: object, request: HttpRequest | None = None, **_: object) -> None:
    _LOG.exception("unforeseen error", extra={"path": shown_path(request)} if request is not None else {})
