"""Leaderboards: when they have changed."""

from __future__ import annotations

from datetime import datetime

from django.db.models import F

from foveate.app.challenges.models import Entry, Phase
from foveate.app.challenges.services.finding import phase_said
from foveate.challenges.ranking import Candidate, Rule, rank
from foveate.evaluation.metric_names import metrics_named


def touch(phase: Phase) -> None:
    """Says that something has changed that a phase's board shows."""
    Phase.objects.filter(pk=phase.pk).update(version=F("version") + 1)


def best_teams(phase: Phase, n: int, now: datetime) -> list[int]:
    """Returns the numbers of the best teams of a phase, for another that only these may enter; of a tie all come in."""
    said = phase_said(phase)
    (main,) = metrics_named([said.main])
    rows = Entry.objects.filter(phase=phase).select_related("team")
    candidates = [
        Candidate(
            row.pk,
            row.team_id,
            row.number,
            row.sent_at,
            row.main,
            row.state,
            row.public,
            row.chosen,
            row.after_end,
            row.team.disqualified_at is not None,
        )
        for row in rows
    ]
    places = rank(candidates, Rule(main.card.better, said.counts, said.ties))
    return [place.candidate.team for place in places if place.place <= n]
