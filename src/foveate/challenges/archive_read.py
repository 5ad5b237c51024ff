"""Reads an archive of a challenge, and trusts nothing in it: no name, size or sum, nor that rows fit each other."""

from __future__ import annotations

import hashlib
import json
import re
import stat
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from foveate.challenges import definition
from foveate.challenges._zip_heads import is_usual
from foveate.challenges.archive import (
    CHALLENGE,
    FORMAT,
    MANIFEST,
    TABLES,
    ChallengeKept,
    EntryKept,
    EventKept,
    Manifest,
    PhaseKept,
    ReferenceKept,
    TeamKept,
    pack_member,
)
from foveate.challenges.pack import MANIFEST as PACK
from foveate.challenges.pack import SAMPLES, Pack, open_pack
from foveate.challenges.said import of_said
from foveate.errors import InputError, reason_of, shown

T = TypeVar("T", bound=BaseModel)
_REMEDY = "Take the archive anew from where it was made: foveate challenge export."
_CHUNK = 1 << 20
_LONGEST_LINE, _LARGEST_MANIFEST = 1 << 24, 1 << 27
_NAME = re.compile(
    r"(challenge\.json|(phases|teams|entries|events|references)\.jsonl"
    r"|(entries|answers)/[-a-zA-Z0-9_]{1,60}/\d{1,10}(\.[a-z0-9]{1,8})?|columns/[-a-zA-Z0-9_]{1,60}/\d{1,10}\.npz"
    r"|packs/[0-9a-f]{64}/(pack\.json|samples\.jsonl|questions\.jsonl))",
    re.ASCII,
)
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    KeyError,
    ValueError,
    StopIteration,
)


@dataclass(frozen=True)
class Most:
    """How much may be in an archive: files, and bytes of all of them together as they come out."""

    files: int = 500_000
    bytes: int = 1 << 40


@dataclass(frozen=True)
class Archive:
    """An archive that was read once from end to end and is whole.

    Attributes:
        path: The file.
        manifest: What it says of itself.
        challenge: The challenge.
        phases: All.
        teams: All.
        entries: All.
        events: All.
        references: All.
    """

    path: Path
    manifest: Manifest
    challenge: ChallengeKept
    phases: Sequence[PhaseKept]
    teams: Sequence[TeamKept]
    entries: Sequence[EntryKept]
    events: Sequence[EventKept]
    references: Sequence[ReferenceKept]
    _zip: zipfile.ZipFile

    def phase(self, name: str) -> definition.Phase:
        """Returns what was said of a phase."""
        row = next(one for one in self.phases if one.name == name)
        return of_said(definition.Phase, row.said, name)

    def extract(self, member: str, out: Path) -> None:
        """Writes a file of the archive to a place of ours."""
        with self._zip.open(member) as source, out.open("xb") as file:
            while chunk := source.read(_CHUNK):
                file.write(chunk)

    def has_targets(self, fingerprint: str) -> bool:
        """Returns whether the targets of a phase are in it."""
        return pack_member(fingerprint, SAMPLES) in self.manifest.sha256

    def extract_pack(self, fingerprint: str, folder: Path) -> Pack:
        """Writes the data of a phase into a new folder; returns them.

        Raises:
            InputError: They are not in it, or are others than it says.
        """
        folder.mkdir(parents=True)
        for name in (PACK, SAMPLES):
            if pack_member(fingerprint, name) not in self.manifest.sha256:
                raise InputError(str(self.path), "it was made without targets", "Say where they are: --against FOLDER.")
            self.extract(pack_member(fingerprint, name), folder / name)
        pack = open_pack(folder, verify=True)
        if pack.fingerprint != fingerprint:
            raise _fault(self.path, f"the data of {fingerprint[:12]} say that they are {pack.fingerprint[:12]}")
        return pack


@contextmanager
def opened(path: Path, most: Most | None = None) -> Iterator[Archive]:
    """Opens an archive after all of it was read once, and lends it.

    Raises:
        InputError: It is no archive of a challenge, is damaged, of another form, or holds what does not belong in it.
    """
    # What goes wrong while it is lent is no fault of the archive.
    with _reading(path):
        file = zipfile.ZipFile(path)
    with file:
        with _reading(path):
            archive = _read(path, file, most or Most())
        yield archive


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    try:
        yield
    except _BROKEN as error:
        raise _fault(path, f"it is no archive of a challenge that can be read ({type(error).__name__})") from error
    except OSError as error:
        raise InputError(str(path), f"it cannot be read ({reason_of(error)})", "Look at the file.") from error


def _read(path: Path, file: zipfile.ZipFile, most: Most) -> Archive:
    manifest = _manifest(path, file, most)
    archive = Archive(
        path,
        manifest,
        next(_rows(path, file, CHALLENGE, ChallengeKept)),
        list(_rows(path, file, "phases.jsonl", PhaseKept)),
        list(_rows(path, file, "teams.jsonl", TeamKept)),
        list(_rows(path, file, "entries.jsonl", EntryKept)),
        list(_rows(path, file, "events.jsonl", EventKept)),
        list(_rows(path, file, "references.jsonl", ReferenceKept)),
        file,
    )
    _check_fit(archive)
    return archive


