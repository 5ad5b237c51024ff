"""Taking a challenge's folder into the database: nothing of an entry ever changes by it (`design/challenges.md`)."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from foveate.app.accounts.audit import note
from foveate.app.accounts.models import User
from foveate.app.annotate.services.transactions import at_once
from foveate.app.challenges.models import Challenge, Loaded, Phase
from foveate.app.challenges.services import finding, freezing, kits
from foveate.app.challenges.services.differences import Change, differences, said_differences
from foveate.app.challenges.services.reference_rows import take_references
from foveate.app.refused import RefusedError
from foveate.challenges import definition
from foveate.challenges._fields import FaultsError
from foveate.challenges.folder import Checked, checked
from foveate.challenges.pack import Pack
from foveate.challenges.said import to_said


@dataclass(frozen=True)
class Preview:
    """What loading a folder would do.

    Attributes:
        checked: What was found in the folder.
        row: The challenge of its short name; None for a new one.
        changes: What would change of it.
    """

    checked: Checked
    row: Challenge | None
    changes: Sequence[Change]

    @property
    def can_be_taken(self) -> bool:
        """Whether nothing stands in the way."""
        return not self.checked.errors and not any(change.frozen for change in self.changes)


def preview(folder: Path, *, anywhere: bool = True) -> Preview:
    """Returns what loading a folder would do; nothing is changed."""
    with tempfile.TemporaryDirectory(prefix="foveate-") as packs:
        found = checked(folder, Path(packs), anywhere=anywhere)
        said = found.challenge
        row = Challenge.objects.filter(slug=said.slug).first() if said is not None else None
        changes = [] if said is None or found.errors else differences(row, said, found.packs)
        return Preview(found, row, changes)


def load(
    folder: Path,
    by: User | None,
    request: HttpRequest | None = None,
    *,
    anywhere: bool = True,
    organisers: Sequence[User] = (),
) -> Challenge:
    """Takes a folder into the database; returns the challenge.

    Args:
        folder: Where `challenge.toml` lies.
        by: Who loads it; None for the command line. They run a challenge that is new.
        request: What was asked, for the log.
        anywhere: Whether the folder may name places outside itself.
        organisers: Further people who run it.

    Raises:
        RefusedError: There is a challenge of this short name, and `by` does not run it.
        FaultsError: The folder cannot be taken as it is, or changes what is frozen; all reasons are told.
        OutputError: The data cannot be written into the server's folder.
    """
    found = checked(folder, finding.packs(), anywhere=anywhere)
    said = found.refuse_errors()
    now = timezone.now()
    before = Challenge.objects.filter(slug=said.slug).first()
    if before is not None:
        # A phase that has begun is frozen as it was, though nobody has looked since.
        freezing.freeze_due(now, before)
    row = at_once(lambda: _take(said, found.packs, by, request, now, organisers))
    freezing.freeze_due(timezone.now(), row)
    kits.make_ready(row, timezone.now())
    return row


def _take(
    said: definition.Challenge,
    packs: Mapping[str, Pack],
    by: User | None,
    request: HttpRequest | None,
    now: datetime,
    organisers: Sequence[User],
) -> Challenge:
    row = Challenge.objects.select_for_update(of=("self",), no_key=True).filter(slug=said.slug).first()
    new = row is None
    if row is not None and by is not None:
        # Asked here, too: it may have come while the folder was looked at.
        refuse_others(by, row)
    if row is not None:
        # Frozen while it is looked at, or before: both wait for each other here.
        list(row.phases.select_for_update(of=("self",), no_key=True).order_by("pk"))
    changes = differences(row, said, packs)
    if any(change.frozen for change in changes):
        raise FaultsError([change.refusal() for change in changes if change.frozen])
    row = row or Challenge(slug=said.slug)
    row.title, row.folder, row.said = said.title, str(said.folder), to_said(said)
    row.published, row.loaded_at = said.published, now
    row.save()
    row.organisers.add(*organisers, *([by] if by is not None and new else []))
    _take_phases(row, said, packs)
    Loaded.objects.create(challenge=row, said=row.said, at=now, by=by)
    told = [f"{change.where}, {change.key}: {change.before} → {change.after}" for change in changes[:50]]
    note(request, "challenge.loaded", row.slug, actor=by, new=new, changes=told)
    return row


def refuse_others(person: User, row: Challenge) -> None:
    """Looks whether a person may load a challenge that is there.

    Raises:
        RefusedError: Others run it.
    """
    if not finding.may_organise(person, row):
        said = _("There is a challenge of this short name, and others run it.")
        raise RefusedError(409, "taken", said, _("Take another slug in challenge.toml."))


def _take_phases(row: Challenge, said: definition.Challenge, packs: Mapping[str, Pack]) -> None:
    there = {phase.name: phase for phase in row.phases.all()}
    for position, phase in enumerate(said.phases):
        own = there.pop(phase.name, None) or Phase(challenge=row, name=phase.name)
        pack = packs[phase.data]
        other_data = own.fingerprint != pack.fingerprint
        own.position, own.kind, own.said, own.removed = position, phase.kind, to_said(phase), False
        own.start, own.end = phase.start, phase.end
        own.pack, own.fingerprint = f"challenges/packs/{pack.fingerprint}", pack.fingerprint
        own.version += 1
        own.save()
        take_references(own, [one for one in said.references if one.phase == phase.name], again=other_data)
    for gone in there.values():
        gone.removed = True
        gone.version += 1
        gone.save(update_fields=["removed", "version"])


def history(row: Challenge, most: int = 20) -> list[tuple[Loaded, list[Change]]]:
    """Returns the newest loadings of a challenge, each with what it changed of the one before."""
    rows: list[Loaded | None] = list(row.loadings.select_related("by").order_by("-at", "-pk")[: most + 1])
    # One of an archive that tells no loading has none.
    pairs = zip(rows, [*rows[1:], None][: len(rows)], strict=True)
    return [(one, said_differences(old.said, one.said) if old else []) for one, old in pairs if one][:most]
