"""Takes over the answer that a program has written, and trusts nothing about it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

_CHUNK = 1024 * 1024


def take_answer(folder: Path, name: str, out: Path, most: int) -> str:
    """Returns why there is no answer, a sentence without a full stop; empty where it was copied.

    Args:
        folder: Where the program could write.
        name: The file's name there.
        out: The new file.
        most: How many bytes it may have.
    """
    try:
        # Not through a link, and without waiting at a pipe for somebody to write.
        number = os.open(folder / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return f"it wrote no {name}"
    except OSError:
        return f"{name} is a link, or cannot be read"
    found = os.fstat(number)
    if not stat.S_ISREG(found.st_mode):
        os.close(number)
        return f"{name} is not an ordinary file"
    with os.fdopen(number, "rb") as file:
        if found.st_size > most:
            return f"{name} is larger than the {most:,} bytes that it may have"
        with out.open("xb") as written:
            # What grows while it is read is not followed.
            left = found.st_size
            while left and (chunk := file.read(min(_CHUNK, left))):
                left -= written.write(chunk)
    return ""


def bytes_in(folder: Path, enough: int) -> int:
    """Returns how many bytes lie in a folder, links not followed; it stops counting at `enough`."""
    total, rest = 0, [folder]
    while rest and total < enough:
        try:
            with os.scandir(rest.pop()) as entries:
                for entry in entries:
                    # What costs nothing in bytes costs something all the same.
                    total += 4096 + entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        rest.append(Path(entry.path))
        except OSError:
            continue
    return total
