"""Who stands where on a leaderboard: as ranking says of its rows, and by the entry that its team has chosen."""

from __future__ import annotations

import csv
import io
import random
import re
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import get_args

import pytest
from django.test import Client
from django.utils import timezone

from foveate.app.challenges.models import Phase, Team
from foveate.app.challenges.services import board as boards
from foveate.challenges.definition import Counts, Ties
from foveate.challenges.disclosure import as_shown, times_100
from foveate.challenges.ranking import Candidate, Rule, rank
from tests.app.challenges import made
from tests.app.challenges.boards import scored
from tests.app.challenges.test_board import API, BOARD, World, rows
from tests.app.conftest import signed_in

pytestmark = pytest.mark.django_db


def test_a_long_board_stands_as_ranking_says_of_its_rows(tmp_path: Path) -> None:
    world, draw, now = World(tmp_path), random.Random(0), timezone.now().replace(microsecond=0)
    teams = [*world.teams, *(made.team(world.challenge, name=f"Team {n}") for n in range(9))]
    Team.objects.filter(pk=teams[3].pk).update(disqualified_at=now)
    # Moments that differ by a part of a second, since SQLite keeps times as texts, whole seconds as shorter ones.
    moments = [now - timedelta(seconds=s, microseconds=m) for s in (0, 1) for m in (0, 1, 500_000, 999_999)]
    values = [0.5, 0.50004, 0.50005, 0.50006, 0.7, 0.1, None, float("nan")]
    chosen: set[int] = set()
    for _ in range(90):
        team, value = draw.choice(teams), draw.choice(values)
        state, public = draw.choice(("scored", "scored", "scored", "withdrawn")), draw.random() < 0.8
        mine = team.pk not in chosen and draw.random() < 0.2
        chosen |= {team.pk} if mine else set()
        more = {"state": state, "public": public, "chosen": mine, "sent_at": draw.choice(moments), "main": value}
        scored(world.phase, team, world.people[0], 0.5, **more)
    for counts in get_args(Counts):
        for ties in get_args(Ties):
            world.phase.said = {**world.phase.said, "counts": counts, "ties": ties}
            world.phase.save()
            boards.touch(world.phase)
            found = rows(Client())
            assert [(row["place"], row["shared"], row["entry"]) for row in found if row["status"] == "ranked"] == [
                (one.place, one.shared, one.candidate.number)
                for one in rank(_candidates(world.phase), Rule("higher", counts, ties))
            ]
            seen = Counter(world.phase.entries.filter(state="scored", public=True).values_list("team", flat=True))
            assert {row["team_number"]: row["entries"] for row in found} == seen
            # Who has no place stands below, by name: here the one that is out, and who has no value.
            rest = [row for row in found if row["place"] is None]
            assert rest == found[len(found) - len(rest) :]
            assert rest[0]["status"] == "disqualified"


def _candidates(phase: Phase) -> list[Candidate]:
    return [
        Candidate(
            one.pk,
            one.team_id,
            one.number,
            one.sent_at,
            as_shown(one.main, "rounded"),
            one.state,
            one.public,
            one.chosen,
            one.after_end,
            one.team.disqualified_at is not None,
        )
        for one in phase.entries.select_related("team")
    ]


def test_rows_of_a_board_are_those_of_any_sequence(tmp_path: Path) -> None:
    world = World(tmp_path)
    for team, value in enumerate((0.50001, 0.50004, 0.7)):
        world.sends(team, value)
    found = boards.board(world.phase, timezone.now(), "other").rows
    names = ["<b>Larks</b>", "Owls", "=HYPERLINK(1)"]
    assert [found[n].name for n in (0, -1, 1)] == [names[0], names[2], names[1]]
    assert [row.name for row in found[1:3]] == names[1:]
    assert [row.name for row in found[::-1]] == names[::-1]
    # All at once, and then from what is kept.
    assert [row.name for row in found] == [row.name for row in found] == names
    assert found[1].name == "Owls"
    assert [found.index_of(team.pk) for team in world.teams] == [1, 2, 0]
    assert found.index_of(0) is None
    with pytest.raises(IndexError):
        found[3]


def test_the_chosen_entry_ranks_and_the_best_one_until_then(tmp_path: Path) -> None:
    world = World(tmp_path, made.phase_said(counts="chosen"))
    world.sends(0, 0.7)
    world.sends(0, 0.4)
    client = signed_in(world.people[0])
    act = "/challenges/cup/evaluation/entries/2/act/"

    def standing() -> set[str]:
        """Returns which value stands on the board: in the page, the CSV, the JSON and the API."""
        page = client.get(f"{BOARD}/").content.decode()
        table = next(csv.DictReader(io.StringIO(client.get(f"{BOARD}.csv").content.decode())))
        told = [rows(client)[0], client.get(API).json()["rows"][0]]
        assert "The entry that a team has chosen counts, its best one until then." in page
        assert {str(one["entry"]) for one in told} == {table["entry"]}
        shown = re.findall(r'<td class="number"[^>]*><data value="([\d.]+)">', page)[0]
        return {
            shown,
            times_100(float(table["mean_iou"])),
            *(times_100(one["metrics"]["mean_iou"]["value"]) for one in told),
        }

    assert standing() == {"70.00"}
    assert "Let this one rank" in client.get("/challenges/cup/evaluation/entries/2/").content.decode()
    client.post(act, {"act": "choose"})
    assert standing() == {"40.00"}
    page = client.get("/challenges/cup/evaluation/entries/2/").content.decode()
    assert "Chosen" in page
    assert "Let this one rank" not in page
    # What is hidden ranks no more, chosen or not, and is chosen anew when it is public again.
    client.post(act, {"act": "hide"})
    assert standing() == {"70.00"}
    client.post(act, {"act": "publish"})
    assert standing() == {"70.00"}
