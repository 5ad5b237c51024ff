"""Files and folders that are written as a whole or not at all, and never over another."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from foveate.errors import OutputError, reason_of
from foveate.replaced_files import part_of


@contextmanager
def new_file(out: Path) -> Iterator[BinaryIO]:
    """Opens a new file; until all of it is written it is a hidden part beside, so that no kill leaves a half file.

    What fails inside leaves neither file nor part behind; only a kill can leave the part.

    Raises:
        OutputError: The file is there already, before or after, or cannot be written.
    """
    refuse_taken(out)
    part = part_of(out)
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


@contextmanager
def new_place(out: Path) -> Iterator[Path]:
    """Gives a hidden place beside for a file or folder, which becomes `out` when all of it is written.

    The folders above are made. What fails inside leaves nothing behind but these; only a kill can leave the part.

    Raises:
        OutputError: There is something at `out`, before or after, or it cannot be written.
    """
    refuse_taken(out)
    part = part_of(out)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        yield part
        _put_in_place(part, out)
    except OSError as error:
        raise _unwritable(out, error) from error
    finally:
        if part.is_dir():
            shutil.rmtree(part, ignore_errors=True)
        else:
            with suppress(OSError):
                part.unlink(missing_ok=True)


def refuse_taken(out: Path) -> None:
    """Refuses to write where something is.

    Raises:
        OutputError: Something is there, or nothing can be.
    """
    try:
        out.lstat()
    except FileNotFoundError:
        return
    except OSError as error:
        raise _unwritable(out, error) from error
    raise _taken(out)


def _put_in_place(part: Path, out: Path) -> None:
    if part.is_dir():
        refuse_taken(out)
        part.rename(out)
        return
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
    what = "folder" if out.is_dir() else "file"
    return OutputError(str(out), f"there is a {what} already", "Choose another --out.")


def _unwritable(out: Path, error: OSError) -> OutputError:
    return OutputError(str(out), f"it cannot be written ({reason_of(error)})", "Choose another --out.")
