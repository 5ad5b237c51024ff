"""What became of a program that was run, and the part of its log that is kept."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

# `done`: it has written an answer. `failed`: it ended by its own fault. `broken`: the machine or engine is at fault.
State = Literal["done", "failed", "broken"]

_FIRST, _LAST = 64 * 1024, 192 * 1024


@dataclass(frozen=True)
class Outcome:
    """What became of a program.

    Attributes:
        state: `done`, `failed` by its own fault, or `broken` by the platform's.
        seconds: How long it ran, by the clock.
        why: Why there is no answer, a sentence without a full stop; empty where there is one.
        answer: The file that it wrote, taken over; None where there is none.
        log: The first and the last of what it printed.
    """

    state: State
    seconds: float = 0.0
    why: str = ""
    answer: Path | None = None
    log: str = ""


class Log:
    """The first 64 KiB and the last 192 KiB of what a program prints; what is between is counted and left out."""

    def __init__(self) -> None:
        self._first = bytearray()
        self._last: deque[bytes] = deque()
        self._kept = self._dropped = 0

    def add(self, chunk: bytes) -> None:
        """Takes what was printed."""
        room = _FIRST - len(self._first)
        self._first += chunk[:room]
        if rest := chunk[room:]:
            self._last.append(rest[-_LAST:])
            self._dropped += len(rest) - len(rest[-_LAST:])
            self._kept += len(rest[-_LAST:])
        while self._last and self._kept - len(self._last[0]) >= _LAST:
            gone = len(self._last.popleft())
            self._kept -= gone
            self._dropped += gone

    def text(self) -> str:
        """Returns what is kept, without characters that would drive a terminal."""
        last = b"".join(self._last)
        dropped = self._dropped + max(0, len(last) - _LAST)
        said = f"\n[{dropped:,} bytes left out]\n" if dropped else ""
        return _plain(bytes(self._first)) + said + _plain(last[-_LAST:])


def _plain(text: bytes) -> str:
    decoded = text.decode("utf-8", "replace")
    return "".join(c if c.isprintable() or c in "\n\t" else "\ufffd" for c in decoded.replace("\r\n", "\n"))
