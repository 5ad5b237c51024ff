"""Sessions that are over are deleted: when the server starts, and when people sign in, an hour apart at least."""

from __future__ import annotations

import threading
import time

from django.contrib.sessions.backends.db import SessionStore

_BETWEEN = 3600.0
_lock = threading.Lock()
_latest: float | None = None


def clear() -> None:
    """Deletes the sessions that are over; they hold who was here."""
    global _latest
    _latest = time.monotonic()
    SessionStore.clear_expired()


def clear_now_and_then() -> None:
    """Does so, unless it was done within the hour."""
    global _latest
    with _lock:
        if _latest is not None and time.monotonic() - _latest < _BETWEEN:
            return
        _latest = time.monotonic()
    clear()
