"""Leaderboards: who stands where, in pages, CSV, JSON and the API, and who sees what of it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from foveate.app.accounts.models import User
from foveate.app.challenges.models import Challenge, Phase, ReferenceRow, Team
from foveate.app.challenges.services import board as boards
from tests.app.challenges import made
from tests.app.challenges.boards import over, scored, scores
from tests.app.conftest import signed_in

pytestmark = pytest.mark.django_db
BOARD = "/challenges/cup/evaluation/leaderboard"
API = "/api/v1/challenges/cup/phases/evaluation/leaderboard"


class World:
    """A challenge with three teams, and a way to look at its board."""

    def __init__(self, folder: Path, *phases: Any, **more: Any) -> None:
        self.challenge: Challenge = made.challenge(folder, *phases, **more)
        self.phase: Phase = self.challenge.phases.get(position=0)
        # Without passwords, which take long to hash.
        self.people = [User.objects.create_user(name) for name in ("ann", "bo", "cy")]
        names = ("Owls", "=HYPERLINK(1)", "<b>Larks</b>")
        self.teams: list[Team] = [
            made.team(self.challenge, who, name=name) for who, name in zip(self.people, names, strict=True)
        ]

    def sends(self, team: int, value: float, **more: Any) -> Any:
        return scored(self.phase, self.teams[team], self.people[team], value, **more)


def rows(client: Client) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get(f"{BOARD}.json").json()["rows"]
    return found


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Three teams, of which two have values that are equal as they are shown."""
    world = World(tmp_path)
    world.sends(0, 0.50001)
    world.sends(1, 0.50004)
    world.sends(2, 0.7)
    world.sends(0, 0.1)
    return world


def test_the_board_is_the_same_in_every_form(world: World) -> None:
    client = Client()
    told = client.get(f"{BOARD}.json").json()
    assert [(row["place"], row["team"]) for row in told["rows"]] == [
        (1, "<b>Larks</b>"), (2, "Owls"), (3, "=HYPERLINK(1)"),
    ]  # fmt: skip
    # The second and the third are equal as they are shown, and the second was earlier, though its digits are less.
    assert [row["metrics"]["mean_iou"]["value"] for row in told["rows"]] == [0.7, 0.5, 0.5]
    assert told["rows"][1]["entries"] == 2
    assert client.get(API).json() == told
    page = client.get(f"{BOARD}/").content.decode()
    assert page.index("&lt;b&gt;Larks") < page.index("Owls") < page.index("=HYPERLINK(1)")
    assert "<b>Larks" not in page
    assert "48.89 – 51.11" in page
    lines = list(csv.reader(io.StringIO(client.get(f"{BOARD}.csv").content.decode())))
    assert lines[0][:3] == ["place", "team", "status"]
    # No spreadsheet takes a team's name for a formula.
    assert [line[1] for line in lines[1:]] == ["<b>Larks</b>", "Owls", "'=HYPERLINK(1)"]
    assert lines[1][8:] == ["0.7", "0.6889", "0.7111", "0.5", "0.6889", "0.7111"]


def test_what_is_private_withdrawn_or_disqualified_has_no_place(world: World) -> None:
    world.sends(1, 0.9, public=False)
    world.sends(1, 0.95, state="withdrawn")
    Team.objects.filter(pk=world.teams[2].pk).update(disqualified_at=timezone.now(), disqualified_why="Two accounts.")
    boards.touch(world.phase)
    found = rows(Client())
    assert [(row["place"], row["team"], row["status"]) for row in found] == [
        (1, "Owls", "ranked"), (2, "=HYPERLINK(1)", "ranked"), (None, "<b>Larks</b>", "disqualified"),
    ]  # fmt: skip
    assert found[2]["metrics"] == {}
    page = Client().get(f"{BOARD}/").content.decode()
    assert "<s>&lt;b&gt;Larks" in page
    assert "Two accounts" not in page
    assert Client().get(f"/challenges/cup/evaluation/teams/{world.teams[2].pk}/").status_code == 404


def test_equal_values_share_a_place_where_the_phase_says_so(tmp_path: Path) -> None:
    world = World(tmp_path, made.phase_said(ties="shared"))
    for team, value in enumerate((0.50001, 0.50004, 0.7)):
        world.sends(team, value)
    assert [(row["place"], row["shared"]) for row in rows(Client())] == [(1, False), (2, True), (2, True)]


def test_after_the_end_all_digits_rank_and_are_told(world: World) -> None:
    over(world.challenge)
    found = rows(Client())
    assert [(row["place"], row["team"]) for row in found] == [
        (1, "<b>Larks</b>"), (2, "=HYPERLINK(1)"), (3, "Owls"),
    ]  # fmt: skip
    assert [row["metrics"]["mean_iou"]["value"] for row in found] == [0.7, 0.50004, 0.50001]
    assert found[0]["metrics"]["mean_iou"]["n"] == 2718
    assert "50.00" in Client().get(f"{BOARD}/").content.decode()


