"""Archives of images, looked over and renamed before an engine loads them; and archives of programs, unpacked.

An archive says itself under which names its image is loaded. Somebody could so replace an image of ours, or of another
team; the copy that is loaded bears only a name that was chosen here.
"""

from __future__ import annotations

import io
import json
import shutil
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

from foveate.challenges._zip_heads import is_usual
from foveate.errors import InputError

_MANIFEST = "manifest.json"
# What names images beside the manifest; an engine that finds them reads them first.
_NAMES = {"repositories", "index.json", "oci-layout"}
_MOST_MEMBERS, _MOST_MANIFEST = 20_000, 1024 * 1024
_BROKEN = (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError)
_REMEDY = "Write it with: docker save NAME | gzip > image.tar.gz."
_PACKED = "Pack a folder with an executable file `run` at its top, without links, as .zip or .tar.gz."


def write_renamed(archive: Path, name: str, out: Path, most: int) -> None:
    """Writes a copy of an image's archive whose image has one name, the given one.

    Args:
        archive: As `docker save` writes it; plain, gzip, bzip2 or xz.
        name: What the image is called from now on.
        out: The new file, a plain tar.
        most: How many bytes its files may have in all, unpacked.

    Raises:
        InputError: It is no such archive, holds several images, is too large, or has a member that climbs out.
    """
    with _readable(archive, _REMEDY), tarfile.open(archive) as opened:
        manifest = _manifest(archive, opened, most)
        manifest["RepoTags"] = [name]
        with tarfile.open(out, "w", format=tarfile.PAX_FORMAT) as written:
            for member in opened:
                if member.name in _NAMES:
                    continue
                if member.name == _MANIFEST:
                    text = json.dumps([manifest]).encode()
                    member.size = len(text)
                    written.addfile(member, io.BytesIO(text))
                else:
                    written.addfile(member, opened.extractfile(member) if member.isreg() else None)


def unpack_program(archive: Path, into: Path, most: int) -> Path:
    """Unpacks a program's folder into a new one; returns the path of its file `run`.

    Args:
        archive: A `.zip` or a tar, packed or not.
        into: The new folder.
        most: How many bytes it may have, unpacked.

    Raises:
        InputError: It is neither, is too large, has a link or a member that climbs out, or has no file `run`.
    """
    into.mkdir(mode=0o755)
    with _readable(archive, _PACKED):
        if zipfile.is_zipfile(archive):
            _unpack_zip(archive, into, most)
        else:
            _unpack_tar(archive, into, most)
    start = into / "run"
    if not start.is_file():
        raise InputError(archive.name, "it has no file `run` at its top", _PACKED)
    for path in into.rglob("*"):
        path.chmod(0o755 if path.is_dir() or path == start or path.stat().st_mode & 0o100 else 0o644)
    return start


def _manifest(archive: Path, opened: tarfile.TarFile, most: int) -> dict[str, Any]:
    total, found = 0, None
    for count, member in enumerate(opened, 1):
        total += member.size
        _check(archive, member, count, total, most)
        if member.name == _MANIFEST and member.isreg() and member.size <= _MOST_MANIFEST:
            stream = opened.extractfile(member)
            found = stream.read() if stream else None
    try:
        images = json.loads(found or b"")
    except ValueError:
        images = None
    if not isinstance(images, list) or not all(isinstance(one, dict) for one in images):
        raise InputError(archive.name, f"it has no {_MANIFEST} of an image", _REMEDY)
    if len(images) != 1:
        raise InputError(archive.name, f"it holds {len(images):,} images, and one is run", _REMEDY)
    image: dict[str, Any] = images[0]
    return image


def _check(archive: Path, member: tarfile.TarInfo, count: int, total: int, most: int) -> None:
    # `docker save` links a layer to another one beside it; nothing else in an image's archive is a link or a device.
    linked = PurePosixPath(member.name).parent / member.linkname if member.issym() else PurePosixPath(member.linkname)
    if _climbs(member.name) or (member.issym() and _leaves(linked)) or (member.islnk() and _climbs(member.linkname)):
        raise InputError(archive.name, f"its member {member.name[:100]!r} leads out of it", _REMEDY)
    if not (member.isreg() or member.isdir() or member.issym() or member.islnk()):
        raise InputError(archive.name, f"its member {member.name[:100]!r} is neither file, folder nor link", _REMEDY)
    _check_size(archive, count, total, most)


def _check_size(archive: Path, count: int, total: int, most: int) -> None:
    if count > _MOST_MEMBERS:
        raise InputError(archive.name, f"it has more than {_MOST_MEMBERS:,} members", "Make it of fewer files.")
    if total > most:
        raise InputError(archive.name, f"unpacked it has more than the {most:,} bytes that it may", "Make it smaller.")


def _climbs(name: str) -> bool:
    path = PurePosixPath(name)
    return path.is_absolute() or ".." in path.parts or "\\" in name or "\0" in name


def _leaves(path: PurePosixPath) -> bool:
    depth = 0
    for part in path.parts:
        depth += -1 if part == ".." else 0 if part == "." else 1
        if depth < 0 or part == "/":
            return True
    return False


def _unpack_tar(archive: Path, into: Path, most: int) -> None:
    with tarfile.open(archive) as opened:
        total = 0
        for count, member in enumerate(opened, 1):
            total += member.size
            _check_size(archive, count, total, most)
            if _climbs(member.name) or not (member.isreg() or member.isdir()):
                raise InputError(archive.name, f"its member {member.name[:100]!r} is a link or leads out", _PACKED)
            target = into / member.name
            if member.isdir():
                target.mkdir(parents=True, exist_ok=True)
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            stream = opened.extractfile(member)
            with target.open("xb") as file:
                shutil.copyfileobj(stream or io.BytesIO(), file)
            target.chmod(0o755 if member.mode & 0o100 else 0o644)


def _unpack_zip(archive: Path, into: Path, most: int) -> None:
    with zipfile.ZipFile(archive) as opened:
        total = 0
        for count, info in enumerate(opened.infolist(), 1):
            total += info.file_size
            _check_size(archive, count, total, most)
            mode = info.external_attr >> 16
            if _climbs(info.filename) or stat.S_ISLNK(mode):
                raise InputError(archive.name, f"its member {info.filename[:100]!r} is a link or leads out", _PACKED)
            if not is_usual(info):
                raise InputError(archive.name, f"its member {info.filename[:100]!r} is packed unusually", _PACKED)
            target = into / info.filename
            if info.is_dir():
                target.mkdir(parents=True, exist_ok=True)
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            # zipfile gives no more than the size that it was told, and its sum is looked at.
            with opened.open(info) as stream, target.open("xb") as file:
                shutil.copyfileobj(stream, file)
            target.chmod(0o755 if mode & 0o100 else 0o644)


@contextmanager
def _readable(archive: Path, remedy: str) -> Iterator[None]:
    try:
        yield
    except FileExistsError as error:
        raise InputError(archive.name, "it has two members of one name", remedy) from error
    except _BROKEN as error:
        raise InputError(archive.name, "it cannot be read as an archive", remedy) from error
