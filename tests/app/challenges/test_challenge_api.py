"""The API of challenges: for everybody where they are published, and nothing hidden in it."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from django.test import Client

from foveate.app.accounts import tokens
from foveate.app.accounts.models import User
from foveate.app.challenges.models import Challenge
from tests.app.challenges import made
from tests.app.challenges.loaded import loaded
from tests.app.challenges.test_challenge_pages import status_of
from tests.app.conftest import person, signed_in, streamed

BASE = "/api/v1/challenges"


@pytest.fixture
def cup(tmp_path: Path, organiser: User) -> Challenge:
    made.challenge(tmp_path / "draft", slug="draft", published=False).organisers.add(organiser)
    return loaded(tmp_path / "cup", organiser)


def everybody(organiser: User) -> dict[str, Client]:
    """Returns a client of every kind of person."""
    kinds = {role: signed_in(person(f"a-{role}", role)) for role in ("annotator", "participant", "organiser", "admin")}
    return {"nobody": Client(), "its organiser": signed_in(organiser), **kinds}


def test_everybody_reads_what_is_published_and_its_people_drafts(cup: Challenge, organiser: User) -> None:
    for who, client in everybody(organiser).items():
        sees_all = who in ("its organiser", "admin")
        slugs = [one["slug"] for one in client.get(BASE).json()]
        assert slugs == (["cup", "draft"] if sees_all else ["cup"]), who
        for path in ("", "/phases", "/phases/evaluation/questions"):
            assert status_of(client.get(f"{BASE}/cup{path}")) == 200, who
            assert status_of(client.get(f"{BASE}/draft{path}")) == (200 if sees_all else 404), who


def test_a_token_counts_and_a_wrong_one_is_told(cup: Challenge, organiser: User) -> None:
    _, secret = tokens.make(organiser, "a program", None)
    assert Client().get(f"{BASE}/draft", headers={"authorization": f"Bearer {secret}"}).status_code == 200
    assert Client().get(f"{BASE}/cup", headers={"authorization": "Bearer fov_wrong"}).status_code == 401


def test_a_challenge_is_told_with_its_phases(cup: Challenge) -> None:
    said = Client().get(f"{BASE}/cup").json()
    assert (said["title"], said["licence"], said["sign_up"]) == ("The cup", "CC BY 4.0", "open")
    phases = {phase["name"]: phase for phase in said["phases"]}
    assert {name: phase["when"] for name, phase in phases.items()} == {
        "practice": "open", "evaluation": "open", "run": "open", "later": "before",
    }  # fmt: skip
    assert phases["later"]["limits"]["valid_a_day"] == 2
    assert {name for name, phase in phases.items() if phase["questions"]} == {"practice", "evaluation"}
    assert phases["evaluation"]["frozen_at"] is not None
    assert phases["evaluation"]["n"] == 3
    assert said["phases"] == Client().get(f"{BASE}/cup/phases").json()
    # Where things lie on the server is nobody's business.
    assert cup.folder not in Client().get(f"{BASE}/cup").content.decode()


def test_questions_come_as_a_file_and_only_when_they_may(cup: Challenge) -> None:
    path = Client().get(f"{BASE}/cup").json()["phases"][1]["questions"]
    rows = list(csv.reader(io.StringIO(streamed(Client().get(path)).decode())))
    assert rows[0] == ["image", "width", "height", "question"]
    assert len(rows) == 4
    for name in ("run", "later", "none"):
        answer = Client().get(f"{BASE}/cup/phases/{name}/questions")
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")
