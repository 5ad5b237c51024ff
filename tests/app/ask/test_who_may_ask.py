"""Every call of the assistant's API by every kind of person, under every setting."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from foveate import plugins
from foveate.app.accounts.models import User
from foveate.app.accounts.tokens import make
from foveate.app.ask.services.methods import methods
from foveate.grounders import whole_image
from tests.app.access import PERSONS, SIGNED_IN
from tests.app.ask.asked import API, QUICK, answered, ask, bring, file_of, noise
from tests.app.ask.conftest import configure
from tests.app.conftest import signed_in
from tests.app.test_access import client_of

pytestmark = pytest.mark.django_db
NUMBER = "00000000-0000-4000-8000-000000000000"


def sent() -> dict[str, Any]:
    return {"photo": SimpleUploadedFile("a.png", file_of(noise()))}


@pytest.fixture(autouse=True)
def _groups() -> None:
    for name in ("annotator", "organiser", "participant"):
        Group.objects.get_or_create(name=name)


# Statuses for: who is nobody, who is signed in.
@pytest.mark.parametrize(
    ("setting", "nobody", "somebody"),
    [("everyone", 200, 200), ("here", 200, 200), ("people", 401, 200), ("nobody", 404, 404)],
)
@pytest.mark.parametrize("who", PERSONS)
def test_who_may_ask(settings: Any, who: str, setting: str, nobody: int, somebody: int) -> None:
    configure(settings, ask=setting)
    client, _user = client_of(who)
    expected = somebody if who in SIGNED_IN else nobody
    assert client.get(f"{API}/methods").status_code == expected
    # What is not there is not found by whom may look for it.
    for path in ("/none", "/none/picture", "/none/text", "/none/why"):
        assert client.get(f"{API}{path}").status_code == (404 if expected == 200 else expected), path
    for path in ("/none", "/photos/none"):
        assert client.delete(f"{API}{path}").status_code == (404 if expected == 200 else expected), path
    # What somebody kept stays theirs where nobody may ask any more.
    alone = 401 if nobody == 200 else nobody
    assert client.get(f"{API}/kept").status_code == (200 if who in SIGNED_IN else alone)
    one = 404 if who in SIGNED_IN else alone
    assert client.get(f"{API}/kept/{NUMBER}").status_code == one
    assert client.get(f"{API}/kept/{NUMBER}/photo").status_code == one
    assert client.delete(f"{API}/kept/{NUMBER}").status_code == one
    body = {"ticket": "none"}
    assert client.post(f"{API}/kept", body, content_type="application/json").status_code == one
    if expected != 200:
        assert client.post(f"{API}/photos", sent()).status_code == expected
        assert client.post(API, {**sent(), "question": "What?"}).status_code == expected


def test_here_is_not_who_comes_by_a_proxy(settings: Any, annotator: User) -> None:
    configure(settings, ask="here")
    through = {"foveate.through_proxy": True}
    assert Client(**through).get(f"{API}/methods").status_code == 401  # type: ignore[arg-type]
    client = signed_in(annotator)
    assert client.get(f"{API}/methods", **through).status_code == 200  # type: ignore[arg-type]


def test_a_page_elsewhere_cannot_ask_by_somebodys_browser(client: Client, annotator: User) -> None:
    elsewhere = {"Origin": "https://evil.example"}
    assert client.post(f"{API}/photos", sent(), headers=elsewhere).status_code == 403
    assert client.post(f"{API}/photos", sent(), headers={"Origin": "null"}).status_code == 403
    assert client.post(f"{API}/photos", sent(), headers={"Origin": "http://testserver"}).status_code == 201
    strict = signed_in(annotator, csrf=True)
    assert strict.post(f"{API}/photos", sent()).status_code == 403, "who is signed in sends a CSRF token"
    _token, secret = make(annotator, "mine")
    by_token = Client(enforce_csrf_checks=True, headers={"Authorization": f"Bearer {secret}"})
    assert by_token.post(f"{API}/photos", sent()).status_code == 201


def test_what_is_anothers_is_not_found_as_what_never_was(annotator: User, organiser: User) -> None:
    mine = signed_in(annotator)
    told = answered(mine)
    for other in (signed_in(organiser), Client(), Client(REMOTE_ADDR="10.0.0.7")):
        for method, path in (
            ("get", "/{ticket}"),
            ("get", "/{ticket}/picture"),
            ("get", "/{ticket}/picture?kind=map"),
            ("get", "/{ticket}/text"),
            ("get", "/{ticket}/why"),
            ("delete", "/{ticket}"),
            ("delete", "/photos/{key}"),
        ):
            theirs = getattr(other, method)(API + path.format(**told))
            never = getattr(other, method)(API + path.format(ticket="never", key="never"))
            assert theirs.status_code == never.status_code == 404, path
            errors = [response.json()["error"] | {"request_id": ""} for response in (theirs, never)]
            assert errors[0] == errors[1]
        assert ask(other, told["key"]).status_code == 404
    assert mine.get(f"{API}/{told['ticket']}").status_code == 200


def test_a_photo_of_nobodys_stays_theirs_when_they_get_a_session(client: Client) -> None:
    told = answered(client)
    session = client.session
    session["style"] = "clock"
    session.save()
    assert client.get(f"{API}/{told['ticket']}").status_code == 200
    in_session = answered(client)
    other = Client()
    assert other.get(f"{API}/{in_session['ticket']}").status_code == 404, "another browser at the same address"
    other.cookies["sessionid"] = "x" * 32
    assert other.get(f"{API}/{in_session['ticket']}").status_code == 404


def test_methods_are_told_with_their_cards(client: Client) -> None:
    found = {row["name"]: row for row in client.get(f"{API}/methods").json()}
    assert next(iter(found)) == "pocket"
    assert found["pocket"]["is_default"]
    assert (found["pocket"]["available"], found["pocket"]["where"]) == (True, "The photo stays on this machine.")
    assert found["prior"]["available"] is False
    assert "the file of the prior is not given" in found["prior"]["missing"]
    assert found[QUICK]["available"]


def test_a_method_that_sends_photos_is_offered_only_where_it_was_named(
    client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = replace(whole_image.CARD, name="far", sends_to="Example Inc. in Utopia")
    monkeypatch.setattr(plugins, "load_all", lambda kind: ({"far": SimpleNamespace(CARD=card)}, []))
    row = client.get(f"{API}/methods").json()[0]
    assert (row["available"], row["where"]) == (False, "The photo is sent to Example Inc. in Utopia.")
    assert "--ask-remote far" in row["missing"]
    refused = ask(client, bring(client)["key"], grounder="far")
    assert refused.json()["error"]["code"] == "method_missing"
    configure(settings, ask_remote=("far",))
    assert "--ask-remote" not in methods()[0].missing
