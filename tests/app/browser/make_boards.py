"""Leaderboards for the browser's tests: a phase that is open, and one that is over with an open benchmark behind it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any


def make_boards(folder: Path) -> dict[str, Any]:
    """Makes a challenge of two phases with teams of long and short names; returns the number of one of its teams."""
    from django.utils import timezone

    from foveate.app.accounts.models import User
    from foveate.app.challenges.models import ReferenceRow, Team
    from foveate.app.challenges.services import finding
    from foveate.challenges.scoring import score_pack
    from tests.app.challenges import made
    from tests.app.challenges.boards import file_of, many_samples, scored, scores

    now = timezone.now()
    people = [User.objects.get(username="participant"), *User.objects.filter(username__startswith="person-")[:14]]
    final = made.phase_said(
        "final", data="older", end=now - timedelta(hours=2), start=now - timedelta(days=9), after_end="open"
    )
    many_samples(folder)
    challenge = made.challenge(folder, made.phase_said(), final, slug="boards", title="The cup of boards")
    evaluation, over = challenge.phases.order_by("position")
    names = ("Owls", "A team whose name is rather long for a table", "Larks", *(f"Team of {n}" for n in range(12)))
    teams = [made.team(challenge, person, name=name) for person, name in zip(people, names, strict=True)]
    pack = finding.pack_of(over)
    for n, (team, person) in enumerate(zip(teams, people, strict=True)):
        links = ["https://example.org/paper", "https://example.org/code"] if n % 4 == 0 else []
        method = "Two-stage detector with a language model" if n % 3 == 0 else "Baseline"
        value = round(0.81 - 0.023 * n, 6)
        more: dict[str, Any] = {"method": method, "links": links, "scores": scores(value, interval=n != 3)}
        scored(evaluation, team, person, value, sent_at=now - timedelta(hours=1, minutes=n), **more)
        rows = "".join(f"{name},{n},{n},{n + 3},{n + 3}\n" for name in pack.sizes)
        entry = scored(over, team, person, 0.0, sent_at=now - timedelta(days=3), method=method)
        file = file_of(entry, f"image,left,top,right,bottom\n{rows}")
        entry.scores = score_pack(pack, file, "toloka", finding.phase_said(over), 1000)
        entry.main = entry.scores["metrics"]["mean_iou"]["value"]
        entry.save()
    for n, value in enumerate((0.31, 0.52, 0.66)):
        before = now - timedelta(hours=9 - n)
        scored(evaluation, teams[0], people[0], value, sent_at=before, public=n != 1, method="First tries")
    scored(over, teams[1], people[1], 0.9, after_end=True)
    Team.objects.filter(pk=teams[5].pk).update(disqualified_at=now, disqualified_why="Two accounts.")
    published = {"metrics": {"mean_iou": {"value": 0.7637, "low": None, "high": None}}}
    ReferenceRow.objects.create(
        phase=evaluation, name="Winner of 2023", source="Technical report", published=True, said={}, scores=published
    )
    ReferenceRow.objects.create(phase=evaluation, name="Whole image", said={}, scores=scores(0.2134))
    return {"owls": teams[0].pk}
