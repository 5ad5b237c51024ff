"""A challenge that is worth an archive."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from foveate.app.accounts.models import User
from foveate.app.challenges.models import Challenge, EntryEvent, Loaded, ReferenceRow, Team
from foveate.app.challenges.services import finding
from foveate.challenges.scoring import score_pack
from tests.app.challenges import made
from tests.app.challenges.boards import file_of, scores

HEAD = "image,left,top,right,bottom\n"


@pytest.fixture
def challenge(tmp_path: Path, organiser: User) -> Challenge:
    """Two teams with files that score what they scored, one under way, a reference row, a loading."""
    challenge = made.challenge(tmp_path, made.phase_said(metrics=("mean_iou", "accuracy@0.5")))
    phase = challenge.phases.get()
    pack = finding.pack_of(phase)
    teams = [made.team(challenge, organiser), made.team(challenge, name="=Larks")]
    for number, team in enumerate(teams):
        entry = made.entry(phase, team, organiser, method="Näive", links=["https://example.org"], note="ours")
        rows = [f"{name},{number},{number},{number + 30},{number + 30}\n" for name in sizes_of(pack)]
        entry.scores = score_pack(pack, file_of(entry, HEAD + "".join(rows)), "toloka", finding.phase_said(phase), 1000)
        entry.main = entry.scores["metrics"]["mean_iou"]["value"]
        entry.save()
        EntryEvent.objects.create(entry=entry, at=timezone.now(), what="scored", said="by Fritz", details={"n": 1})
    made.entry(phase, teams[0], organiser, state="scoring", main=None)
    Team.objects.filter(pk=teams[1].pk).update(disqualified_at=timezone.now(), disqualified_why="Fritz told us.")
    ReferenceRow.objects.create(phase=phase, name="Whole", said={"file": "/srv/secret/whole.csv"}, scores=scores(0.1))
    ReferenceRow.objects.create(phase=phase, name="Later", said={})
    Loaded.objects.create(challenge=challenge, said=challenge.said, at=timezone.now())
    return challenge


def sizes_of(pack: Any) -> list[str]:
    return [str(name) for name in pack.sizes]
