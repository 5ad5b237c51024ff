"""Shows how far a fetch is: a bar in a terminal, one line a file anywhere else, and below other bars."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from foveate.sources._pins import Progress


@contextmanager
def shown(progress: Progress | None) -> Iterator[Progress]:
    """Yields what reports progress: the caller's own, or the default on the error stream."""
    if progress is not None:
        yield progress
    elif sys.stderr.isatty() and not _is_taken():
        with _bar() as bar:
            yield bar
    else:
        yield _lines()


def _is_taken() -> bool:
    # A live display of rich puts a proxy in the place of the stream; a second display would write over it, while
    # lines go through the proxy and come to stand above it. Asked by attribute: rich takes a while to import.
    return hasattr(sys.stderr, "rich_proxied_file")


@contextmanager
def _bar() -> Iterator[Progress]:
    # Rich takes a while to import, and most calls find everything in the cache.
    from rich import progress as rich_progress
    from rich.console import Console

    columns = (
        rich_progress.TextColumn("{task.description}"),
        rich_progress.BarColumn(),
        rich_progress.DownloadColumn(),
        rich_progress.TransferSpeedColumn(),
        rich_progress.TimeRemainingColumn(),
    )
    with rich_progress.Progress(*columns, console=Console(stderr=True)) as bars:
        tasks: dict[str, rich_progress.TaskID] = {}

        def report(done_bytes: int, total_bytes: int, label: str) -> None:
            if label not in tasks:
                # What a resumed download had before is no part of its speed.
                tasks[label] = bars.add_task(label, total=total_bytes, completed=done_bytes)
            bars.update(tasks[label], completed=done_bytes)

        yield report


def _lines() -> Progress:
    told: set[str] = set()

    def report(done_bytes: int, total_bytes: int, label: str) -> None:
        if label not in told:
            told.add(label)
            begun = f", {done_bytes / 1e6:.1f} MB are here already" if done_bytes else ""
            sys.stderr.write(f"fetching {label} ({total_bytes / 1e6:.1f} MB{begun})\n")
            sys.stderr.flush()

    return report
