"""A challenge in one file: what it said, its teams, entries with their files and scores, and the data that scored them.

So a challenge outlives its server: another one takes it in, and `foveate challenge rescore` scores it without any. No
person is in it, and no path of the server. Targets, and columns that are made of them, are in it only where asked for.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from foveate.challenges import definition
from foveate.challenges.pack import FORMAT as PACK_FORMAT
from foveate.challenges.pack import MANIFEST as PACK
from foveate.challenges.pack import SAMPLES, Pack
from foveate.challenges.said import of_said, to_said
from foveate.core.truths import Truth
from foveate.errors import InputError
from foveate.formats import samples_jsonl
from foveate.formats._sample_forms import Sample
from foveate.sources.new_files import new_file

FORMAT = 1
MANIFEST, CHALLENGE = "archive.json", "challenge.json"
QUESTIONS = "questions.jsonl"
_CHUNK = 1 << 20
_SLUG = r"^[-a-zA-Z0-9_]{1,60}$"
# Those of the database's rows.
State = Literal[
    "waiting", "checking", "refused", "queued", "running", "scoring", "scored", "failed", "lost", "withdrawn"
]


def _are_scores(said: dict[str, Any]) -> dict[str, Any]:
    """Returns scores as they are, where what pages show of them is there and is numbers."""
    values, counts = said.get("metrics", {}), said.get("counts", {})
    if not isinstance(values, dict) or any(not isinstance(one, dict) for one in values.values()):
        raise ValueError("its metrics are none")
    told = [one.get(name) for one in values.values() for name in ("value", "low", "high")]
    if any(not isinstance(one, int | float | None) for one in told):
        raise ValueError("a value of a metric is no number")
    if not isinstance(counts, dict) or any(not isinstance(n, int) for n in counts.values()):
        raise ValueError("a count is no number")
    return said


Scores = Annotated[dict[str, Any], AfterValidator(_are_scores)]


class _Kept(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class LoadedKept(_Kept):
    """One loading of the challenge's folder."""

    said: dict[str, Any]
    at: datetime


class ChallengeKept(_Kept):
    """A challenge, with all that its folder has said over time."""

    slug: str = Field(pattern=_SLUG)
    title: str = Field(max_length=200)
    said: dict[str, Any]
    published: bool
    loadings: list[LoadedKept] = []


class PhaseKept(_Kept):
    """A phase; its data lie in the archive by their fingerprint."""

    name: str = Field(pattern=_SLUG)
    position: int = Field(ge=0, lt=2**31)
    said: dict[str, Any]
    fingerprint: str = Field(pattern=r"^([0-9a-f]{64})?$")
    frozen_at: datetime | None
    removed: bool


class TeamKept(_Kept):
    """A team, without its people."""

    number: int
    name: str = Field(max_length=100)
    key: str = Field(max_length=200)
    alias: str = Field(max_length=40)
    made_at: datetime
    disqualified_at: datetime | None
    disqualified_why: str = Field(max_length=500)


class EntryKept(_Kept):
    """An entry. `member` is its file in the archive, `answer` what its program wrote; empty where there is none."""

    phase: str
    team: int
    number: int = Field(ge=0, lt=2**31)
    key: UUID
    state: State
    member: str
    columns: str
    answer: str = ""
    file_name: str = Field(max_length=300)
    file_bytes: int = Field(ge=0, lt=2**63)
    sha256: str = Field(pattern=r"^([0-9a-f]{64})?$")
    container: str = Field(max_length=500)
    method: str = Field(max_length=200)
    description: str
    links: list[str]
    note: str
    public: bool
    chosen: bool
    after_end: bool
    sent_at: datetime
    ended_at: datetime | None
    problems: list[dict[str, Any]]
    why: str = Field(max_length=500)
    scores: Scores | None
    main: float | None


class EventKept(_Kept):
    """One thing that happened to an entry."""

    phase: str
    entry: int
    at: datetime
    what: str = Field(max_length=40)
    said: str = Field(max_length=500)
    details: dict[str, Any]


class ReferenceKept(_Kept):
    """A row that is no team's."""

    phase: str
    name: str = Field(max_length=200)
    source: str = Field(max_length=1000)
    published: bool
    said: dict[str, Any]
    scores: Scores | None


TABLES: Mapping[str, type[_Kept]] = {
    "phases.jsonl": PhaseKept,
    "teams.jsonl": TeamKept,
    "entries.jsonl": EntryKept,
    "events.jsonl": EventKept,
    "references.jsonl": ReferenceKept,
}


class Manifest(_Kept):
    """What an archive says of itself; `sha256` is of every other file in it, by its name."""

    foveate_archive: int
    foveate: str
    made_at: str
    slug: str
    names: bool
    targets: bool
    sha256: dict[str, str]


