"""Unpacks the zip of a challenge's folder, and trusts nothing in it."""

from __future__ import annotations

import stat
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from foveate.challenges._zip_heads import is_usual, refuse_directory
from foveate.challenges.definition import Limits
from foveate.challenges.toml import FILE
from foveate.challenges.uploads import megabytes, scan
from foveate.errors import InputError, shown

_CHUNK = 1024 * 1024
_REMEDY = "Pack the challenge's folder anew, with ordinary files only."
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, UnicodeDecodeError)
_LONGEST = 200
# What is looked into; of what lies in other files no line is known.
_LOOKED_AT = (".csv", ".json", ".jsonl", ".ndjson", ".zip")
_NO_TABLES = (".zip", ".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff")


@dataclass(frozen=True)
class Most:
    """How much may come out of an archive.

    Attributes:
        files: Members.
        bytes: Of all of them together, as they really come out.
        tables: Of all that is neither picture nor zip, together: it is read in the memory of the server.
    """

    files: int = 20_000
    bytes: int = 1024**3
    tables: int = 64 * 1024**2


def unpack(archive: Path, into: Path, most: Most | None = None) -> Path:
    """Writes the files of a zip below a new folder; returns the folder in which `challenge.toml` lies.

    That is the archive's top, or its only folder. What is no ordinary file with a plain relative name is refused, and
    so is what grows beyond `most` while it is written, whatever the archive says of itself.

    Raises:
        InputError: It is no zip, is broken or encrypted, holds something else than files, too much, or no challenge.
    """
    most = most or Most()
    where = archive.name
    into.mkdir(parents=True)
    refuse_directory(archive, where, most.files, _REMEDY)
    try:
        with zipfile.ZipFile(archive) as opened:
            members = _members(opened, where, most)
            _refuse_tables(members, where, most)
            left = most.bytes
            for member, name in members:
                left -= _write(opened, member, into / name, left, where)
                _look_at(into / name, f"{where}, {name}", most)
    except _BROKEN as error:
        raise InputError(where, f"this is not a zip that can be read ({type(error).__name__})", _REMEDY) from error
    tops = [into, *(path for path in sorted(into.iterdir()) if path.is_dir())]
    found = [path for path in tops if (path / FILE).is_file()]
    if len(found) != 1:
        problem = f"there is no {FILE} in it" if not found else f"there are {len(found)} files {FILE} in it"
        raise InputError(where, problem, "Pack the folder that holds it, and nothing else.")
    return found[0]


def _members(opened: zipfile.ZipFile, where: str, most: Most) -> list[tuple[zipfile.ZipInfo, PurePosixPath]]:
    found, seen = [], set[str]()
    for info in opened.infolist():
        # What other systems add.
        if info.is_dir() or info.filename.startswith("__MACOSX/") or info.filename.endswith("/.DS_Store"):
            continue
        problem = _problem(info, seen)
        if problem:
            raise InputError(f"{where}, {shown(info.filename)[:_LONGEST]}", problem, _REMEDY)
        seen.add(info.filename.casefold())
        found.append((info, PurePosixPath(info.filename)))
    return found


def _problem(info: zipfile.ZipInfo, seen: set[str]) -> str | None:
    name = info.filename
    mode = info.external_attr >> 16
    parts = name.split("/")
    # A drive (C:) and a backslash mean something on other systems only; an archive that has them means harm or mistake.
    odd = not name.isprintable() or "\\" in name or ":" in name or len(name) > _LONGEST
    if odd or name.startswith("/") or any(part in ("", ".", "..") for part in parts):
        return "it is no plain name of a file below the folder"
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return "it is a link or a device, not a file"
    if info.flag_bits & 0x1:
        return "it is encrypted"
    if not is_usual(info):
        return "it is packed in an unusual way"
    if name.casefold() in seen:
        return "there are two files of this name"
    return None


def _refuse_tables(members: list[tuple[zipfile.ZipInfo, PurePosixPath]], where: str, most: Most) -> None:
    total = sum(info.file_size for info, name in members if name.suffix.lower() not in _NO_TABLES)
    if total > most.tables:
        problem = f"its texts and tables have {megabytes(total)}; at most {megabytes(most.tables)} are taken on the web"
        raise InputError(where, problem, "Load the folder by the command foveate challenge load.")


def _look_at(path: Path, called: str, most: Most) -> None:
    """Refuses a file of data whose lines, lists or archives inside would take the memory when it is read."""
    if path.suffix.lower() not in _LOOKED_AT or not path.stat().st_size:
        return
    try:
        scan(path, Limits(most_bytes=most.bytes))
    except InputError as error:
        raise InputError(error.where.replace(str(path), called), error.problem, error.remedy) from error


def _write(opened: zipfile.ZipFile, member: zipfile.ZipInfo, out: Path, left: int, where: str) -> int:
    """Writes one member; returns how many bytes came out."""
    done = 0
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with opened.open(member) as source, out.open("xb") as file:
            while chunk := source.read(_CHUNK):
                done += len(chunk)
                if done > left:
                    raise InputError(where, "more comes out of it than is taken", _REMEDY)
                file.write(chunk)
    except (FileExistsError, NotADirectoryError, IsADirectoryError) as error:
        problem = "there is a file and a folder of this name"
        raise InputError(f"{where}, {shown(member.filename)}", problem, _REMEDY) from error
    return done