def _fault(path: Path, problem: str) -> InputError:
    return InputError(str(path), problem, _REMEDY)


def _manifest(path: Path, file: zipfile.ZipFile, most: Most) -> Manifest:
    infos = file.infolist()
    _check_members(path, infos, most)
    if file.getinfo(MANIFEST).file_size > _LARGEST_MANIFEST:
        raise _fault(path, f"its {MANIFEST} is larger than any is")
    manifest = Manifest.model_validate_json(file.read(MANIFEST))
    if manifest.foveate_archive != FORMAT:
        raise InputError(str(path), f"it has form {manifest.foveate_archive}, not {FORMAT}", "Update Foveate.")
    if {info.filename for info in infos} - {MANIFEST} != set(manifest.sha256) or not {
        *TABLES,
        CHALLENGE,
    } <= set(manifest.sha256):
        raise _fault(path, "its files are not those that it lists")
    for name, expected in manifest.sha256.items():
        if (found := _sum(file, name)) != expected:
            raise _fault(path, f"{shown(name)} has the sha256 {found[:12]}, and {expected[:12]} is said")
    return manifest


def _check_members(path: Path, infos: Sequence[zipfile.ZipInfo], most: Most) -> None:
    if len(infos) > most.files or sum(info.file_size for info in infos) > most.bytes:
        raise _fault(path, f"it holds more than {most.files:,} files or {most.bytes:,} bytes")
    if len({info.filename for info in infos}) != len(infos):
        raise _fault(path, "two of its files have one name")
    end = 0
    for info in sorted(infos, key=lambda info: info.header_offset):
        if info.filename != MANIFEST and not _NAME.fullmatch(info.filename):
            raise _fault(path, f"a file named {shown(info.filename)[:200]} does not belong in it")
        if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG) or info.flag_bits & 0x1:
            raise _fault(path, f"{info.filename} is no ordinary file, or is encrypted")
        if not is_usual(info):
            raise _fault(path, f"{info.filename} is packed in an unusual way")
        # Files that share their bytes make gigabytes of kilobytes.
        if info.header_offset < end:
            raise _fault(path, f"{info.filename} lies over another file")
        end = info.header_offset + 30 + len(info.filename) + info.compress_size


def _sum(file: zipfile.ZipFile, name: str) -> str:
    found = hashlib.sha256()
    with file.open(name) as member:
        while chunk := member.read(_CHUNK):
            found.update(chunk)
    return found.hexdigest()


def _rows(path: Path, file: zipfile.ZipFile, name: str, kind: type[T]) -> Iterator[T]:
    with file.open(name) as lines:
        for number, line in enumerate(iter(lambda: lines.readline(_LONGEST_LINE), b""), 1):
            try:
                # Python's own JSON reads every number as it was written, and takes no row for another's type.
                yield kind.model_validate(_plain(line))
            except (ValidationError, RecursionError, ValueError) as error:
                at = error.errors()[0]["loc"] if isinstance(error, ValidationError) else ""
                where = ".".join(map(str, at))
                raise _fault(path, f"{name}, line {number} cannot be taken: {where or type(error).__name__}") from error


def _plain(line: bytes) -> Any:
    def refuse(word: str) -> float:
        raise ValueError(word)

    return json.loads(line, parse_constant=refuse)


def _check_fit(archive: Archive) -> None:
    """Looks whether rows name rows that are there, each once, and files that are there."""
    of_said(definition.Challenge, archive.challenge.said, CHALLENGE)
    phases = {one.name: of_said(definition.Phase, one.said, one.name) for one in archive.phases}
    teams = {one.number for one in archive.teams}
    numbers = {(one.phase, one.number) for one in archive.entries}
    unique = [
        (len(phases), len(archive.phases)),
        (len(teams), len(archive.teams)),
        (len(numbers), len(archive.entries)),
        (len({one.key for one in archive.teams}), len(archive.teams)),
        (len({one.alias for one in archive.teams}), len(archive.teams)),
        (len({(one.team, one.key) for one in archive.entries}), len(archive.entries)),
        (len({(one.phase, one.name) for one in archive.references}), len(archive.references)),
        (len({(one.phase, one.team) for one in archive.entries if one.chosen}), sum(e.chosen for e in archive.entries)),
    ]
    if any(found != said for found, said in unique):
        raise _fault(archive.path, "two of its rows are the same phase, team, entry or reference")
    for entry in archive.entries:
        members = [name for name in (entry.member, entry.columns, entry.answer) if name]
        if entry.phase not in phases or entry.team not in teams or not set(members) <= set(archive.manifest.sha256):
            raise _fault(archive.path, f"entry {entry.number} of {shown(entry.phase)} names what is not there")
    if any((one.phase, one.entry) not in numbers for one in archive.events) or any(
        one.phase not in phases for one in archive.references
    ):
        raise _fault(archive.path, "one of its rows is of an entry or a phase that is not there")
    for phase, said in phases.items():
        if said.name != phase:
            raise _fault(archive.path, f"phase {phase} says that it is {shown(said.name)[:60]}")
