"""The files of uploads and entries: a folder each, under a random name that tells nothing, read by this user only.

A file has one place from its first byte on, so that an upload becomes an entry without being moved: whatever a crash
leaves, what the database says is there.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

from django.conf import settings
from filelock import FileLock, Timeout

from foveate.app.challenges.models import Entry

FOLDER = "challenges/entries"
_ANSWERS = "challenges/answers"
_CHUNK = 256 * 1024
_LOCK = ".lock"
_SUFFIX = re.compile(r"\.[a-z0-9]{1,8}")


def place(identity: UUID, name: str) -> str:
    """Returns where the file of an upload lies, below the media folder; of its name only the suffix is kept."""
    return f"{FOLDER}/{identity.hex}/entry{suffix_of(name)}"


def suffix_of(name: str) -> str:
    """Returns the suffix of a name in small letters, with its dot; empty where it is none that we write."""
    suffix = Path(name).suffix.lower()
    return suffix if _SUFFIX.fullmatch(suffix) else ""


def path_of(place: str) -> Path:
    """Returns the path of a file by its place."""
    return Path(settings.MEDIA_ROOT) / place


def columns_path(entry: Entry) -> Path:
    """Returns where the columns of an entry lie; a container that was only named has no file to lie beside."""
    return Path(settings.MEDIA_ROOT) / "challenges" / "columns" / f"{entry.pk}.npz"


def answer_path(entry: Entry, name: str) -> Path:
    """Returns where what the program of an entry wrote lies, so that it can be scored anew; of its name the suffix."""
    return Path(settings.MEDIA_ROOT) / _ANSWERS / f"{entry.pk}" / f"answer{suffix_of(name)}"


def answer_of(entry: Entry) -> Path | None:
    """Returns what the program of an entry wrote; None where it is no program's, or there is none."""
    if entry.phase.kind != "reproduction":
        return None
    return next(iter(sorted(answer_path(entry, "").parent.glob("answer*"))), None)


def scored_of(entry: Entry) -> Path | None:
    """Returns the file that gives an entry its score: what was sent, or what a program wrote; None where it is gone."""
    file = answer_of(entry) if entry.phase.kind == "reproduction" else path_of(entry.file)
    return file if file is not None and file.is_file() else None


def length(place: str) -> int:
    """Returns how many bytes of a file are there; 0 where there is none."""
    try:
        return path_of(place).stat().st_size
    except FileNotFoundError:
        return 0


@contextmanager
def alone(identity: UUID) -> Iterator[bool]:
    """Keeps everybody else from writing an upload's file; yields whether nobody was at it."""
    folder = path_of(FOLDER) / identity.hex
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = FileLock(folder / _LOCK, timeout=0, mode=0o600)
    try:
        lock.acquire()
    except Timeout:
        yield False
        return
    try:
        yield True
    finally:
        lock.release()


def write(place: str, offset: int, size: int, read: Callable[[int], bytes]) -> bool:
    """Writes bytes at an offset, and returns once they are on the disk: whether as many came as were said.

    Args:
        place: Of the file.
        offset: Where they belong; what lies behind it is of a part that was never acknowledged, and is cut off.
        size: How many there are.
        read: Returns at most so many of them, none when they end.

    Raises:
        OSError: The disk is full or broken.
    """
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    path = path_of(place)
    with os.fdopen(os.open(path, flags, 0o600), "r+b") as file:
        file.truncate(offset)
        file.seek(offset)
        left = size
        while left and (chunk := read(min(left, _CHUNK))):
            file.write(chunk)
            left -= len(chunk)
        file.flush()
        os.fsync(file.fileno())
    if offset == 0:
        _keep_name(path.parent)
        _keep_name(path.parent.parent)
    return left == 0


def differs(place: str, offset: int, size: int, read: Callable[[int], bytes]) -> int | None:
    """Returns at which byte of a file what comes is other than what is there; None where all that comes is there.

    Raises:
        OSError: The file is gone.
    """
    with path_of(place).open("rb") as file:
        file.seek(offset)
        at = offset
        while at < offset + size and (chunk := read(min(offset + size - at, _CHUNK))):
            here = file.read(len(chunk))
            if here != chunk:
                same = (number for number, (a, b) in enumerate(zip(here, chunk, strict=False)) if a != b)
                return at + next(same, len(here))
            at += len(chunk)
    return None


def finished(place: str) -> None:
    """Removes what only writing needed: nobody writes to the file of an entry."""
    (path_of(place).parent / _LOCK).unlink(missing_ok=True)


def remove(identity: UUID | str) -> None:
    """Removes the folder of an upload or entry, and what was worked out beside its file."""
    name = identity.hex if isinstance(identity, UUID) else identity
    shutil.rmtree(path_of(FOLDER) / name, ignore_errors=True)


def folder_of(place: str) -> str:
    """Returns the name of the folder in which a file lies."""
    return Path(place).parent.name


def _keep_name(folder: Path) -> None:
    """Brings the names in a folder to the disk; where a folder cannot be opened, the system does that itself."""
    if os.name == "posix":
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
