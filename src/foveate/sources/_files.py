"""Small things that fetching does with files: hash them, and say in one sentence why one cannot be written."""

from __future__ import annotations

import errno
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from foveate.errors import OutputError
from foveate.sources.home import home

CHUNK = 1 << 18
# The disk, or the share of it that a person may use.
FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


def sha256_of(path: Path) -> str:
    """Returns the sha256 of a file as hex digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def stamp(path: Path) -> tuple[int, int]:
    """Returns size and time of change: while they stay, a file is taken for the one whose hash was read."""
    stat = path.stat()
    return stat.st_size, stat.st_mtime_ns


@contextmanager
def writing(needed: int) -> Iterator[None]:
    """Turns a failure to write below the home into an `OutputError`; ``needed`` is the bytes that were to go there.

    Raises:
        OutputError: The disk is full, or the folder cannot be written.
    """
    try:
        yield
    except OSError as error:
        where = str(error.filename or home())
        if error.errno in FULL:
            raise OutputError(
                where,
                f"the disk is full, {needed:,} bytes are needed",
                "Free some space, or set FOVEATE_HOME to a folder on a larger disk.",
            ) from error
        raise OutputError(
            where,
            f"fetched files cannot be kept here: {error.strerror or error}",
            "Set FOVEATE_HOME to a folder that you may write in.",
        ) from error
