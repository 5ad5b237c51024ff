"""What a zip from elsewhere is asked before anything of it is unpacked: how long its list is, how it is packed."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

from foveate.challenges.uploads import megabytes
from foveate.errors import InputError

# A list of 20,000 files with long names has less.
MOST_DIRECTORY = 8 * 2**20
_END, _END_BYTES = b"PK\x05\x06", 22
_LOCATOR_64, _LOCATOR_BYTES = b"PK\x06\x07", 20
_END_64, _END_64_BYTES = b"PK\x06\x06", 56
_MOST_COMMENT = 2**16
_PACKINGS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_DAMAGED = "Zip its files again."


def refuse_directory(path: Path, where: str, most: int, remedy: str, directory: int = MOST_DIRECTORY) -> None:
    """Refuses a list of files that would fill the memory when it is read.

    Args:
        path: The zip.
        where: What messages call it.
        most: How many files it may hold.
        remedy: What helps where it holds more.
        directory: How many bytes the list may have.

    Raises:
        InputError: It is too long, or its end, which says how long it is, is missing or is two.
    """
    number, length = _list_of(path, where)
    if number > most:
        problem = f"it holds {number:,} files; at most {most:,} are taken"
        raise InputError(where, problem, remedy, got=f"{number} files")
    if length > directory:
        raise InputError(where, f"the list of its files has {megabytes(length)}", remedy)


def is_usual(info: zipfile.ZipInfo) -> bool:
    """Returns whether a file is packed as all packers do: stored or deflated.

    Python unpacks bzip2 and LZMA a whole block at a time, so that a kilobyte of them takes gigabytes of memory.
    """
    return info.compress_type in _PACKINGS


def _list_of(path: Path, where: str) -> tuple[int, int]:
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(size - _END_BYTES - _MOST_COMMENT - _LOCATOR_BYTES - _END_64_BYTES, 0))
        tail = file.read()
    at = tail.rfind(_END)
    if at < 0 or len(tail) - at < _END_BYTES:
        raise InputError(where, "this is not a zip that can be read (it has no end)", "Send a whole zip.")
    number, length = struct.unpack_from("<HI", tail, at + 10)
    long_end = at - _LOCATOR_BYTES - _END_64_BYTES
    if tail[max(at - _LOCATOR_BYTES, 0) : at].startswith(_LOCATOR_64):
        # Readers look for the long end before the locator, or where it says: both must be one place.
        (told,) = struct.unpack_from("<Q", tail, at - _LOCATOR_BYTES + 8)
        if long_end < 0 or tail[long_end : long_end + 4] != _END_64 or told != size - len(tail) + long_end:
            raise InputError(where, "this is not a zip that can be read (it has two ends)", _DAMAGED)
        number, length = struct.unpack_from("<QQ", tail, long_end + 32)
    return int(number), int(length)
