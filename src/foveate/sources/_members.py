"""Takes single files out of a verified archive, and trusts no name in it.

Nothing is unpacked: a member is found by its exact name, only an ordinary file counts, and its bytes go to a path that
is made from our own declaration. Links, devices and names that climb out of a folder can thus do nothing.
"""

from __future__ import annotations

import gzip
import hashlib
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Protocol

from foveate.errors import InputError
from foveate.sources._files import CHUNK
from foveate.sources._pins import Member, PinnedFile

_BROKEN = (tarfile.TarError, zipfile.BadZipFile, gzip.BadGzipFile, zlib.error, EOFError, NotImplementedError)


class Sink(Protocol):
    """Is given each member that was found, once."""

    def __call__(self, member: Member, stream: IO[bytes]) -> None:
        """Takes the member and its bytes."""


def each_member(archive: Path, members: Sequence[Member], sink: Sink) -> None:
    """Gives every one of ``members`` of one archive to ``sink``, in the order in which they lie there.

    Raises:
        InputError: The file is no archive, or lacks a member.
    """
    pinned = members[0].archive
    wanted = {member.path: member for member in members}
    with _readable(pinned):
        if pinned.filename.endswith((".whl", ".zip")):
            _from_zip(archive, wanted, sink)
        else:
            _from_tar(archive, wanted, sink)
    if wanted:
        raise InputError(
            pinned.filename,
            f"it has no file {next(iter(wanted))}",
            "The declaration in Foveate does not fit this archive: please report it.",
        )


def copy_verified(member: Member, stream: IO[bytes], target: Path) -> None:
    """Writes a member's bytes to ``target``, no more than it may have, and checks their hash.

    Raises:
        InputError: Size or hash differ; ``target`` is removed.
    """
    digest, done = hashlib.sha256(), 0
    with target.open("wb") as out:
        while done <= member.bytes and (chunk := stream.read(min(CHUNK, member.bytes + 1 - done))):
            digest.update(chunk)
            done += out.write(chunk)
    if done == member.bytes and digest.hexdigest() == member.sha256:
        return
    target.unlink()
    more = "more than " if done > member.bytes else ""
    raise InputError(
        f"{member.archive.filename}, {member.path}",
        f"it has sha256 {digest.hexdigest()} ({more}{min(done, member.bytes)} bytes), expected {member.sha256} "
        f"({member.bytes} bytes)",
        "The declaration in Foveate does not fit this archive: please report it.",
    )


def _from_zip(archive: Path, wanted: dict[str, Member], sink: Sink) -> None:
    with zipfile.ZipFile(archive) as opened:
        for info in opened.infolist():
            if info.filename in wanted and not info.is_dir():
                with opened.open(info) as stream:
                    sink(wanted.pop(info.filename), stream)


def _from_tar(archive: Path, wanted: dict[str, Member], sink: Sink) -> None:
    # As a stream, and no further than needed: going back in a gzip would unpack it from the start again.
    with tarfile.open(archive, "r|*") as opened:
        for info in opened:
            if info.isreg() and info.name in wanted:
                stream = opened.extractfile(info)
                if stream is not None:
                    sink(wanted.pop(info.name), stream)
            if not wanted:
                return


@contextmanager
def _readable(pinned: PinnedFile) -> Iterator[None]:
    try:
        yield
    except _BROKEN as error:
        raise InputError(
            pinned.filename,
            f"it cannot be read as an archive: {error}",
            "Its hash is the pinned one, so the declaration in Foveate is wrong: please report it.",
        ) from error
