"""Scored entries for the tests of leaderboards: with scores as scoring writes them."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone

from foveate.app.accounts.models import User
from foveate.app.challenges.models import Challenge, Entry, Phase, Team
from foveate.app.challenges.services import board
from tests.app.challenges import made

SECRET = 0.4321987654321


def scores(value: float, *, interval: bool = True) -> dict[str, Any]:
    """Returns scores whose every number tells of `value`, and which count what targets tell."""
    low, high = (value - 0.0111111, value + 0.0111111) if interval else (None, None)
    one = {"value": value, "low": low, "high": high, "value_scored": value, "n": 2718, "undefined": None}
    return {
        "dataset": made.DATASET,
        "n": 3,
        "n_grounded": 2718,
        "n_scored": 2718,
        "counts": {"ok": 3},
        "abstention": {"right": 2718, "missed": 2718, "needless": 2718},
        "metrics": {"mean_iou": one, "accuracy@0.5": {**one, "value": 0.5}},
        "notes": ["mean_iou: 2718 targets"],
        "foveate": "1",
    }


def scored(phase: Phase, team: Team, person: User, value: float, **more: Any) -> Entry:
    """Makes an entry that scored a value."""
    given = {"main": value, "scores": scores(value), "method": f"Method of {team.name}", **more}
    return made.entry(phase, team, person, **given)


def over(challenge: Challenge) -> Phase:
    """Ends the first phase of a challenge a minute ago."""
    phase = challenge.phases.get(position=0)
    end = timezone.now() - timedelta(minutes=1)
    phase.end, phase.said["end"] = end, end.isoformat()
    challenge.said["phases"][0]["end"] = end.isoformat()
    phase.save()
    challenge.save()
    board.touch(phase)
    phase.refresh_from_db()
    return phase


def file_of(entry: Entry, text: str, suffix: str = ".csv") -> Path:
    """Puts a file where an entry's is."""
    entry.file, entry.file_name = f"challenges/entries/file-{entry.pk}{suffix}", f"answer{suffix}"
    path = Path(settings.MEDIA_ROOT) / entry.file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    entry.save()
    return path


def many_samples(folder: Path, n: int = 24) -> None:
    """Writes the hidden data of `made.challenge(folder)` with so many samples: every second target is a large one."""
    data = folder / "hidden"
    data.mkdir(parents=True)
    rows = []
    for number in range(n):
        side = 40 if number % 2 else 8
        question = "What is red?" if number % 3 else "Where can we sit?"
        rows.append(f"https://example.invalid/{number:012}.jpg,64,48,4,4,{4 + side},{4 + side},{question}")
    table = ["image,width,height,left,top,right,bottom,question", *rows]
    (data / "test_public.csv").write_text("\n".join(table) + "\n")
