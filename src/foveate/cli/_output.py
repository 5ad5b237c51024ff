"""How commands print: results to the standard output, progress and remarks to the error output."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foveate.errors import OutputError, UsageError

if TYPE_CHECKING:
    import PIL.Image
    from rich.progress import Progress as Bars
    from rich.progress import TaskID


def print_json(values: Any) -> None:
    """Prints one JSON value on one line."""
    sys.stdout.write(json.dumps(values, ensure_ascii=False) + "\n")


def remark(sentence: str) -> None:
    """Says something beside the result."""
    sys.stderr.write(sentence + "\n")


def save_picture(picture: PIL.Image.Image, path: Path) -> None:
    """Writes a picture in the format of its suffix; makes the folder.

    Raises:
        UsageError: The suffix is not that of a picture.
        OutputError: The file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        picture.save(path)
    except ValueError as error:
        raise UsageError(str(path), "this suffix is not that of a picture", "Use .png or .jpg.") from error
    except OSError as error:
        raise OutputError(
            str(path), f"the picture cannot be written ({error.strerror or error})", "Choose another place."
        ) from error


class RichProgress:
    """Shows a run's progress as a bar; satisfies `foveate.execution.ground.Progress`."""

    def __init__(self, bars: Bars) -> None:
        self._bars = bars
        self._task: TaskID | None = None

    def begin(self, what: str, total: int, done: int) -> None:
        """Starts a new bar."""
        self._task = self._bars.add_task(what, total=total, completed=done)

    def advance(self) -> None:
        """Moves the newest bar by one."""
        if self._task is not None:
            self._bars.advance(self._task)


@contextmanager
def progress() -> Iterator[RichProgress]:
    """Shows bars on the error output while it is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as bars:
        yield RichProgress(bars)
