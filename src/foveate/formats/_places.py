"""What lies at and below a path, for forms that are folders; hidden entries are left out.

Links are followed, each real folder once, so that a circle ends; so photos are listed too (`foveate.sources.listing`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from foveate.errors import InputError


def is_file(path: Path) -> bool:
    """Returns whether an ordinary file can be seen there; `pathlib` raises where it may not look."""
    return os.path.isfile(path)  # noqa: PTH113


def is_folder(path: Path) -> bool:
    """Returns whether a folder can be seen there."""
    return os.path.isdir(path)  # noqa: PTH112


def stamp(path: Path) -> tuple[int, int]:
    """Returns size and time of change: while they stay, a file is taken for the one that was read."""
    stat = path.stat()
    return stat.st_size, stat.st_mtime_ns


def all_files(folder: Path) -> Iterator[Path]:
    """Yields the ordinary files below a folder, folder by folder, each in the order of its names.

    Raises:
        InputError: A folder cannot be listed, so that what is in it would be lost.
    """
    seen: set[str] = set()
    for place, folders, names in os.walk(folder, onerror=_refuse, followlinks=True):
        real = os.path.realpath(place)
        folders[:] = [] if real in seen else sorted(name for name in folders if not name.startswith("."))
        found = () if real in seen else sorted(name for name in names if not name.startswith("."))
        seen.add(real)
        yield from (path for path in (Path(place, name) for name in found) if is_file(path))


def with_suffix(files: Iterable[Path], suffix: str) -> list[Path]:
    """Returns the files of a suffix, in capitals or not, in the order of their names."""
    return sorted(path for path in files if path.suffix.lower() == suffix)


@contextmanager
def told_if_closed(path: Path) -> Iterator[None]:
    """Turns the system's refusal to open or read a file into a sentence."""
    try:
        yield
    except OSError as error:
        raise InputError(str(path), f"it cannot be read ({error.strerror})", "Look at its permissions.") from error


def _refuse(error: OSError) -> None:
    why = f"the folder cannot be listed ({error.strerror})"
    raise InputError(str(error.filename), why, "Look at its permissions.") from error
