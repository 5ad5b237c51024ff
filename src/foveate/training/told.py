"""Who is told how far a training is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from foveate.execution.ground import RunProgress


class Told:
    """Does nothing; the base of those who do."""

    def begin(self, counts: Mapping[str, int]) -> None:
        """Is called before the first step.

        Args:
            counts: `questions`, of them `left_out` (no answer among the classes), `photos`, `words`, `answers`.
        """

    def step(self, step: int, steps: int, loss: float) -> None:
        """Is called after each step.

        Args:
            step: How many are done.
            steps: How many there are in all.
            loss: Of the last batch.
        """

    def epoch(self, line: Mapping[str, Any]) -> None:
        """Is called with each epoch's line."""

    def end(self) -> None:
        """Is called at the end, also of a training that goes wrong."""


class Shown(Told):
    """Moves a bar, and says each epoch's line.

    Args:
        bars: What shows how far it is.
        say: Says a line.
    """

    def __init__(self, bars: RunProgress, say: Callable[[str], None]) -> None:
        self._bars, self._say, self._begun = bars, say, False

    def begin(self, counts: Mapping[str, int]) -> None:
        """Says what is learnt from."""
        told = f"{counts['questions']:,} questions about {counts['photos']:,} photos, {counts['answers']:,} answers"
        left = counts["left_out"]
        self._say(f"{told}; {left:,} questions without an answer among these are left out" if left else told)

    def step(self, step: int, steps: int, loss: float) -> None:
        """Moves the bar."""
        if not self._begun:
            self._bars.begin("training, steps", steps, step - 1)
            self._begun = True
        self._bars.advance()

    def epoch(self, line: Mapping[str, Any]) -> None:
        """Says the line."""
        self._say(", ".join(f"{name} {_short(value)}" for name, value in line.items()))


class Board(Told):
    """Writes each epoch's numbers for TensorBoard, where tensorboardX is installed; else does nothing.

    Args:
        folder: Where its files lie.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._writer: Any = None

    def epoch(self, line: Mapping[str, Any]) -> None:
        """Writes the line, at once, so that nothing is lost in a kill."""
        try:
            from tensorboardX import SummaryWriter
        except ModuleNotFoundError:
            return
        if self._writer is None:
            # Files are named by the second, and one that goes on may begin in the same.
            self._writer = SummaryWriter(str(self._folder), filename_suffix=f".{line['step']}")
        for name, value in line.items():
            if name not in {"epoch", "step"}:
                self._writer.add_scalar(name, value, line["step"])
        self._writer.flush()

    def end(self) -> None:
        """Closes the file."""
        if self._writer is not None:
            self._writer.close()


class All(Told):
    """Tells several.

    Args:
        *told: These.
    """

    def __init__(self, *told: Told) -> None:
        self._told = told

    def begin(self, counts: Mapping[str, int]) -> None:
        """Tells them."""
        for one in self._told:
            one.begin(counts)

    def step(self, step: int, steps: int, loss: float) -> None:
        """Tells them."""
        for one in self._told:
            one.step(step, steps, loss)

    def epoch(self, line: Mapping[str, Any]) -> None:
        """Tells them."""
        for one in self._told:
            one.epoch(line)

    def end(self) -> None:
        """Tells them."""
        for one in self._told:
            one.end()


def _short(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
