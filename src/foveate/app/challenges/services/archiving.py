"""A challenge's rows as an archive."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from django.db import connection

from foveate.app.backup.write import snapshot
from foveate.app.challenges.models import Challenge, Entry, EntryEvent, Phase, Team
from foveate.app.challenges.services import entry_files, finding
from foveate.challenges import archive
from foveate.challenges.archive import (
    ChallengeKept,
    Content,
    EntryKept,
    EventKept,
    LoadedKept,
    Manifest,
    PhaseKept,
    ReferenceKept,
    TeamKept,
)
from foveate.errors import InputError, some

_OF_PHASE = ("name", "position", "fingerprint", "frozen_at", "removed", "said")
_OF_ENTRY = (
    *("number", "key", "state", "file_name", "file_bytes", "sha256", "container", "method", "description", "links"),
    *("note", "public", "chosen", "after_end", "sent_at", "ended_at", "problems", "why", "scores", "main"),
)
# What a team wrote can say who it is.
_OWN_WORDS: dict[str, Any] = {
    "file_name": "",
    "container": "",
    "method": "",
    "description": "",
    "links": [],
    "note": "",
}


def export(challenge: Challenge, path: Path, *, names: bool = True, targets: bool = False) -> Manifest:
    """Writes all of a challenge to a new file, as of one moment; returns what the file says of itself.

    Args:
        challenge: The challenge.
        path: The file.
        names: Call teams by their names and keep what they wrote; else their aliases, and nothing of that.
        targets: Put targets into it, and columns that are made of them.

    Raises:
        InputError: A file of an entry, or data of a phase, are missing or broken, or targets are asked for that never
            came to this server.
        OutputError: There is something at `path`, or it cannot be written.
    """
    # Whoever has begun a transaction sees its moment.
    with nullcontext() if connection.in_atomic_block else snapshot():
        return archive.write(path, _content(challenge, names=names, targets=targets))


def _content(challenge: Challenge, *, names: bool, targets: bool) -> Content:
    phases = list(challenge.phases.order_by("position", "pk"))
    absent = [row.name for row in phases if not row.pack]
    if targets and absent:
        problem = f"the targets of {some(absent)} are not on this server"
        raise InputError(challenge.slug, problem, "Leave --targets out, or load the challenge's folder first.")
    files = dict(_files(challenge, columns=targets))
    packs = {row.fingerprint: finding.pack_of(row) for row in phases if row.pack}
    return Content(
        challenge=_challenge(challenge),
        phases=[PhaseKept(**{name: getattr(row, name) for name in _OF_PHASE}) for row in phases],
        teams=[_team(row, names=names) for row in challenge.teams.order_by("pk")],
        entries=(_entry(row, files, names=names) for row in _entries(challenge)),
        events=_events(challenge, names=names),
        references=list(_references(phases)),
        files=files,
        packs=list(packs.values()),
        names=names,
        targets=targets,
    )


def _challenge(row: Challenge) -> ChallengeKept:
    loadings = [
        LoadedKept(said=archive.portable(one.said, row.slug), at=one.at) for one in row.loadings.order_by("at", "pk")
    ]
    said = archive.portable(row.said, row.slug)
    return ChallengeKept(slug=row.slug, title=row.title, said=said, published=row.published, loadings=loadings)


def _team(row: Team, *, names: bool) -> TeamKept:
    return TeamKept(
        number=row.pk,
        name=row.name if names else row.alias,
        key=row.key if names else row.alias.casefold(),
        alias=row.alias,
        made_at=row.made_at,
        disqualified_at=row.disqualified_at,
        disqualified_why=row.disqualified_why if names else "",
    )


def _entries(challenge: Challenge) -> Iterator[Entry]:
    found = Entry.objects.filter(phase__challenge=challenge).select_related("phase")
    return found.order_by("phase", "number").iterator(chunk_size=500)


def _entry(row: Entry, files: dict[str, Path], *, names: bool) -> EntryKept:
    given = {name: getattr(row, name) for name in _OF_ENTRY} | ({} if names else _OWN_WORDS)
    members = {"member": _member(row), "columns": _columns_member(row), "answer": _answer_member(row)}
    there = {key: name if name in files else "" for key, name in members.items()}
    return EntryKept(phase=row.phase.name, team=row.team_id, **there, **given)


def _events(challenge: Challenge, *, names: bool) -> Iterator[EventKept]:
    found = EntryEvent.objects.filter(entry__phase__challenge=challenge).select_related("entry__phase")
    for row in found.order_by("pk").iterator(chunk_size=1000):
        words: dict[str, Any] = {"said": row.said, "details": row.details} if names else {"said": "", "details": {}}
        yield EventKept(phase=row.entry.phase.name, entry=row.entry.number, at=row.at, what=row.what, **words)


def _references(phases: list[Phase]) -> Iterator[ReferenceKept]:
    for phase in phases:
        for row in phase.references.order_by("name"):
            given = {name: getattr(row, name) for name in ("name", "source", "published", "scores")}
            yield ReferenceKept(phase=phase.name, said=archive.portable_reference(row.said), **given)


def _files(challenge: Challenge, *, columns: bool) -> Iterator[tuple[str, Path]]:
    """Yields the files of entries by their names in the archive; one that is gone is left out."""
    for row in _entries(challenge):
        if row.file and (file := entry_files.path_of(row.file)).is_file():
            yield _member(row), file
        if (answer := entry_files.answer_of(row)) is not None:
            yield _answer_member(row), answer
        if columns and (written := entry_files.columns_path(row)).is_file():
            yield _columns_member(row), written


def _member(row: Entry) -> str:
    # The name of one that came without names is empty, and the suffix of its file says the form.
    return f"entries/{row.phase.name}/{row.number}{entry_files.suffix_of(row.file_name or row.file)}"


def _answer_member(row: Entry) -> str:
    answer = entry_files.answer_of(row)
    return f"answers/{row.phase.name}/{row.number}{entry_files.suffix_of(answer.name)}" if answer is not None else ""


def _columns_member(row: Entry) -> str:
    return f"columns/{row.phase.name}/{row.number}.npz"
