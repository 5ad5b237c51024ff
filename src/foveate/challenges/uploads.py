"""What may be in a file that somebody has sent, looked at before anything reads it."""

from __future__ import annotations

from pathlib import Path

from foveate.challenges.definition import Limits
from foveate.errors import InputError


def scan(path: Path, limits: Limits) -> None:
    """Looks at a file's size.

    Raises:
        InputError: It may not be taken.
    """
    size = path.stat().st_size
    if not size:
        raise InputError(path.name, "the file is empty", "Send the file itself.")
    if size > limits.most_bytes:
        raise InputError(path.name, f"it has {size:,} bytes, {limits.most_bytes:,} are taken", "Send a smaller one.")
