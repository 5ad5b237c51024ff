"""An archive as rows of this server."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from uuid import uuid4

from django.db import transaction
from django.utils import timezone

from foveate.app.accounts.audit import note
from foveate.app.accounts.models import User
from foveate.app.challenges.models import Challenge, Entry, EntryEvent, Loaded, Phase, ReferenceRow, Team
from foveate.app.challenges.services import entry_files, finding, kits
from foveate.challenges import definition
from foveate.challenges.archive import EntryKept, PhaseKept
from foveate.challenges.archive_read import Archive
from foveate.challenges.rescoring import scan
from foveate.challenges.said import of_said
from foveate.challenges.toml import is_slug
from foveate.errors import UsageError
from foveate.sources.new_files import new_place

# What was under way where it comes from is under way nowhere here.
_UNDER_WAY = ("waiting", "checking", "queued", "running", "scoring")
_LOST = "It was under way when the challenge was exported."
_AT_ONCE = 500


def take(archive: Archive, by: User, slug: str | None = None) -> Challenge:
    """Returns the challenge of an archive, made of it; wholly or not at all.

    Teams come without people, entries are those of whoever takes them in. Entries that were under way are lost, so that
    they can be scored again. The rows of a board that had not been scored yet are left out.

    Args:
        archive: The archive.
        by: Who takes it in, and organises the challenge.
        slug: Another short name.

    Raises:
        UsageError: There is a challenge of this name, or it cannot stand in an address.
        InputError: Data of a phase are others than the archive says, or a file of it is no file that is opened.
    """
    name = slug or archive.challenge.slug
    if not is_slug(name):
        remedy = "Name one of at most 60 letters without accents, digits, - and _: --slug NAME."
        raise UsageError(name, "this short name cannot stand in an address", remedy)
    if Challenge.objects.filter(slug=name).exists():
        raise UsageError(name, "there is a challenge of this short name", "Name another one: --slug NAME.")
    with ExitStack() as undo:
        packs = _packs(archive)
        files = _files(archive, undo.callback)
        with transaction.atomic():
            challenge = _challenge(archive, name, by)
            phases = {one.name: _phase(one, challenge, packs) for one in archive.phases}
            made = _rows(archive, phases, challenge, by, files)
            _answers(archive, made, undo.callback)
            note(None, "challenge.imported", name, actor=by, was=archive.challenge.slug, entries=len(archive.entries))
        undo.pop_all()
    kits.make_ready(challenge, timezone.now())
    return challenge


def _packs(archive: Archive) -> dict[str, str]:
    """Puts the data of phases that are in the archive where packs lie; returns their places by fingerprint."""
    found = {}
    for fingerprint in sorted({one.fingerprint for one in archive.phases if one.fingerprint}):
        if not archive.has_targets(fingerprint):
            continue
        target = finding.packs() / fingerprint
        if not target.exists():
            with new_place(target) as part:
                archive.extract_pack(fingerprint, part)
        # Tidying takes it for new, until a row says that it is needed.
        os.utime(target)
        found[fingerprint] = f"challenges/packs/{fingerprint}"
    return found


def _files(archive: Archive, undo: Callable[..., object]) -> dict[str, str]:
    """Puts the files of entries under new random names; returns these by the names in the archive.

    Their columns stay in the archive: they are worked out anew where a page asks for them, since a file of arrays can
    say of itself that it takes all memory.
    """
    phases = {one.name: archive.phase(one.name) for one in archive.phases}
    found = {}
    for entry in archive.entries:
        if not entry.member:
            continue
        identity = uuid4()
        place = entry_files.place(identity, entry.member)
        undo(entry_files.remove, identity)
        phase = phases[entry.phase]
        # Only what is scored is opened as it is; any other file goes by the check first, which looks at it. One that
        # the check refused would otherwise keep a whole challenge out, and so would a program.
        scored = entry.state == "scored" and phase.kind != "reproduction"
        _extract(archive, entry.member, entry_files.path_of(place), phase.limits if scored else None)
        found[entry.member] = place
    return found


def _answers(archive: Archive, made: Mapping[tuple[str, int], Entry], undo: Callable[..., object]) -> None:
    """Puts what programs answered beside their entries, so that it can be measured anew."""
    for one in archive.entries:
        if one.answer:
            file = entry_files.answer_path(made[one.phase, one.number], one.answer)
            undo(shutil.rmtree, file.parent, ignore_errors=True)
            _extract(archive, one.answer, file, archive.phase(one.phase).limits)


def _extract(archive: Archive, member: str, file: Path, limits: definition.Limits | None) -> None:
    """Writes a file of an archive; with limits it is looked at as one that is uploaded."""
    file.parent.mkdir(mode=0o700, parents=True)
    archive.extract(member, file)
    file.chmod(0o600)
    if limits is not None:
        scan(file, limits)


def _challenge(archive: Archive, slug: str, by: User) -> Challenge:
    kept, now = archive.challenge, timezone.now()
    made = Challenge.objects.create(
        slug=slug,
        title=kept.title,
        folder="",
        said={**kept.said, "slug": slug},
        published=kept.published,
        loaded_at=now,
    )
    made.organisers.add(by)
    Loaded.objects.bulk_create(Loaded(challenge=made, said=one.said, at=one.at, by=None) for one in kept.loadings)
    return made


def _phase(kept: PhaseKept, challenge: Challenge, packs: Mapping[str, str]) -> Phase:
    said = of_said(definition.Phase, kept.said, kept.name)
    return Phase.objects.create(
        challenge=challenge,
        name=kept.name,
        position=kept.position,
        kind=said.kind,
        said=kept.said,
        start=said.start,
        end=said.end,
        pack=packs.get(kept.fingerprint, ""),
        fingerprint=kept.fingerprint,
        frozen_at=kept.frozen_at or timezone.now(),
        removed=kept.removed,
    )


def _rows(
    archive: Archive, phases: Mapping[str, Phase], challenge: Challenge, by: User, files: Mapping[str, str]
) -> dict[tuple[str, int], Entry]:
    """Writes teams, entries, events and rows for comparison; returns the entries by phase and number."""
    fields = ("name", "key", "alias", "made_at", "disqualified_at", "disqualified_why")
    teams = {
        one.number: Team.objects.create(challenge=challenge, **{name: getattr(one, name) for name in fields})
        for one in archive.teams
    }
    made: dict[tuple[str, int], Entry] = {}
    for one in archive.entries:
        made[one.phase, one.number] = Entry(
            phase=phases[one.phase], team=teams[one.team], person=by, file=files.get(one.member, ""), **_given(one)
        )
    Entry.objects.bulk_create(made.values(), batch_size=_AT_ONCE)
    events = [
        EntryEvent(entry=made[one.phase, one.entry], at=one.at, what=one.what, said=one.said, details=one.details)
        for one in archive.events
    ]
    lost = [entry for one, entry in zip(archive.entries, made.values(), strict=True) if one.state in _UNDER_WAY]
    events += [EntryEvent(entry=entry, at=timezone.now(), what="lost", said=_LOST) for entry in lost]
    EntryEvent.objects.bulk_create(events, batch_size=_AT_ONCE)
    ReferenceRow.objects.bulk_create(
        ReferenceRow(phase=phases[one.phase], **one.model_dump(exclude={"phase"}))
        for one in archive.references
        if one.scores is not None
    )
    return made


def _given(kept: EntryKept) -> dict[str, object]:
    given = kept.model_dump(exclude={"phase", "team", "member", "columns", "answer"})
    if kept.state in _UNDER_WAY:
        given |= {"state": "lost", "why": _LOST, "ended_at": timezone.now()}
    return given
