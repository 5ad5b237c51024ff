"""Times on pages are those of the visitor."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone


class TimezoneMiddleware:
    """Shows times in the time zone that a person chose in their profile; others see UTC."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Returns the response, made in the person's time zone."""
        # Without a session nobody is signed in, and the database need not be asked.
        known = settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated
        with timezone.override(_zone(getattr(request.user, "timezone", "")) if known else None):
            return self.get_response(request)


def _zone(name: str) -> zoneinfo.ZoneInfo | None:
    try:
        return zoneinfo.ZoneInfo(name) if name else None
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):  # The system's list of zones has changed meanwhile.
        return None
