"""The one desk of this process, and the one reader of photos: begun when first needed, ended with the server."""

from __future__ import annotations

import atexit
import threading

from django.conf import settings

from foveate.app.config import Config
from foveate.assist.desk import Desk, DeskSettings, PhotoReader

# A photo of today's phones is decoded in a fifth of a second; who sends what takes long keeps one of two busy.
_READING = DeskSettings(processes=2, seconds=10, mebibytes=2048, kept_mebibytes=256, warm_photos=1)
_lock = threading.Lock()
_desk: Desk | None = None
_reader: PhotoReader | None = None


def the_desk() -> Desk:
    """Returns the desk at which everybody asks."""
    global _desk
    with _lock:
        if _desk is None:
            config: Config = settings.CONFIG
            _desk = Desk(DeskSettings(processes=config.ask_processes))
        return _desk


def the_reader() -> PhotoReader:
    """Returns what decodes the photos that are sent."""
    global _reader
    with _lock:
        if _reader is None:
            _reader = PhotoReader(_READING)
        return _reader


def use(desk: Desk | None) -> None:
    """Puts another desk in the place of this one, which is closed; None for a new one when it is needed."""
    global _desk
    with _lock:
        before, _desk = _desk, desk
    if before is not None:
        before.close()


@atexit.register
def close() -> None:
    """Ends the processes of both, and forgets all photos."""
    global _reader
    use(None)
    with _lock:
        reader, _reader = _reader, None
    if reader is not None:
        reader.close()
