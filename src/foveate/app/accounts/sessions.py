"""Sessions: what a link gives is kept under a new key; those that are over, or of nobody any more, are deleted."""

from __future__ import annotations

import threading
import time

from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.utils import timezone

from foveate.app.accounts.models import User

_BETWEEN = 3600.0
_lock = threading.Lock()
_latest: float | None = None


def carry(request: HttpRequest, name: str, value: object) -> None:
    """Keeps in the session what a link has given, under a new key.

    Whoever had somebody's browser take a session of theirs before would else come by what the link gives.
    """
    request.session[name] = value
    request.session.cycle_key()


def end(user: User) -> None:
    """Ends all that is signed in as a person: their sessions are of no use any more, and hold who it was."""
    for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator():
        if session.get_decoded().get("_auth_user_id") == str(user.pk):
            session.delete()


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
