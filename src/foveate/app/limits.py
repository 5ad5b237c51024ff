"""How often something may be done. Counted in this process's memory: one process serves all, and a restart forgives."""

from __future__ import annotations

import functools
import threading
import time
from collections import deque
from collections.abc import Callable
from ipaddress import ip_network
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from ninja.throttling import BaseThrottle

from foveate.app.refused import RefusedError

# So many names are remembered; beyond, those that were heard of longest ago are forgotten first.
_MOST_NAMES = 50_000
# No account's name is as long. What is sent as one can be two megabytes, which are not to be remembered.
_LONGEST_NAME = 200
View = Callable[..., HttpResponseBase]


class Limit:
    """At most so many times in so many seconds, for each name.

    Args:
        rate: `TIMES/SECONDS`.
    """

    def __init__(self, rate: str) -> None:
        times, _slash, seconds = rate.partition("/")
        self.times, self.seconds = int(times), float(seconds)
        self._seen: dict[str, deque[float]] = {}
        self._lock = threading.Lock()
        _ALL.append(self)

    def wait(self, name: str) -> float:
        """Counts one more time; returns 0 where it is allowed, else after how many seconds it is again."""
        now, name = time.monotonic(), name[:_LONGEST_NAME]
        with self._lock:
            # Taken out and put back, so that the first is always the one heard of longest ago.
            seen = self._seen.pop(name, deque())
            self._seen[name] = seen
            while seen and seen[0] <= now - self.seconds:
                seen.popleft()
            if len(seen) >= self.times:
                return seen[0] + self.seconds - now
            seen.append(now)
            if len(self._seen) > _MOST_NAMES:
                self._seen.pop(next(iter(self._seen)))
            return 0.0

    def check(self, name: str) -> None:
        """Counts one more time.

        Raises:
            RefusedError: It was too often.
        """
        if wait := self.wait(name):
            raise RefusedError(
                429,
                "too_many",
                _("That was too often."),
                _("Wait %(seconds)d seconds, then try again.") % {"seconds": int(wait) + 1},
                wait=wait,
            )

    def forget(self) -> None:
        """Forgives everybody."""
        with self._lock:
            self._seen.clear()


_ALL: list[Limit] = []


def forget() -> None:
    """Forgives everybody everything; tests begin so."""
    for limit in _ALL:
        limit.forget()


def address(request: HttpRequest) -> str:
    """Returns where a request comes from, as the HTTP server says; never what a header claims."""
    said = request.META.get("REMOTE_ADDR") or "unknown"
    # Who has an address of IPv6 has its whole network of 64 bits, and would be somebody else each time.
    return str(ip_network(f"{said.partition('%')[0]}/64", strict=False)) if ":" in said else said


def limited(
    rate: str, key: Callable[[HttpRequest], str | None] = address, *, methods: tuple[str, ...] = ("POST",)
) -> Callable[[View], View]:
    """Returns a decorator for a view that may not be used more often than that; else it answers 429.

    Args:
        rate: `TIMES/SECONDS`, as in `10/60`.
        key: Who is counted together: by address, by the name in a form; None for nobody. A view may have several.
        methods: Which requests count.
    """
    limit = Limit(rate)

    def decorate(view: View) -> View:
        @functools.wraps(view)
        def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if request.method in methods and (name := key(request)) is not None:
                limit.check(name)
            return view(request, *args, **kwargs)

        return checked

    return decorate


class ApiThrottle(BaseThrottle):
    """The limit of the API: for each person, and for each address without one."""

    def __init__(self) -> None:
        self._limit = Limit(settings.API_RATE)

    def allow_request(self, request: HttpRequest) -> bool:
        """Counts the request.

        Raises:
            RefusedError: It was too often.
        """
        # Where everybody may ask, who asks may be nobody in particular.
        number = getattr(getattr(request, "auth", None), "pk", None)
        self._limit.check(f"person {number}" if number is not None else f"address {address(request)}")
        return True
