"""The system's refusal to write, in the one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from foveate.errors import OutputError


@contextmanager
def told(path: Path, remedy: str) -> Iterator[None]:
    """Turns the system's refusal to write into the one sentence.

    Raises:
        OutputError: What is inside could not write.
    """
    try:
        yield
    except OSError as error:
        raise OutputError(str(path), f"it cannot be written ({error.strerror or error})", remedy) from error
