"""How long works take, by those that were done lately."""

from __future__ import annotations

import statistics
from collections import deque
from typing import Literal

# How much of it was there already: nothing, a process with its networks, or what was seen of the photo as well.
Warmth = Literal["cold", "started", "warm"]
_REMEMBERED = 15
_NEAREST: dict[Warmth, tuple[Warmth, ...]] = {
    "cold": ("cold", "started", "warm"),
    "started": ("started", "warm", "cold"),
    "warm": ("warm", "started", "cold"),
}


class Pace:
    """The seconds of the last works of each kind."""

    def __init__(self) -> None:
        self._taken: dict[tuple[str, Warmth], deque[float]] = {}

    def record(self, kind: str, warmth: Warmth, seconds: float) -> None:
        """Remembers one more."""
        self._taken.setdefault((kind, warmth), deque(maxlen=_REMEMBERED)).append(seconds)

    def about(self, kind: str, warmth: Warmth) -> float | None:
        """Returns the median of the last such works, else of the most alike; None where none of any kind was done."""
        for near in _NEAREST[warmth]:
            if (kind, near) in self._taken:
                return statistics.median(self._taken[kind, near])
        every = [seconds for taken in self._taken.values() for seconds in taken]
        return statistics.median(every) if every else None
