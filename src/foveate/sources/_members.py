"""Takes single files out of a verified archive, and trusts no name in it.

Nothing is unpacked: a member is found by its exact name, only an ordinary file counts, and its bytes go to a path that
is made from our own declaration. Links, devices and names that climb out of a folder can thus do nothing. A member of a
zip inside a zip is named ``inner.zip!/name``.
"""

from __future__ import annotations

import gzip
import hashlib
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Protocol

from foveate.errors import UnavailableError
from foveate.sources._files import CHUNK
from foveate.sources._pins import Member, Wanted, difference

# Between the name of a zip and the name of a file in it.
INSIDE = "!/"
_BROKEN = (tarfile.TarError, zipfile.BadZipFile, gzip.BadGzipFile, zlib.error, EOFError, NotImplementedError)
_REMEDY = "Its hash is the pinned one, so the declaration in Foveate is wrong: please report it."


class Sink(Protocol):
    """Is given each member that was found, once."""

    def __call__(self, member: Member, stream: IO[bytes]) -> None:
        """Takes the member and its bytes."""


def each_member(archive: Path, wanted: Wanted, sink: Sink) -> None:
    """Gives every wanted member of an archive to ``sink``, in the order in which they lie there.

    Raises:
        UnavailableError: The file is no archive, or lacks a member.
    """
    lacking = {member.path: member for member in wanted.members}
    with _readable(wanted):
        if wanted.archive.filename.endswith((".whl", ".zip")):
            _from_zip(archive, lacking, sink)
        else:
            _from_tar(archive, lacking, sink)
    if lacking:
        raise UnavailableError(str(wanted), f"the archive has no file {next(iter(lacking))}", _REMEDY)


def copy_verified(member: Member, stream: IO[bytes], target: Path) -> None:
    """Writes a member's bytes to ``target``, no more than it may have, and checks their hash.

    Raises:
        UnavailableError: Size or hash differ; ``target`` is removed.
    """
    digest, done = hashlib.sha256(), 0
    with target.open("wb") as out:
        while done <= member.bytes and (chunk := stream.read(min(CHUNK, member.bytes + 1 - done))):
            digest.update(chunk)
            done += out.write(chunk)
    differs = difference(member, digest.hexdigest(), done)
    if differs:
        target.unlink()
        raise UnavailableError(str(Wanted(member.archive, (member,))), f"{member.path} has {differs}", _REMEDY)


def _from_zip(archive: Path | IO[bytes], lacking: dict[str, Member], sink: Sink) -> None:
    with zipfile.ZipFile(archive) as opened:
        for info in opened.infolist():
            if info.filename in lacking and not info.is_dir():
                with opened.open(info) as stream:
                    sink(lacking.pop(info.filename), stream)
            prefix = f"{info.filename}{INSIDE}"
            inner = {path.removeprefix(prefix): path for path in lacking if path.startswith(prefix)}
            if inner:
                within = {name: lacking.pop(path) for name, path in inner.items()}
                with opened.open(info) as stream:
                    _from_zip(stream, within, sink)
                lacking.update({inner[name]: member for name, member in within.items()})


def _from_tar(archive: Path, lacking: dict[str, Member], sink: Sink) -> None:
    # As a stream, and no further than needed: going back in a gzip would unpack it from the start again.
    with tarfile.open(archive, "r|*") as opened:
        for info in opened:
            if info.name in lacking and info.isreg() and (stream := opened.extractfile(info)):
                sink(lacking.pop(info.name), stream)
            if not lacking:
                return


@contextmanager
def _readable(wanted: Wanted) -> Iterator[None]:
    try:
        yield
    except _BROKEN as error:
        raise UnavailableError(str(wanted), f"the archive cannot be read ({error})", _REMEDY) from error
