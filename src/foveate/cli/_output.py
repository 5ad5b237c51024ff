"""How commands print: results to the standard output, progress and remarks to the error output."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from foveate.errors import OutputError, UsageError, reason_of, shown

if TYPE_CHECKING:
    import PIL.Image
    from rich.progress import Progress as Bars
    from rich.progress import TaskID


def print_json(values: Any) -> None:
    """Prints one JSON value on one line."""
    as_it_is = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    text = json.dumps(values, ensure_ascii=not as_it_is)
    if not text.isprintable():
        # JSON itself lets through what drives a terminal (U+009B), turns text around or ends a line for some readers.
        text = "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)
    sys.stdout.write(text + "\n")


def say(sentence: str = "") -> None:
    """Prints a sentence on one line, whatever a name in it holds; empty lines before it stay."""
    before = len(sentence) - len(sentence.lstrip("\n"))
    typer.echo("\n" * before + shown(sentence[before:]))


def remark(sentence: str) -> None:
    """Says something beside the result."""
    with suppress(OSError, ValueError):  # A remark that nobody can hear must not stop the work.
        sys.stderr.write(sentence + "\n")
        sys.stderr.flush()


# Paths are judged by the code that opens them, in its one sentence, not by the parser of the command line.
Root = Annotated[Path | None, typer.Option(readable=False, help="The folder of the data set.", show_default=False)]
DatasetName = Annotated[
    str | None, typer.Option(metavar="NAME[:SPLIT]", help="The data set; a run knows its own.", show_default=False)
]
Questions = Annotated[
    Path | None, typer.Option(readable=False, help="The table of questions, for `folder`.", show_default=False)
]
Images = Annotated[
    Path | None,
    typer.Option(readable=False, help="For COCO results: a COCO file that numbers the photos.", show_default=False),
]
Metrics = Annotated[
    list[str] | None,
    typer.Option(help="A metric, once for each.", show_default="mean_iou, accuracy@0.5"),
]
Resamples = Annotated[int, typer.Option(min=0, help="Bootstrap resamples for the intervals.")]
Seed = Annotated[int, typer.Option(min=0, help="Of what is drawn; the same seed gives the same digits.")]
Common = Annotated[
    bool, typer.Option("--common", help="Only the questions that all of them were asked; the others are counted.")
]
PICTURES = (".png", ".jpg", ".jpeg", ".webp")


def check_picture(path: Path) -> None:
    """Refuses a name that no picture can have, before any work is done.

    Raises:
        UsageError: The suffix is not that of a picture.
    """
    if path.suffix.lower() not in PICTURES:
        raise UsageError(str(path), "its suffix is not that of a picture", f"Use {', '.join(PICTURES)}.")


def save_picture(picture: PIL.Image.Image, path: Path) -> None:
    """Writes a picture in the format of its suffix; makes the folder.

    Raises:
        OutputError: The file cannot be written.
    """
    from foveate.assist.fresh import format_of
    from foveate.replaced_files import replaced_file

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replaced_file(path) as file:
            picture.save(file, format_of(path))
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise OutputError(
            str(path), f"the picture cannot be written ({why})", "Choose another place, or .png for large pictures."
        ) from error


def save_bytes(content: bytes, path: Path) -> None:
    """Writes a file over what is there, as a whole or not at all; makes the folder, and follows no link.

    Raises:
        OutputError: The file cannot be written.
    """
    from foveate.replaced_files import replace_file

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, content)
    except OSError as error:
        raise OutputError(
            str(path), f"the picture cannot be written ({reason_of(error)})", "Choose another folder, or make room."
        ) from error


class RichProgress:
    """Shows a run's progress as a bar; satisfies `foveate.execution.ground.Progress`."""

    def __init__(self, bars: Bars) -> None:
        self._bars = bars
        self._task: TaskID | None = None

    def begin(self, what: str, total: int, done: int) -> None:
        """Starts a new bar."""
        from rich.markup import escape

        # A run's name may hold what bars would take for a style.
        self._task = self._bars.add_task(escape(what), total=total, completed=done)

    def advance(self) -> None:
        """Moves the newest bar by one."""
        if self._task is not None:
            self._bars.advance(self._task)


class LineProgress:
    """Says how far a run is every half a minute, for logs; satisfies `foveate.execution.ground.RunProgress`."""

    def __init__(self, seconds: float = 30.0) -> None:
        self._seconds = seconds
        self._what, self._total, self._done, self._said = "", 0, 0, time.monotonic()

    def begin(self, what: str, total: int, done: int) -> None:
        """Starts another stage."""
        self._what, self._total, self._done = what, total, done

    def advance(self) -> None:
        """Counts one, and speaks if it is time."""
        self._done += 1
        if time.monotonic() - self._said >= self._seconds:
            self._said = time.monotonic()
            remark(f"{self._what}: {self._done:,} of {self._total:,}")


@contextmanager
def progress(*, results_too: bool = False) -> Iterator[RichProgress | LineProgress]:
    """Shows bars on the error output; where that is no terminal, a line now and then.

    Args:
        results_too: Whether results are printed meanwhile. They go to the standard output then, never through the
            bars' own; where both are the same terminal there are no bars, since the results themselves tell how far
            it is.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if not console.is_terminal or (results_too and sys.stdout.isatty()):
        yield LineProgress()
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, redirect_stdout=not results_too) as bars:
        yield RichProgress(bars)
