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
        check_pin(self.filename, self.sha256, self.bytes)


@dataclass(frozen=True)
class Member:
    """One file inside a pinned archive.

    Attributes:
        archive: The archive.
        path: The file's full name inside it, as the archive spells it; ``inner.zip!/name`` in a zip inside a wheel.
        sha256: Hash of the file itself, 64 lower-case hex digits.
        bytes: Its size.
    """

    archive: PinnedFile
    path: str
    sha256: str
    bytes: int

    def __post_init__(self) -> None:
        check_pin(self.name, self.sha256, self.bytes)

    @property
    def name(self) -> str:
        """The last part of the path, and the file's name in the cache."""
        return PurePosixPath(self.path).name


@dataclass(frozen=True)
class Wanted:
    """What is wanted of one archive, and so comes by one download.

    Attributes:
        archive: The archive.
        members: The files in it, at least one.
    """

    archive: PinnedFile
    members: tuple[Member, ...]

    def __str__(self) -> str:
        """Returns how an error sentence begins: the largest file, for it is the one that the reader knows."""
        largest = max(self.members, key=lambda member: member.bytes)
        more = len(self.members) - 1
        others = f" and {more} more file{'s' if more > 1 else ''}" if more else ""
        return f"{largest.name}{others} of {self.archive.filename}"


class Pinned(Protocol):
    """Anything of which hash and, mostly, size are known beforehand."""

    @property
    def sha256(self) -> str:
        """64 lower-case hex digits."""

    @property
    def bytes(self) -> int | None:
        """The size; None where it was not told."""


class Progress(Protocol):
    """Is told how far a fetch is."""

    def __call__(self, done_bytes: int, total_bytes: int, label: str) -> None:
        """Takes the bytes that are here, the bytes there will be, and what is being fetched."""


def difference(pinned: Pinned, found_sha256: str, found_bytes: int) -> str | None:
    """Returns how a file differs from the pinned one, for an error sentence; None where it is the one.

    Args:
        pinned: What it should be.
        found_sha256: The hash of what was read.
        found_bytes: How much was read; where it is more than it should be, the rest may not have been.
    """
    size = found_bytes if pinned.bytes is None else pinned.bytes
    if found_bytes == size and found_sha256 == pinned.sha256:
        return None
    more = "more than " if found_bytes > size else ""
    told = "" if pinned.bytes is None else f" ({size:,} bytes)"
    return (
        f"sha256 {short(found_sha256)} ({more}{min(found_bytes, size):,} bytes), expected {short(pinned.sha256)}{told}"
    )


def short(sha256: str) -> str:
    """Returns as much of a hash as a person compares."""
    return sha256[:12]


def check_pin(name: str, sha256: str, size: int) -> None:
    """Refuses a name that is more than a name, and a hash that is none.

    Raises:
        ValueError: One of them is.
    """
    # Name and hash become a path in the cache, so nothing in them may lead out of it.
    if name in {"", ".", ".."} or any(mark in name for mark in "/\\\0"):
        raise ValueError(f"a file has a plain name, not {name!r}")
    if not _SHA256.fullmatch(sha256):
        raise ValueError(f"the sha256 of {name} is 64 lower-case hex digits, not {sha256!r}")
    if size < 0:
        raise ValueError(f"the size of {name} is a number of bytes, not {size}")
