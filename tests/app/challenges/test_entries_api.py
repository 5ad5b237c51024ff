"""The API of uploads and entries: by every sort of person, and as a program uses it."""

from __future__ import annotations

import hashlib
import uuid
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from foveate.app.accounts import tokens
from foveate.app.accounts.models import User
from foveate.app.challenges.models import Entry, Phase, Upload
from foveate.app.challenges.services import uploading
from foveate.app.challenges.services.uploading import PART
from foveate.app.limits import Limit
from tests.app.challenges import made
from tests.app.challenges.sending import TABLE, sent
from tests.app.conftest import person, signed_in, streamed

pytestmark = pytest.mark.django_db
ROOT = "/api/v1/challenges/cup"
PHASE = f"{ROOT}/phases/evaluation"


@pytest.fixture(autouse=True)
def _media(tmp_path: Path, settings: Any) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def phase(tmp_path: Path, participant: User) -> Phase:
    challenge = made.challenge(tmp_path, made.phase_said(counts="chosen"))
    made.team(challenge, participant)
    return challenge.phases.select_related("challenge").get()


@pytest.fixture
def program(phase: Phase, participant: User) -> Client:
    """A program with a token, as the command line is one."""
    _, secret = tokens.make(participant, "program")
    return Client(headers={"authorization": f"Bearer {secret}"})


def json_of(response: Any, status: int = 200) -> Any:
    assert response.status_code == status, response.content
    return response.json() if response.content else None


def put(client: Client, upload: str, offset: int, data: bytes) -> Any:
    path = f"{PHASE}/uploads/{upload}?offset={offset}"
    return client.put(path, data, content_type="application/octet-stream")


def post(client: Client, path: str, **values: Any) -> Any:
    return client.post(path, values, content_type="application/json")


def test_a_program_sends_a_file_follows_it_and_acts_on_it(program: Client, phase: Phase) -> None:
    data = TABLE * 40_000
    digest = hashlib.sha256(data).hexdigest()
    upload = json_of(post(program, f"{PHASE}/uploads", name="answers.csv", size=len(data), sha256=digest), 201)
    assert (upload["received"], upload["part"]) == (0, PART)
    # More than a call of the API may bring elsewhere, and than Django keeps in memory.
    half = len(data) - 1_000
    assert half > 1_000_000
    assert json_of(put(program, upload["id"], 0, data[:half]))["received"] == half
    assert json_of(put(program, upload["id"], 7, b"x" * half), 409)["error"]["details"] == {"received": half}
    assert json_of(program.get(f"{PHASE}/uploads/{upload['id']}"))["received"] == half
    early = json_of(post(program, f"{PHASE}/entries", key=str(uuid.uuid4()), upload=upload["id"]), 409)
    assert early["error"]["code"] == "not_whole"
    put(program, upload["id"], half, data[half:])
    words = {"method": "Owl", "description": "It looks.", "links": ["https://example.org/a?b=1"], "note": "ours"}
    given = {"key": str(uuid.uuid4()), "upload": upload["id"], "public": False, **words}
    entry = json_of(post(program, f"{PHASE}/entries", **given), 201)
    assert (entry["number"], entry["state"], entry["links"]) == (1, "waiting", words["links"])
    own = entry["own"]
    assert (own["sha256"], own["position"], own["cost"], own["over"], own["public"]) == (
        digest,
        1,
        "valid",
        False,
        False,
    )
    assert json_of(post(program, f"{PHASE}/entries", **given), 201)["number"] == 1
    assert json_of(program.get(f"{ROOT}/entries"))["entries"] == [json_of(program.get(f"{PHASE}/entries/1"))]
    assert json_of(program.get(f"{PHASE}/limits"))["at_once"] == 2
    changed = program.patch(f"{PHASE}/entries/1", {"method": "Owl 2", "public": True}, content_type="application/json")
    assert json_of(changed)["own"]["public"] is True
    assert (changed.json()["method"], changed.json()["description"]) == ("Owl 2", "It looks.")
    assert json_of(post(program, f"{PHASE}/entries/1/choose"))["own"]["chosen"] is True
    file = program.get(f"{PHASE}/entries/1/file")
    assert streamed(file) == data
    assert file.headers["Content-Disposition"] == 'attachment; filename="answers.csv"'
    assert file.headers["Content-Type"] == "application/octet-stream"
    assert json_of(post(program, f"{PHASE}/entries/1/withdraw"))["state"] == "withdrawn"
    events = [event["what"] for event in json_of(program.get(f"{PHASE}/entries/1"))["own"]["events"]]
    assert events == ["sent", "made_public", "described", "chosen", "withdrawn"]


