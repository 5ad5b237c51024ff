"""The log: one line an event on the error output, JSON for programs, plain on a terminal; nothing secret in it.

A path of an event has no code of a link in it, no query is logged, and of an unforeseen error its kind and the places
in the code are, but not its words, which may hold what a person typed.
"""

from __future__ import annotations

import logging
import sys
import traceback
from contextvars import ContextVar
from types import TracebackType
from typing import Any

from django.db import Error as AnyDatabaseError
from pythonjsonlogger.json import JsonFormatter

REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="")
# The fields of an event beside its own words, in this order.
FIELDS = ("method", "path", "status", "ms", "user", "address")
_DEEPEST = 10
_ErrorInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


def told(info: _ErrorInfo) -> str:
    """Returns an error's kind and where it came from; a database's own first line, which names what was broken."""
    kind, error, trace = info
    if kind is None:
        return ""
    words = f": {str(error).partition(chr(10))[0]}" if isinstance(error, AnyDatabaseError) else ""
    places = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(trace)][-_DEEPEST:]
    cause = error.__cause__ or error.__context__ if error else None
    before = f"; after {type(cause).__name__}" if cause else ""
    return f"{kind.__name__}{words}{before}; " + " < ".join(reversed(places))


class Json(JsonFormatter):
    """One JSON object a line: time (UTC), level, event, request, and what belongs to the event."""

    def add_fields(self, log_data: dict[str, Any], record: logging.LogRecord, message_dict: dict[str, Any]) -> None:
        """Fills the object."""
        log_data["time"] = self.formatTime(record)
        log_data["level"] = record.levelname.lower()
        log_data["event"] = record.getMessage()
        log_data["logger"] = record.name
        if identity := REQUEST_ID.get():
            log_data["request"] = identity
        log_data.update({name: getattr(record, name) for name in FIELDS if hasattr(record, name)})
        if record.exc_info:
            log_data["error"] = told(record.exc_info)

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802 (logging's name)
        """Returns the time in UTC, as ISO 8601 writes it."""
        from datetime import UTC, datetime

        return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        """Leaves out what the formatter would add by itself: the whole text of an error."""
        return {name: value for name, value in log_data.items() if name not in {"exc_info", "stack_info", "message"}}


class Plain(logging.Formatter):
    """The same event for a person at a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        """Returns the line."""
        values = {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        said = " ".join(str(values[name]) for name in ("method", "path", "status") if name in values)
        after = f" {values['ms']} ms" if "ms" in values else ""
        error = f" {told(record.exc_info)}" if record.exc_info else ""
        return f"{self.formatTime(record, '%H:%M:%S')} {said or record.getMessage()}{after}{error}"


def config(how: str) -> dict[str, Any]:
    """Returns the settings of logging.

    Args:
        how: `json`, `plain`, or `auto`: plain on a terminal only.
    """
    plain = how == "plain" or (how == "auto" and sys.stderr.isatty())
    handler = {"class": "logging.StreamHandler", "formatter": "line"}
    silent: dict[str, Any] = {"handlers": ["null"], "propagate": False}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": f"foveate.app.logs.{'Plain' if plain else 'Json'}"}},
        "handlers": {"stderr": handler, "null": {"class": "logging.NullHandler"}},
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {
            "foveate": {"level": "INFO"},
            "django": {"handlers": [], "level": "WARNING", "propagate": True},
            # What these say, the line of the request says too, and without the path as it was typed.
            "django.request": silent,
            "django.security.csrf": silent,
            "django.server": silent,
        },
    }
