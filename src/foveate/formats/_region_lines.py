"""Lines of a long file found by their number: where each begins is looked up once and put by beside the file."""

from __future__ import annotations

import mmap
import os
import secrets
import zipfile
from array import array
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from foveate.errors import InputError
from foveate.formats._region_names import PhotoRows, keys_of

# No photo's name is longer; a file whose first column is, has other columns.
_LONGEST_KEY = 400
_SUFFIX = ".foveate-index.npz"


class Lines:
    """The lines of a file, each found by the photo in its first column.

    Args:
        path: The file; lines end in a line feed, columns are parted by tabs.
        lineidx: A file beside that tells where lines begin, one number a line, where there is one (VinVL's).

    Raises:
        InputError: A line has no first column, or the numbers beside are not those of this file.
    """

    def __init__(self, path: Path, lineidx: Path | None = None) -> None:
        self.path = path
        self._size = path.stat().st_size
        if not self._size:
            raise InputError(str(path), "it is empty", "Copy it again from where it came from.")
        keys, self._starts = _put_by(path) or _looked_up(path, lineidx)
        self.rows = PhotoRows(path, keys)

    def __len__(self) -> int:
        return len(self._starts)

    def columns(self, row: int) -> list[bytes]:
        """Returns the columns of a line."""
        start = int(self._starts[row])
        end = int(self._starts[row + 1]) if row + 1 < len(self) else self._size
        with self.path.open("rb") as file:
            file.seek(start)
            return file.read(end - start).rstrip(b"\r\n").split(b"\t")

    def where(self, row: int) -> str:
        """Returns a line's place, for messages."""
        return f"{self.path}, row {row + 1} ({self.rows.keys[row].decode(errors='replace')})"


def _looked_up(path: Path, lineidx: Path | None) -> tuple[NDArray[np.bytes_], NDArray[np.int64]]:
    told = _told(path, lineidx) if lineidx is not None else None
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        starts = _found(data) if told is None else told
        keys = keys_of([_key(path, data, int(start), row) for row, start in enumerate(starts)])
    if told is None:
        _put_away(path, keys, starts)
    return keys, starts


def _found(data: mmap.mmap) -> NDArray[np.int64]:
    starts, at = array("q"), 0
    while at < len(data):
        end = data.find(b"\n", at)
        if data[at : at + 1] not in (b"\n", b"\r"):
            starts.append(at)
        at = len(data) if end < 0 else end + 1
    return np.array(starts, dtype=np.int64)


def _told(path: Path, lineidx: Path) -> NDArray[np.int64]:
    try:
        starts = np.array([int(line) for line in lineidx.read_text(encoding="ascii").split()], dtype=np.int64)
    except ValueError as error:
        raise InputError(str(lineidx), f"it is no list of numbers ({error})", "Remove it; it is made anew.") from error
    size = path.stat().st_size
    with path.open("rb") as file:
        for start in starts[1:2].tolist() + starts[-1:].tolist():
            file.seek(max(start - 1, 0))
            if start >= size or (start and file.read(1) != b"\n"):
                problem = f"byte {start:,} is not where a row of {path.name} ({size:,} bytes) begins"
                raise InputError(str(lineidx), problem, "Remove it; where rows begin is then looked up anew.")
    return starts


def _key(path: Path, data: mmap.mmap, start: int, row: int) -> bytes:
    begin = data[start : start + _LONGEST_KEY]
    key, tab, _ = begin.partition(b"\t")
    if not tab or not key:
        raise InputError(
            f"{path}, row {row + 1}",
            f"it has no photo in a first column parted by a tab, but {begin[:20].decode(errors='replace')!r}",
            "Give a .tsv of features, or say its columns: fields=image_id,…",
        )
    return key


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}{_SUFFIX}")


def _stamp(path: Path) -> NDArray[np.int64]:
    found = path.stat()
    return np.array([found.st_size, found.st_mtime_ns], dtype=np.int64)


def _put_by(path: Path) -> tuple[NDArray[np.bytes_], NDArray[np.int64]] | None:
    """Returns what was put by for exactly this file, or None."""
    try:
        # NumPy leaves a file open that it cannot make out.
        with _beside(path).open("rb") as file, np.load(file, allow_pickle=False) as held:
            if held["stamp"].tolist() != _stamp(path).tolist():
                return None
            return held["keys"], held["starts"]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None


def _put_away(path: Path, keys: NDArray[np.bytes_], starts: NDArray[np.int64]) -> None:
    # Where the folder cannot be written it is looked up in each process.
    part = path.with_name(f".{secrets.token_hex(8)}.part")
    with suppress(OSError):
        try:
            with part.open("xb") as file:
                np.savez(file, stamp=_stamp(path), keys=keys, starts=starts)
                file.flush()
                os.fsync(file.fileno())
            part.replace(_beside(path))
        finally:
            part.unlink(missing_ok=True)
