"""A work at the desk, from when it is asked for until what came of it is forgotten."""

from __future__ import annotations

from dataclasses import dataclass

from foveate.assist.desk.pace import Warmth
from foveate.assist.desk.shelf import Kept
from foveate.assist.desk.states import Done, Failed, Request


@dataclass(eq=False, slots=True)
class Job:
    """One work.

    Attributes:
        ticket: The secret of who asked.
        request: What was asked.
        kept: The photo.
        began: When it was begun, or None.
        warmth: How much was there already when it was begun.
        outcome: What came of it, or None until then.
    """

    ticket: str
    request: Request
    kept: Kept
    began: float | None = None
    warmth: Warmth = "cold"
    outcome: Done | Failed | None = None
