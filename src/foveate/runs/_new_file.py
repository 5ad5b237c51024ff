"""A file that is written as a whole or not at all, and never over another."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from foveate.errors import OutputError


@contextmanager
def new_file(out: Path) -> Iterator[BinaryIO]:
    """Opens a new file; until all of it is written it is a hidden part beside, so that no kill leaves a half file.

    What fails inside leaves neither file nor part behind; only a kill can leave the part.

    Raises:
        OutputError: The file is there already, before or after, or cannot be written.
    """
    _refuse_taken(out)
    part = out.with_name(f".{secrets.token_hex(8)}.part")
    try:
        file = part.open("xb")
    except OSError as error:
        raise _unwritable(out, error) from error
    try:
        with file:
            yield file
        _put_in_place(part, out)
    except OSError as error:
        raise _unwritable(out, error) from error
    finally:
        part.unlink(missing_ok=True)


def _refuse_taken(out: Path) -> None:
    try:
        out.lstat()
    except FileNotFoundError:
        return
    except OSError as error:
        raise _unwritable(out, error) from error
    raise _taken(out)


def _put_in_place(part: Path, out: Path) -> None:
    with part.open("r+b") as file:
        os.fsync(file.fileno())  # Else a power cut could keep the name and lose what is in it.
    try:
        out.hardlink_to(part)
    except FileExistsError as error:
        raise _taken(out) from error
    except OSError:
        # Some sticks and network folders have no links. The name is taken first, since moving would overwrite.
        _move(part, out)


def _move(part: Path, out: Path) -> None:
    try:
        out.touch(exist_ok=False)
    except FileExistsError as error:
        raise _taken(out) from error
    try:
        part.replace(out)
    except BaseException:
        out.unlink(missing_ok=True)
        raise


def _taken(out: Path) -> OutputError:
    return OutputError(str(out), "there is a file already", "Choose another --out.")


def _unwritable(out: Path, error: OSError) -> OutputError:
    return OutputError(str(out), f"it cannot be written ({error.strerror or error})", "Choose another --out.")
