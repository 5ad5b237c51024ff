"""How far a report is, for commands that write one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from foveate.cli._output import LineProgress, RichProgress

if TYPE_CHECKING:
    from foveate.execution.ground import RunProgress


@contextmanager
def stages() -> Iterator[RunProgress]:
    """Tells the stages of a report, with bars where there is a terminal."""
    from foveate.cli._output import progress

    with progress() as bars:
        yield _Stages(bars)


class _Stages:
    """Names each stage as it begins, also where there are no bars; satisfies `foveate.execution.ground.RunProgress`."""

    def __init__(self, bars: RichProgress | LineProgress) -> None:
        self._bars = bars

    def begin(self, what: str, total: int, done: int) -> None:
        """Starts another stage."""
        from foveate.cli._output import remark

        if isinstance(self._bars, LineProgress):
            remark(what)
        self._bars.begin(what, total, done)

    def advance(self) -> None:
        """One step more."""
        self._bars.advance()
