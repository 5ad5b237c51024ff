"""A file that is written as a whole or not at all, and never over another."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from foveate.errors import OutputError


@contextmanager
def new_file(out: Path) -> Iterator[BinaryIO]:
    """Opens a new file; what fails inside leaves no file behind.

    Raises:
        OutputError: The file is there already, or cannot be written.
    """
    try:
        file = out.open("xb")
    except FileExistsError as error:
        raise OutputError(str(out), "there is a file already", "Choose another --out.") from error
    except OSError as error:
        raise _unwritable(out, error) from error
    try:
        with file:
            yield file
    except BaseException as error:
        out.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise _unwritable(out, error) from error
        raise


def _unwritable(out: Path, error: OSError) -> OutputError:
    return OutputError(str(out), f"it cannot be written ({error.strerror})", "Choose another --out.")