def test_what_is_sent_after_the_end_is_ranked_apart(tmp_path: Path) -> None:
    world = World(tmp_path, made.phase_said(after_end="open"))
    world.sends(0, 0.5)
    world.sends(1, 0.91234567, after_end=True)
    over(world.challenge)
    told = Client().get(f"{BOARD}.json").json()
    assert [(row["place"], row["team"]) for row in told["rows"]] == [(1, "Owls")]
    assert [(row["place"], row["team"]) for row in told["after_end"]] == [(1, "=HYPERLINK(1)")]
    # Its targets are secret still.
    assert told["after_end"][0]["metrics"]["mean_iou"] == {"value": 0.9123, "low": 0.9012, "high": 0.9235}
    page = Client().get(f"{BOARD}/").content.decode()
    assert "Sent after the end" in page
    assert "0.91234567" not in page
    assert "after_end" in Client().get(f"{BOARD}.csv").content.decode()


def test_rows_that_are_no_team_s_are_marked_apart(world: World) -> None:
    fine = {"metrics": {"mean_iou": {"value": 0.95, "low": None, "high": None, "value_scored": None, "n": None}}}
    make = ReferenceRow.objects.create
    make(phase=world.phase, name="Paper", source="Doe 2024", published=True, said={}, scores=fine)
    make(phase=world.phase, name="Whole image", said={}, scores=scores(0.123456))
    told = Client().get(f"{BOARD}.json").json()
    assert [row["place"] for row in told["rows"]] == [1, 2, 3]
    paper, whole = told["references"]
    assert (paper["name"], paper["metrics"]["mean_iou"]["value"], paper["published"]) == ("Paper", 0.95, True)
    assert whole["metrics"]["mean_iou"] == {"value": 0.1235, "low": 0.1123, "high": 0.1346}
    page = Client().get(f"{BOARD}/").content.decode()
    assert "For comparison; these have no place" in page
    assert "as published, not scored here" in page
    # Best first, not by name; where no value is shown, what a paper says goes before names.
    make(phase=world.phase, name="Zebra", said={}, scores=scores(0.2))
    assert [row["name"] for row in Client().get(f"{BOARD}.json").json()["references"]] == [
        "Paper",
        "Zebra",
        "Whole image",
    ]
    world.phase.said = {**world.phase.said, "scores": "rank_only"}
    world.phase.save()
    boards.touch(world.phase)
    assert [row["name"] for row in Client().get(f"{BOARD}.json").json()["references"]] == [
        "Paper",
        "Whole image",
        "Zebra",
    ]


def test_an_interval_that_is_being_worked_out_is_said_to_be(world: World) -> None:
    world.sends(2, 0.99, scores=scores(0.99, interval=False))
    boards.touch(world.phase)
    assert "interval is being worked out" in Client().get(f"{BOARD}/").content.decode()
    assert rows(Client())[0]["metrics"]["mean_iou"] == {"value": 0.99, "low": None, "high": None}


def test_a_team_finds_its_own_row_and_its_private_entries(world: World) -> None:
    world.sends(0, 0.2, public=False)
    mine, other = signed_in(world.people[0]), signed_in(world.people[1])
    page = mine.get(f"{BOARD}/").content.decode()
    assert 'class="own" id="own"' in page
    assert "Your team has place 2." in page
    history = f"/challenges/cup/evaluation/teams/{world.teams[0].pk}/"
    assert "Private" in mine.get(history).content.decode()
    for client in (other, Client()):
        assert client.get(history).content.decode().count("<tr>") == 3
        told = client.get(f"/api/v1/challenges/cup/phases/evaluation/teams/{world.teams[0].pk}").json()
        assert [one["metrics"]["mean_iou"]["value"] for one in told["entries"]] == [0.5, 0.1]
    assert Client().get("/challenges/cup/evaluation/teams/9999999/").status_code == 404
    assert Client().get(f"/challenges/cup/evaluation/teams/{2**80}/").status_code == 404
    # A team that others do not see is not told from none, by no word.
    hidden = made.team(world.phase.challenge, name="Hidden")
    address = "/api/v1/challenges/cup/phases/evaluation/teams/{}"
    absent, unseen = (Client().get(address.format(n)) for n in (9_999_999, hidden.pk))
    assert absent.status_code == unseen.status_code == 404
    said = [
        {key: value for key, value in one.json()["error"].items() if key != "request_id"} for one in (absent, unseen)
    ]
    assert said[0] == said[1]


