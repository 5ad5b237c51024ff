"""Who tries to learn more of scores than is shown: by digits, order, ties, charts, headers, texts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from foveate.app.challenges.models import Entry, ReferenceRow
from foveate.app.challenges.services import board as boards
from tests.app.challenges import made
from tests.app.challenges.boards import SECRET, over, scores
from tests.app.challenges.test_board import API, BOARD, World
from tests.app.conftest import signed_in

pytestmark = pytest.mark.django_db


def everything(client: Client, world: World) -> list[str]:
    """Returns all that a visitor can have of a phase's scores, headers with it, without what tells one visit apart."""
    teams = [f"/challenges/cup/evaluation/teams/{team.pk}/" for team in world.teams[:2]]
    apis = [f"/api/v1/challenges/cup/phases/evaluation/teams/{team.pk}" for team in world.teams[:2]]
    entries = [f"/challenges/cup/evaluation/entries/{n}/" for n in (1, 2, 3)]
    entries += [f"/api/v1/challenges/cup/phases/evaluation/entries/{n}" for n in (1, 2, 3)]
    searches = [f"{BOARD}/?search=owl", f"{BOARD}/?page=999", f"{API}?offset=1&limit=1"]
    paths = [f"{BOARD}/", f"{BOARD}.csv", f"{BOARD}.json", f"{BOARD}/order/", API, *teams, *apis, *entries, *searches]
    found = []
    for path in paths:
        response = client.get(path)
        head = {
            name: value for name, value in response.headers.items() if name not in ("X-Request-ID", "Server-Timing")
        }
        text = f"{response.status_code} {head} {response.content.decode()}"
        text = re.sub(
            r'nonce-[^\s\'"]+|nonce="[^"]+"|csrfmiddlewaretoken" value="[^"]+"|[0-9a-f]{32}|req_\w+', "", text
        )
        found.append(re.sub(r"<time.*?</time>|T\d\d:\d\d:\d\d[.\d]*|\d+\xa0minutes", "", text))
    return found


def two(folder: Path, scores_of: str) -> World:
    world = World(folder, made.phase_said(scores=scores_of))
    now = timezone.now()
    world.sends(0, 0.6, sent_at=now)
    world.sends(0, 0.3, sent_at=now)
    world.sends(1, SECRET, sent_at=now)
    ReferenceRow.objects.create(phase=world.phase, name="Whole image", said={}, scores=scores(SECRET))
    return world


def change(world: World, value: float) -> None:
    """Gives an entry and a reference row other scores, and everything else stays."""
    entry = Entry.objects.get(phase=world.phase, team=world.teams[1])
    Entry.objects.filter(pk=entry.pk).update(main=value, scores=scores(value))
    world.phase.references.update(scores=scores(value))
    boards.touch(world.phase)


@pytest.mark.parametrize(
    ("scores_of", "other"),
    [
        # The same four digits, also of the ends of its interval.
        ("shown", 0.43221),
        # The same order.
        ("rank_only", 0.02),
        # Anything.
        ("hidden", 0.99),
    ],
)
def test_nothing_at_all_differs_where_what_is_shown_is_the_same(scores_of: str, other: float, tmp_path: Path) -> None:
    world = two(tmp_path, scores_of)
    # Visitors, its team, another team.
    clients = [Client(), signed_in(world.people[1]), signed_in(world.people[0])]
    before = [everything(client, world) for client in clients]
    change(world, other)
    assert [everything(client, world) for client in clients] == before


@pytest.mark.parametrize("scores_of", ["shown", "rank_only", "hidden"])
def test_no_count_that_targets_make_and_no_digit_more_is_anywhere(scores_of: str, tmp_path: Path) -> None:
    world = two(tmp_path, scores_of)
    for client in (Client(), signed_in(world.people[1])):
        for text in everything(client, world):
            assert "2718" not in text
            assert not re.search(r"0\.\d{5,}", re.sub(r"<svg.*?</svg>", "", text, flags=re.S))
            assert "4321" not in text.replace("0.4322", "").replace("43.22", "") or scores_of == "shown"


def test_places_alone_say_nothing_of_which_entry_is_the_best(tmp_path: Path) -> None:
    world = two(tmp_path, "rank_only")
    client = signed_in(world.people[0])
    before = everything(client, world)
    first, second = Entry.objects.filter(phase=world.phase, team=world.teams[0]).order_by("number")
    for entry, value in ((first, 0.3), (second, 0.6)):
        Entry.objects.filter(pk=entry.pk).update(main=value, scores=scores(value))
    boards.touch(world.phase)
    assert everything(client, world) == before
    assert [row["place"] for row in client.get(f"{BOARD}.json").json()["rows"]] == [1, 2]


def test_where_places_are_hidden_teams_stand_by_their_names(tmp_path: Path) -> None:
    world = two(tmp_path, "hidden")
    told = Client().get(f"{BOARD}.json").json()
    assert [(row["place"], row["team"], row["metrics"]) for row in told["rows"]] == [
        (None, "=HYPERLINK(1)", {}), (None, "Owls", {}),
    ]  # fmt: skip
    assert told["references"][0]["metrics"] == {}
    over(world.challenge)
    assert [row["team"] for row in Client().get(f"{BOARD}.json").json()["rows"]] == ["Owls", "=HYPERLINK(1)"]


def test_organisers_see_all_at_any_time(tmp_path: Path, admin: Any, organiser: Any) -> None:
    world = two(tmp_path, "hidden")
    world.challenge.organisers.add(organiser)
    for who in (admin, organiser):
        rows = signed_in(who).get(f"{BOARD}.json").json()["rows"]
        assert [(row["place"], row["metrics"]["mean_iou"]["value"]) for row in rows] == [(1, 0.6), (2, SECRET)]
    # What was made for them is not given to others.
    assert [row["metrics"] for row in Client().get(f"{BOARD}.json").json()["rows"]] == [{}, {}]


def test_how_sure_the_order_is_is_not_told_before_the_end(tmp_path: Path, admin: Any) -> None:
    world = two(tmp_path, "shown")
    for client in (Client(), signed_in(world.people[0]), signed_in(admin)):
        assert client.get(f"{BOARD}/order/").status_code == 404
        assert "How sure" not in client.get(f"{BOARD}/").content.decode()
