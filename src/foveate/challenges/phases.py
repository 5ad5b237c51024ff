"""What a phase is at a moment: not begun, open, over."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from foveate.challenges.definition import Challenge, Phase

When = Literal["before", "open", "over"]


def when(phase: Phase, now: datetime) -> When:
    """Returns what a phase is at a moment (aware of its zone); its start belongs to it, its end does not."""
    if phase.start is not None and now < phase.start:
        return "before"
    if phase.end is not None and now >= phase.end:
        return "over"
    return "open"


def takes_entries(phase: Phase, now: datetime) -> bool:
    """Returns whether an entry may be sent: while it is open, and for ever where it is an open benchmark."""
    state = when(phase, now)
    return state == "open" or (state == "over" and phase.after_end == "open")


def is_over(challenge: Challenge, now: datetime) -> bool:
    """Returns whether every phase with an end has ended; a challenge of phases without an end is never over."""
    ended = [phase for phase in challenge.phases if phase.end is not None]
    return bool(ended) and all(when(phase, now) == "over" for phase in ended)
