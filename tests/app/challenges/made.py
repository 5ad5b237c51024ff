"""Challenges, teams and entries for the tests: small ones, of the data set of the cup in its own layout."""

from __future__ import annotations

import uuid
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone

from foveate.app.accounts.models import User
from foveate.app.challenges.models import Challenge, Entry, Membership, Phase, Team
from foveate.challenges import definition
from foveate.challenges.pack import write_pack
from foveate.challenges.said import to_said
from foveate.datasets import toloka_vqa

DATASET = "toloka_vqa:test_public"


def phase_said(name: str = "evaluation", **more: Any) -> definition.Phase:
    """Returns a phase of the cup's kind that has begun an hour ago and ends in an hour."""
    now = timezone.now()
    given: dict[str, Any] = {
        "title": name.title(),
        "kind": "evaluation",
        "data": "public",
        "start": now - timedelta(hours=1),
        "end": now + timedelta(hours=1),
        "forms": ("toloka",),
        **more,
    }
    return definition.Phase(name=name, **given)


def challenge(folder: Path, *phases: definition.Phase, slug: str = "cup", **more: Any) -> Challenge:
    """Makes a published challenge of three questions (`write_tiny`), its phases frozen."""
    data = folder / "hidden"
    if not data.exists():
        toloka_vqa.write_tiny(data)
    reference = definition.DataReference(DATASET, data)
    given: dict[str, Any] = {"title": "The cup", "published": True, "sign_up": "open", **more}
    said = definition.Challenge(folder, slug, data={"public": reference}, phases=phases or (phase_said(),), **given)
    made = Challenge.objects.create(
        slug=slug,
        title=said.title,
        folder=str(folder),
        said=to_said(said),
        published=said.published,
        loaded_at=timezone.now(),
    )
    pack = write_pack(reference, Path(settings.MEDIA_ROOT) / "challenges" / "packs")
    for position, phase in enumerate(said.phases):
        Phase.objects.create(
            challenge=made,
            name=phase.name,
            position=position,
            kind=phase.kind,
            said=to_said(phase),
            start=phase.start,
            end=phase.end,
            pack=f"challenges/packs/{pack.fingerprint}",
            fingerprint=pack.fingerprint,
            frozen_at=timezone.now(),
        )
    return made


def team(made: Challenge, *people: User, name: str = "Owls") -> Team:
    """Makes a team; the first person is its captain."""
    now = timezone.now()
    number = made.teams.count() + 1
    row = Team.objects.create(challenge=made, name=name, key=name.casefold(), alias=f"Team {number}", made_at=now)
    for position, person in enumerate(people):
        Membership.objects.create(challenge=made, team=row, person=person, captain=position == 0, joined_at=now)
    return row


def entry(phase: Phase, of: Team, person: User, **more: Any) -> Entry:
    """Makes an entry, scored with 0.5 unless `more` says something else."""
    now = timezone.now()
    number = phase.entries.count() + 1
    given = {"state": "scored", "main": 0.5, "sent_at": now, "ended_at": now, "number": number, **more}
    return Entry.objects.create(phase=phase, team=of, person=person, key=uuid.uuid4(), **given)