def test_a_team_with_private_entries_only_is_not_seen_by_others(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.sends(0, 0.5, public=False)
    address = f"/challenges/cup/evaluation/teams/{world.teams[0].pk}/"
    assert Client().get(address).status_code == 404
    assert signed_in(world.people[0]).get(address).status_code == 200
    assert rows(Client()) == []


def test_nameless_teams_are_called_by_their_aliases_until_the_end(tmp_path: Path) -> None:
    world = World(tmp_path, anonymous=True)
    world.sends(0, 0.5, links=["https://example.org/owls"])
    address = f"/challenges/cup/evaluation/teams/{world.teams[0].pk}/"
    for client in (Client(), signed_in(world.people[1])):
        for path in (f"{BOARD}/", f"{BOARD}.json", f"{BOARD}.csv", API, address):
            text = client.get(path).content.decode().replace("Method of Owls", "")
            assert "Team 1" in text or path == address
            assert "Owls" not in text
            assert "example.org" not in text
    assert "Owls" in signed_in(world.people[0]).get(address).content.decode().replace("Method of Owls", "")
    over(world.challenge)
    assert rows(Client())[0]["team"] == "Owls"
    assert rows(Client())[0]["links"] == ["https://example.org/owls"]


def test_links_of_other_kinds_are_not_shown(world: World) -> None:
    world.sends(2, 0.99, links=["javascript:alert(1)", "https://example.org/paper"])
    boards.touch(world.phase)
    page = Client().get(f"{BOARD}/").content.decode()
    assert "javascript:" not in page
    assert "https://example.org/paper" in page


def test_a_board_of_many_has_pages_and_is_searched(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.sends(0, 0.001)
    client = signed_in(world.people[0])
    few = _questions(client, world)
    for n in range(130):
        team = made.team(world.challenge, name=f"Team number {n}")
        scored(world.phase, team, world.people[0], (n + 1) / 200)
    first, second = (client.get(f"{BOARD}/?page={n}").content.decode() for n in (1, 2))
    # However many teams there are, as many questions to the database as for few.
    # Two more for its own row, which is on another page.
    assert _questions(client, world) == few + 2
    assert "Page 1 of 2" in first
    assert 'href="?page=2#own"' in first
    assert "Team number 129<" in first
    assert "Team number 0<" in second
    found = client.get(f"{BOARD}/?search=number+77").content.decode()
    # Its place is that of the whole board.
    assert ">53<" in found
    assert "1 team" in found
    assert "No team or method of this name" in client.get(f"{BOARD}/?search=%00nobody").content.decode()
    assert len(client.get(f"{API}?limit=1000").json()["rows"]) == 131
    part = client.get(f"{API}?offset=130&limit=5").json()
    assert (part["n"], [row["place"] for row in part["rows"]]) == (131, [131])
    assert client.get(f"{API}?limit=0").status_code == 422


def _questions(client: Client, world: World) -> int:
    """Returns how often a page asks the database for a board that has just changed."""
    boards.touch(world.phase)
    with CaptureQueriesContext(connection) as asked:
        assert client.get(f"{BOARD}/").status_code == 200
    return len(asked)


def test_a_draft_is_not_found_by_others(tmp_path: Path, admin: User) -> None:
    world = World(tmp_path, published=False)
    world.sends(0, 0.5)
    for path in (f"{BOARD}/", f"{BOARD}.csv", f"{BOARD}.json", f"{BOARD}/order/", API):
        assert Client().get(path).status_code == 404
    assert signed_in(admin).get(f"{BOARD}/").status_code == 200
    assert Client().get("/challenges/cup/nothing/leaderboard/").status_code == 404


def test_what_is_kept_is_made_anew_once_something_has_changed(world: World) -> None:
    assert rows(Client())[0]["team"] == "<b>Larks</b>"
    world.sends(0, 0.99)
    # Also where nobody has said that something has changed.
    assert rows(Client())[0]["team"] == "Owls"
    Team.objects.filter(pk=world.teams[0].pk).update(name="Eagles")
    boards.touch(world.phase)
    assert rows(Client())[0]["team"] == "Eagles"


def test_the_best_teams_are_those_with_the_first_places(world: World) -> None:
    now = timezone.now()
    assert boards.best_teams(world.phase, 2, now) == [world.teams[2].pk, world.teams[0].pk]
    assert boards.best_teams(world.phase, 9, now) == [world.teams[n].pk for n in (2, 0, 1)]


def test_an_empty_board_says_so(tmp_path: Path) -> None:
    world = World(tmp_path)
    assert "No entry has been scored yet" in Client().get(f"{BOARD}/").content.decode()
    assert json.loads(Client().get(f"{BOARD}.json").content)["rows"] == []
    over(world.challenge)
    assert "fewer than two teams" in Client().get(f"{BOARD}/order/").content.decode()
