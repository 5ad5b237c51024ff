"""Turns whatever is refused into our own shape; requests that bring too much are refused before they are read."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from foveate.app.middleware.larger import most_bytes, refusal
from foveate.app.refused import API, RefusedError, answer, usual
from foveate.errors import FoveateError


class Refusals:
    """Below the security headers, so that refusals have them too."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answers; from status 400 on, below `/api/` in the one shape, elsewhere never by an empty page."""
        most, length = settings.MOST_API_BYTES if _is_api(request) else settings.MOST_BYTES, _length(request)
        if length > most and length > most_bytes(request, most):
            return answer(request, refusal(request, length))
        response = self._get_response(request)
        if response.status_code < 400 or _is_ours(response) or not (_is_api(request) or _is_empty(response)):
            return response
        ours = answer(request, usual(response.status_code))
        for name in {"Allow", "Retry-After", "WWW-Authenticate"} & set(response.headers):
            ours.headers[name] = response.headers[name]
        return ours

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Answers what a view refused by raising it."""
        if isinstance(error, RefusedError):
            return answer(request, error)
        if isinstance(error, FoveateError):
            return answer(request, RefusedError.by(error))
        return answer(request, usual(413)) if isinstance(error, RequestDataTooBig) else None


def _length(request: HttpRequest) -> int:
    said = request.META.get("CONTENT_LENGTH") or "0"
    return int(said) if said.isdigit() else 0


def _is_api(request: HttpRequest) -> bool:
    return request.path.startswith(API)


def _is_empty(response: HttpResponseBase) -> bool:
    return isinstance(response, HttpResponse) and not response.content


def _is_ours(response: HttpResponseBase) -> bool:
    return isinstance(response, HttpResponse) and response.content.startswith(b'{"error": {')
