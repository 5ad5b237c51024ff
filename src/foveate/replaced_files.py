"""Files that are written as a whole or not at all, and take the place of what was there."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


@contextmanager
def replaced_file(path: Path, *, lasting: bool = True) -> Iterator[BinaryIO]:
    """Opens a file that takes the place of what is at a path once all of it is written; until then that stays whole.

    Meanwhile it is a hidden part beside. What fails inside, or stops it, leaves no part behind; only a kill can. A
    link is replaced, not followed. Who may read the file that was there may read the new one.

    Args:
        path: Where it goes.
        lasting: Whether the disk has it before it takes the place, so that a power cut leaves the old file or the new.
            For many small files that can be made again this is slow, and needless.

    Raises:
        OSError: It cannot be written, or a folder is there. Who calls says in their own sentence what that means.
    """
    part = part_of(path)
    try:
        with part.open("xb") as file:
            _permit_as(path, part)
            yield file
            file.flush()
            if lasting:
                os.fsync(file.fileno())
        part.replace(path)
    finally:
        with suppress(OSError):  # Why it could not be written is to be told, not this.
            part.unlink(missing_ok=True)


def replace_file(path: Path, content: bytes, *, lasting: bool = True) -> None:
    """Writes the bytes of a file over what is there, as `replaced_file` does.

    Raises:
        OSError: As for `replaced_file`.
    """
    with replaced_file(path, lasting=lasting) as file:
        file.write(content)


def part_of(path: Path) -> Path:
    """Returns a hidden name beside a path, which nobody else has and which fits wherever the path's own name does."""
    return path.with_name(f".{secrets.token_hex(8)}.part")


def _permit_as(path: Path, part: Path) -> None:
    """Gives a part the permissions of the file that it will replace, before there is anything in it to read."""
    with suppress(OSError):  # There is none, or the disk of a camera knows no permissions.
        mode = path.lstat().st_mode
        if stat.S_ISREG(mode):
            part.chmod(stat.S_IMODE(mode))