def test_an_upload_is_given_up(program: Client, phase: Phase) -> None:
    upload = json_of(post(program, f"{PHASE}/uploads", name="a.csv", size=5), 201)["id"]
    assert program.delete(f"{PHASE}/uploads/{upload}").status_code == 204
    assert json_of(program.get(f"{PHASE}/uploads/{upload}"), 404)["error"]["code"] == "no_upload"
    assert json_of(put(program, upload, 0, b"12345"), 404)["error"]["code"] == "no_upload"


@pytest.mark.parametrize(
    "values",
    [
        {"name": "", "size": 5},
        {"name": "a\x00.csv", "size": 5},
        {"name": "a.exe", "size": 5},
        {"name": "a.csv", "size": -1},
        {"name": "a.csv", "size": 0},
        {"name": "a.csv", "size": 5, "sha256": "A" * 64},
        {"name": "a.csv", "size": 5, "team": 1},
    ],
)
def test_what_no_upload_can_be_is_refused(program: Client, phase: Phase, values: dict[str, Any]) -> None:
    json_of(post(program, f"{PHASE}/uploads", **values), 422)
    assert not Upload.objects.exists()


@pytest.mark.parametrize(
    "more",
    [
        {"links": ["javascript:alert(1)"]},
        {"links": ["https://example.org"] * 6},
        {"method": "x" * 201},
        {"state": "scored"},
        {"key": "1"},
    ],
)
def test_what_no_entry_can_be_is_refused(program: Client, phase: Phase, more: dict[str, Any]) -> None:
    given = {"key": str(uuid.uuid4()), "upload": str(uuid.uuid4()), **more}
    assert json_of(post(program, f"{PHASE}/entries", **given), 422)["error"]["code"] == "not_valid"


def test_parts_say_how_long_they_are_and_are_not_longer_than_a_part(program: Client, phase: Phase) -> None:
    upload = json_of(post(program, f"{PHASE}/uploads", name="a.csv", size=PART * 2), 201)["id"]
    error = json_of(put(program, upload, 0, b"x" * (PART + 1)), 413)["error"]
    assert (error["code"], error["details"]) == ("too_large", {"size": PART + 1, "most": PART})
    assert error["message"] == "This part has 8,388,609 bytes; a part of a file may have at most 8,388,608 (8 MiB)."
    assert error["remedy"] == "Send the file in parts of at most 8 MiB, each with its offset."
    assert json_of(put(program, upload, -1, b"x"), 422)["error"]["code"] == "not_valid"
    assert json_of(put(program, upload, 0, b"x" * PART))["received"] == PART
    # Elsewhere a call of the API may bring less.
    assert json_of(post(program, f"{PHASE}/entries", note="x" * 600_000), 413)["error"]["code"] == "too_large"


OPERATIONS: list[tuple[str, str, dict[str, Any]]] = [
    ("post", "/uploads", {"name": "a.csv", "size": 5}),
    ("get", "/uploads/{upload}", {}),
    ("put", "/uploads/{upload}?offset=0", {}),
    ("delete", "/uploads/{upload}", {}),
    ("post", "/entries", {"key": str(uuid.UUID(int=7)), "upload": "{upload}"}),
    ("get", "/limits", {}),
    ("get", "/entries/1", {}),
    ("get", "/entries/1/file", {}),
    ("patch", "/entries/1", {"method": "x"}),
    ("post", "/entries/1/choose", {}),
    ("post", "/entries/1/withdraw", {}),
]