@dataclass(frozen=True)
class Content:
    """What goes into an archive.

    Attributes:
        challenge: The challenge.
        phases: All, also removed ones.
        teams: All.
        entries: All.
        events: All.
        references: All.
        files: Files of entries by their names in the archive.
        packs: The data of phases.
        names: Whether teams are called by their names; else by their aliases, and nothing that they wrote is in it.
        targets: Whether targets are in it, and columns that are made of them.
    """

    challenge: ChallengeKept
    phases: Sequence[PhaseKept]
    teams: Sequence[TeamKept]
    entries: Iterable[EntryKept]
    events: Iterable[EventKept]
    references: Sequence[ReferenceKept]
    files: Mapping[str, Path] = field(default_factory=dict)
    packs: Sequence[Pack] = ()
    names: bool = True
    targets: bool = False


def portable(said: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Returns a challenge's definition as JSON without the places of files on this machine.

    Raises:
        InputError: It is none.
    """
    challenge = of_said(definition.Challenge, said, where)
    data = {
        name: replace(one, root=None, questions=None, images=None, settings={}) for name, one in challenge.data.items()
    }
    references = tuple(_portable(one) for one in challenge.references)
    return to_said(replace(challenge, folder=Path(), data=data, references=references))


def portable_reference(said: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the definition of a row that is no team's without the place of its file."""
    return {**said, "file": Path(str(said["file"])).name} if said.get("file") else dict(said)


def write(path: Path, content: Content) -> Manifest:
    """Writes an archive as a whole or not at all; returns what it says of itself.

    Raises:
        InputError: A file of an entry, or data of a phase, are missing or broken.
        OutputError: There is something at `path`, or it cannot be written.
    """
    sums: dict[str, str] = {}
    with new_file(path) as out, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        sums[CHALLENGE] = _put(archive, CHALLENGE, [_line(content.challenge)])
        rows = (content.phases, content.teams, content.entries, content.events, content.references)
        for name, of in zip(TABLES, rows, strict=True):
            sums[name] = _put(archive, name, map(_line, of))
        for member, file in content.files.items():
            sums[member] = _put(archive, member, _chunks(file))
        for pack in {pack.fingerprint: pack for pack in content.packs}.values():
            sums |= _pack(archive, pack, targets=content.targets)
        manifest = Manifest(
            foveate_archive=FORMAT,
            foveate=version("foveate"),
            made_at=datetime.now(UTC).isoformat(timespec="seconds"),
            slug=content.challenge.slug,
            names=content.names,
            targets=content.targets,
            sha256=sums,
        )
        _put(archive, MANIFEST, [manifest.model_dump_json(indent=1).encode()])
    return manifest


def pack_member(fingerprint: str, name: str) -> str:
    """Returns the name of a file of a pack in the archive."""
    return f"packs/{fingerprint}/{name}"


def _portable(one: definition.Reference) -> definition.Reference:
    return replace(one, file=Path(one.file.name) if one.file is not None else None)


def _pack(archive: zipfile.ZipFile, pack: Pack, *, targets: bool) -> dict[str, str]:
    """Writes the data of a phase; without targets its questions, made anew of what a query holds."""
    said = {"format": PACK_FORMAT, "dataset": pack.dataset, "fingerprint": pack.fingerprint, "n": pack.n}
    manifest, samples = pack_member(pack.fingerprint, PACK), pack_member(pack.fingerprint, SAMPLES)
    sums = {manifest: _put(archive, manifest, [json.dumps(said).encode()])}
    if targets:
        return sums | {samples: _put(archive, samples, _chunks(pack.folder / SAMPLES))}
    questions = pack_member(pack.fingerprint, QUESTIONS)
    return sums | {questions: _put(archive, questions, _questions(pack))}


def _questions(pack: Pack) -> Iterator[bytes]:
    for sample in pack.samples():
        size = pack.sizes[sample.query.id]
        # Of a truth nothing but its id and the photo's size: no answer, no region, no fact.
        yield samples_jsonl.line(Sample(sample.query, Truth(sample.query.id, size_hw=size)))


def _line(row: BaseModel) -> bytes:
    # Python's own JSON writes every digit of a number so that the same number is read again.
    return (json.dumps(row.model_dump(mode="json"), ensure_ascii=False, allow_nan=False) + "\n").encode()


def _chunks(file: Path) -> Iterator[bytes]:
    try:
        with file.open("rb") as opened:
            while chunk := opened.read(_CHUNK):
                yield chunk
    except OSError as error:
        raise InputError(file.name, "a file of the challenge cannot be read", "Restore it from a backup.") from error


def _put(archive: zipfile.ZipFile, name: str, chunks: Iterable[bytes]) -> str:
    """Writes one member and returns its sha256."""
    found = hashlib.sha256()
    with archive.open(name, "w", force_zip64=True) as member:
        for chunk in chunks:
            found.update(chunk)
            member.write(chunk)
    return found.hexdigest()
