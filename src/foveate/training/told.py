"""Who is told how far a training is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from foveate.execution.ground import RunProgress


class Told:
    """Does nothing; the base of those who do."""

    def step(self, step: int, steps: int, loss: float) -> None:
        """Is called after each step.

        Args:
            step: How many are done.
            steps: How many there are in all.
            loss: Of the last batch.
        """

    def epoch(self, line: Mapping[str, Any]) -> None:
        """Is called with each epoch's line."""


class Shown(Told):
    """Moves a bar, and says each epoch's line.

    Args:
        bars: What shows how far it is.
        say: Says a line.
    """

    def __init__(self, bars: RunProgress, say: Any) -> None:
        self._bars, self._say, self._begun = bars, say, False

    def step(self, step: int, steps: int, loss: float) -> None:
        """Moves the bar."""
        if not self._begun:
            self._bars.begin("training, steps", steps, step - 1)
            self._begun = True
        self._bars.advance()

    def epoch(self, line: Mapping[str, Any]) -> None:
        """Says the line."""
        self._say(", ".join(f"{name} {_short(value)}" for name, value in line.items()))


def _short(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
