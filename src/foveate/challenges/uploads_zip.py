"""Zips that must not be opened: bombs, overlapping and hidden files, names that lead elsewhere, links, giant pictures.

References:
    D. Fifield: A better zip bomb, USENIX WOOT 2019 (files that overlap). APPNOTE 6.3.10 (the directory of a zip).
"""

from __future__ import annotations

import stat
import struct
import zipfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path, PurePosixPath, PureWindowsPath

from foveate.challenges._zip_heads import is_usual, refuse_directory
from foveate.challenges.uploads import Bounds, megabytes, problem_of_name
from foveate.challenges.uploads_png import scan_png
from foveate.errors import InputError, some
from foveate.formats._other_kinds import kind_of_bytes

_LOCAL = struct.Struct("<4s22sHH")
_ENCRYPTED = 0x1
_PNG = b"\x89PNG\r\n\x1a\n"
_ARCHIVES = ("a zip", "a gzip archive", "a workbook of Excel (XLSX)")
_DAMAGED = "Zip the masks again."
_NEVER = "Zip the masks alone, without folders; nothing else is ever followed."


def scan_zip(path: Path, bounds: Bounds) -> None:
    """Refuses a zip that must not be opened; what is in it is not unpacked but for the heads of its pictures.

    Raises:
        InputError: It must not.
    """
    refuse_directory(path, str(path), bounds.members, "Zip one mask a photo.", bounds.directory)
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            _refuse_names(path, entries, bounds)
            _refuse_sizes(path, entries, bounds)
            _refuse_overlaps(path, entries)
            for entry in entries:
                _look_into(archive, entry, path, bounds)
    except InputError:
        raise
    except Exception as error:  # zipfile raises of every kind on damaged files.
        raise InputError(str(path), f"this is not a zip that can be read ({error})", _DAMAGED) from error


def _refuse_names(path: Path, entries: Sequence[zipfile.ZipInfo], bounds: Bounds) -> None:
    for entry in entries:
        # What zipfile reads to the first 0 is compared with what stands there.
        problem = problem_of_name(entry.orig_filename, bounds)
        if problem or entry.filename != entry.orig_filename:
            why = problem or "is cut off by a 0"
            raise InputError(f"{path}, {entry.orig_filename}", f"its name {why}", "Give files plain names.")
        parts = (*PurePosixPath(entry.filename).parts, *PureWindowsPath(entry.filename).parts)
        rooted = PurePosixPath(entry.filename).is_absolute() or PureWindowsPath(entry.filename).anchor
        if ".." in parts or rooted:
            raise InputError(f"{path}, {entry.filename}", "its name leads out of the folder", _NEVER)
        if stat.S_ISLNK(entry.external_attr >> 16):
            raise InputError(f"{path}, {entry.filename}", "it is a link to another file", _NEVER)
        if entry.flag_bits & _ENCRYPTED:
            raise InputError(f"{path}, {entry.filename}", "it is encrypted", "Zip the masks without a password.")
        if not is_usual(entry):
            raise InputError(f"{path}, {entry.filename}", "it is packed in an unusual way", "Zip with plain deflate.")


def _refuse_sizes(path: Path, entries: Sequence[zipfile.ZipInfo], bounds: Bounds) -> None:
    large = [entry.filename for entry in entries if entry.file_size > bounds.member]
    if large:
        raise InputError(f"{path}, {large[0]}", f"it unpacks to more than {megabytes(bounds.member)}", "Give a mask.")
    total, packed = sum(entry.file_size for entry in entries), path.stat().st_size
    most = min(bounds.unpacked, bounds.small + bounds.ratio * packed)
    if total > most:
        raise InputError(
            str(path),
            f"it has {megabytes(packed)} and unpacks to {megabytes(total)}",
            f"A zip of this size may unpack to {megabytes(most)}; zip PNGs as they are.",
            expected=f"at most {megabytes(most)}",
            got=megabytes(total),
        )


def _refuse_overlaps(path: Path, entries: Sequence[zipfile.ZipInfo]) -> None:
    """Refuses files that share bytes: so a small zip holds the same large file a thousand times."""
    spans = []
    with path.open("rb") as file:
        for entry in entries:
            file.seek(entry.header_offset)
            head = file.read(_LOCAL.size)
            if len(head) < _LOCAL.size or not head.startswith(b"PK\x03\x04"):
                raise InputError(f"{path}, {entry.filename}", "its place in the zip holds no file", _DAMAGED)
            _, _, name, extra = _LOCAL.unpack(head)
            end = entry.header_offset + _LOCAL.size + name + extra + entry.compress_size
            spans.append((entry.header_offset, end, entry.filename))
    spans.sort()
    shared = [later[2] for earlier, later in pairwise(spans) if later[0] < earlier[1]]
    if shared:
        raise InputError(str(path), f"files in it lie over one another: {some(shared)}", _DAMAGED)


def _look_into(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, path: Path, bounds: Bounds) -> None:
    """Refuses an archive inside, and a picture that is too large to be decoded, by their first bytes.

    What is damaged is left to the reader, who tells it beside all else that is wrong.
    """
    if entry.is_dir():
        return
    where = f"{path}, {entry.filename}"
    try:
        with archive.open(entry) as file:
            start = file.read(len(_PNG))
            if start == _PNG:
                scan_png(file, where, bounds)
    except InputError:
        raise
    except Exception:  # Of every kind, as above.
        return
    kind = kind_of_bytes(start)
    if kind in _ARCHIVES:
        raise InputError(where, f"there is {kind} inside the zip", "Unpack it, and zip its masks.", got=kind)