@pytest.mark.parametrize(("method", "path", "body"), OPERATIONS)
def test_who_may_do_what(phase: Phase, participant: User, method: str, path: str, body: dict[str, Any]) -> None:
    """By nobody, strangers, other teams, organisers of something else: not found or refused, and nothing changes."""
    entry = sent(participant, phase)
    upload = Upload.objects.create(
        phase=phase,
        team=entry.team,
        person=participant,
        name="a",
        size=5,
        begun_at=entry.sent_at,
        touched_at=entry.sent_at,
    )
    rival = person("rival", "participant")
    made.team(phase.challenge, rival, name="Rivals")
    organiser = person("organises", "organiser")
    phase.challenge.organisers.add(organiser)
    asked = {
        "nobody": Client(),
        "stranger": signed_in(person("stranger", "participant")),
        "annotator": signed_in(person("annotator", "annotator")),
        "other organiser": signed_in(person("other", "organiser")),
        "rival": signed_in(rival),
        "organiser": signed_in(organiser),
    }
    before = Entry.objects.values().get()
    given = {name: str(upload.pk) if value == "{upload}" else value for name, value in body.items()}
    for who, client in asked.items():
        address = PHASE + path.format(upload=upload.pk)
        ask = getattr(client, method)
        response = ask(address) if method == "get" else ask(address, given, content_type="application/json")
        # Another team has uploads and limits of its own; who organises the challenge looks at all, and does nothing.
        allowed = who == "rival" and path in ("/uploads", "/limits")
        allowed |= who == "organiser" and method == "get" and "/entries/1" in path
        if response.streaming:
            streamed(response)
        expected = {200, 201} if allowed else {401} if who == "nobody" else {403, 404}
        assert response.status_code in expected, who
    assert Entry.objects.values().get() == before
    assert Upload.objects.filter(pk=upload.pk, received=0).exists()


def test_a_draft_is_for_its_organisers_and_there_is_no_other(phase: Phase, participant: User) -> None:
    client = signed_in(participant)
    assert client.get(f"{ROOT}/entries").status_code == 200
    type(phase.challenge).objects.update(published=False)
    assert client.get(f"{ROOT}/entries").status_code == 404
    assert client.get("/api/v1/challenges/none/entries").status_code == 404
    assert signed_in(person("boss", "admin")).get(f"{ROOT}/entries").json()["error"]["code"] == "no_team"


def test_a_session_needs_the_token_of_its_page(phase: Phase, participant: User) -> None:
    client = signed_in(participant, csrf=True)
    assert post(client, f"{PHASE}/uploads", name="a.csv", size=5).status_code == 403
    entry = sent(participant, phase)
    assert post(client, f"{PHASE}/entries/{entry.number}/withdraw").status_code == 403


def test_others_see_of_a_public_entry_what_a_board_shows(phase: Phase, participant: User) -> None:
    entry = sent(participant, phase)
    whole = {"value": 0.88017, "low": 0.87116, "high": 0.88918}
    scores = {"metrics": {"mean_iou": whole, "accuracy@0.5": {"value": 0.5}}}
    Entry.objects.update(state="scored", main=0.88017, scores=scores, note="secret")
    client = signed_in(person("stranger", "participant"))
    told = json_of(client.get(f"{PHASE}/entries/{entry.number}"))
    assert (told["own"], told["scores"]) == (None, {"mean_iou": "88.02", "accuracy@0.5": "50.00"})
    # The interval of the second is not known yet.
    assert told["intervals"] == {"mean_iou": ["87.12", "88.92"], "accuracy@0.5": None}
    assert "secret" not in str(told)
    assert not any(digits in str(told) for digits in ("88017", "87116", "88918"))
    assert client.get(f"{PHASE}/entries/{entry.number}/file").status_code == 404


def test_its_description_says_how_a_part_is_sent(phase: Phase) -> None:
    paths = Client().get("/api/v1/openapi.json").json()["paths"]
    path = next(path for path in paths if path.endswith("/uploads/{upload}"))
    assert set(paths[path]) == {"get", "put", "delete"}
    assert "application/octet-stream" in paths[path]["put"]["requestBody"]["content"]


def test_it_may_be_begun_so_often_an_hour(program: Client, phase: Phase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploading, "_RATE", Limit("2/3600"))
    for status in (201, 201, 429):
        response = post(program, f"{PHASE}/uploads", name="a.csv", size=5)
        json_of(response, status)
    assert int(response.headers["Retry-After"]) > 3_000
