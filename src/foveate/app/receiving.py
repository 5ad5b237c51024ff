"""Requests that arrive: how long that may take, and what is answered to what is no request.

No thread waits for what arrives, so that nobody is slower for who sends a byte a second. But each such sender keeps a
connection, and when all of these are taken nobody else gets one.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import Any

from waitress.channel import HTTPChannel
from waitress.task import ErrorTask


@dataclass(frozen=True)
class Pace:
    """How slowly a request may arrive.

    Attributes:
        headers: All of its head is there within so many seconds.
        seconds: In each span of so many seconds, of its body …
        least: … so many bytes arrive, or the rest of it: half a kilobyte a second is less than what any phone sends.
    """

    headers: float = 30.0
    seconds: float = 60.0
    least: int = 30_000


USUAL = Pace()
# Where connections are few, somebody whose train is in a tunnel is not waited for.
CROWDED = Pace(headers=10.0, seconds=10.0, least=5_000)


class _TooSlow:
    code, reason = 408, "Request Timeout"
    said, remedy = "It arrives too slowly.", "Send it again over a better connection, or a smaller file."


class _Error(ErrorTask):  # type: ignore[misc]  # waitress has no types
    """What is refused before the application sees it (a header that is none, a body without end), in the one shape."""

    def execute(self) -> None:
        error = self.request.error
        code = error.reason.lower().replace(" ", "_")
        message, remedy = getattr(error, "said", f"{error.reason}."), getattr(error, "remedy", "")
        said = {"code": code, "message": message, "remedy": remedy, "details": {}, "request_id": ""}
        body, kind = json.dumps({"error": said}).encode(), "application/json"
        if isinstance(error, _TooSlow) and not self._is_of_a_program():
            body, kind = f"{message} {remedy}\n".encode(), "text/plain; charset=utf-8"
        self.status = f"{error.code} {error.reason}"
        self.response_headers.append(("Content-Type", kind))
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)

    def _is_of_a_program(self) -> bool:
        path: str = self.request.path
        wants: str = self.request.headers.get("ACCEPT", "")
        return path.startswith("/api/") or wants.startswith("application/json")


class Channel(HTTPChannel):  # type: ignore[misc]
    """A connection that knows since when it waits for the rest of a request."""

    error_task_class = _Error
    request: Any  # waitress's: what arrives, None where nothing does.
    _since, _bytes = 0.0, 0

    def received(self, data: bytes) -> bool:
        """Takes what arrived."""
        before = self.request
        went_on = bool(super().received(data))
        if self.request is not before:
            self._since, self._bytes = time.monotonic(), 0
        return went_on

    def hurry(self, now: float, pace: Pace = USUAL) -> None:
        """Ends a request that arrives too slowly, and tells its sender; called by the thread that receives.

        Args:
            now: On the clock of `time.monotonic`.
            pace: How slowly it may arrive.
        """
        request = self.request
        if request is None:
            return
        if self.requests or self.total_outbufs_len:
            self._since = now  # Nothing is read meanwhile, which is not the sender's fault.
        elif not request.headers_finished:
            if now - self._since > pace.headers:
                request.parse_header(b"GET / HTTP/1.0\r\n")
                self._give_up(request)
        elif now - self._since > pace.seconds:
            came, self._bytes = request.body_bytes_received - self._bytes, request.body_bytes_received
            self._since = now
            if came < pace.least:
                self._give_up(request)

    def _give_up(self, request: Any) -> None:
        with self.requests_lock:
            request.error, request.completed, self.request = _TooSlow(), True, None
            self.requests.append(request)
            self.server.add_task(self)
