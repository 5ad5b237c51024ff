"""How far a report is, for whoever waits."""

from __future__ import annotations

from foveate.execution.ground import RunProgress
from foveate.reports._text import plain


class Stages:
    """Passes stages on to whoever wants to be told, or to nobody."""

    def __init__(self, told: RunProgress | None = None) -> None:
        self._told = told

    def begin(self, what: str, total: int) -> None:
        """A stage of `total` steps begins."""
        if self._told is not None:
            self._told.begin(plain(what), total, 0)

    def advance(self) -> None:
        """One step more."""
        if self._told is not None:
            self._told.advance()
