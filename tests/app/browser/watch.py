"""What no page may do while a test looks at it: complain in the console, break its policy, ask other machines."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import ConsoleMessage, Error, Page, Request

LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})


class Watch:
    """Listens to a page from its first request on.

    A page that answers 404 says so in the console; a test that wants just that says `allow`.
    """

    def __init__(self, page: Page) -> None:
        self._said: list[str] = []
        self._allowed: list[re.Pattern[str]] = []
        page.on("console", self._console)
        page.on("pageerror", self._error)
        page.on("request", self._request)

    def allow(self, pattern: str) -> None:
        """Lets pass what is said from now on and matches a pattern."""
        self._allowed.append(re.compile(pattern))

    def check(self) -> None:
        """Fails where something was said that is not allowed, and forgets it."""
        bad = [line for line in self._said if not any(pattern.search(line) for pattern in self._allowed)]
        self._said.clear()
        assert not bad, "\n".join(["The page said:", *bad])

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._said.append(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def _error(self, error: Error) -> None:
        self._said.append(f"uncaught: {error.message}")

    def _request(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme in ("http", "https", "ws", "wss") and parts.hostname not in LOOPBACK:
            self._said.append(f"asked another machine: {request.url}")
