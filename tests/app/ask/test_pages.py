"""The pages of asking, as a browser without a script uses them; with one: tests/app/browser/test_asking.py."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from foveate import plugins
from foveate.app.accounts.models import User
from foveate.app.ask import words
from foveate.app.ask.models import Kept
from foveate.app.ask.services import asking, desk
from foveate.assist.desk import Done, Failed, Waiting, Working
from foveate.grounders import whole_image
from foveate.perception.text_lines import TextLine
from tests.app.access import PERSONS, SIGNED_IN
from tests.app.ask.asked import NAME, QUICK, SIZE_HW, file_of, noise, opened
from tests.app.ask.conftest import configure
from tests.app.conftest import signed_in
from tests.app.test_access import client_of
from tests.helpers import REPOSITORY

pytestmark = pytest.mark.django_db
JSON = {"Accept": "application/json"}


def sent(**more: Any) -> dict[str, Any]:
    photo = SimpleUploadedFile(NAME, file_of(noise()))
    return {"file": photo, "question": "What is it?", "grounder": QUICK, "style": "plain", **more}


def answered(client: Client, **more: Any) -> str:
    """Asks about a new photo, and waits; returns the address of the answer's page."""
    response = client.post("/ask/", sent(**more))
    assert (response.status_code, response.content) == (303, b"")
    address: str = response["Location"]
    desk.the_desk().wait(address.split("/")[-2], 30)
    return address


def told(response: Any) -> str:
    """Returns what a page says, without its marks."""
    text = re.sub(r"<(script|style).*?</\1>|<[^>]+>", " ", response.content.decode(), flags=re.S)
    return " ".join(unescape(text).split())


def key_of(client: Client, address: str) -> str:
    found = re.search(r"/ask/photos/([^/]+)/forget/", client.get(address).content.decode())
    assert found is not None
    return found[1]


def test_a_photo_and_a_question_lead_to_an_answer(client: Client) -> None:
    address = answered(client, question="Was ist das?")
    page = client.get(address)
    assert page.status_code == 200
    assert page["Cache-Control"] == "private, no-store"
    said = told(page)
    assert "Was ist das? — größer 日本." in said
    # The upper left quarter.
    assert "Upper left of the photo, about a quarter of it." in said
    assert f"You asked {QUICK}: Was ist das?" in said
    picture = client.get(f"{address}picture/outline")
    assert picture["Content-Type"] == "image/jpeg"
    # The photo is enlarged by whole numbers, until the outline can be seen.
    height, width = opened(picture.content).shape[:2]
    assert height / width == SIZE_HW[0] / SIZE_HW[1]
    saved = client.get(f"{address}picture/answer?format=png&save=1")
    assert saved["Content-Disposition"] == 'attachment; filename="answer.png"'
    assert opened(saved.content).shape[0] > height, "question and answer stand below the photo"
    # The words of the answer are the alternative text, and the script says them.
    html = unescape(page.content.decode())
    assert 'alt="The photo with the answer outlined. Was ist das? — größer 日本.' in html
    assert 'data-said="Was ist das? — größer 日本. Upper left' in html


def test_until_it_is_there_the_page_tells_the_turn_and_looks_again(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = answered(client)
    state: Any = Waiting(3, 41.0)
    monkeypatch.setattr(asking, "state", lambda *_, **__: state)
    page = client.get(address)
    assert page.status_code == 202
    assert "You are third in line. It takes about 41 seconds." in told(page)
    assert b'<noscript><meta http-equiv="refresh" content="5"></noscript>' in page.content
    assert client.get(f"{address}state").json() == {
        "state": "waiting",
        "said": "You are third in line.",
        "about": "It takes about 41 seconds.",
    }
    state = Working(0.5)
    assert "Looking at the photo." in told(client.get(address))


def test_what_came_to_nothing_says_what_to_do(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    address = answered(client)
    failed = Failed("crashed", "the photo", "the method broke down at it", "Take the photo again.")
    monkeypatch.setattr(asking, "state", lambda *_, **__: failed)
    page = client.get(address)
    assert page.status_code == 422
    assert "The photo: the method broke down at it. Take the photo again." in told(page)
    assert "Try another method" in told(page)


@pytest.mark.parametrize(
    ("changed", "field", "problem"),
    [
        ({"question": " "}, "question", 'Ask something, such as "What is this?"'),
        ({"file": ""}, "file", "There is no photo yet: take one, or choose one."),
        (
            {"camera": SimpleUploadedFile("b.png", b"x")},
            "file",
            "These are two photos: take one, or choose one.",
        ),
        ({"file": SimpleUploadedFile("no.jpg", b"not a photo")}, "file", "no.jpg: "),
        ({"grounder": "nobody"}, "grounder", "Select a valid choice."),
    ],
)
def test_what_is_wrong_stands_beside_its_field(client: Client, changed: Any, field: str, problem: str) -> None:
    response = client.post("/ask/", sent(**changed))
    assert response.status_code == 422
    html = unescape(response.content.decode())
    assert re.search(rf'id="id_{field}_error".{{0,80}}{re.escape(problem)}', html, flags=re.S)
    assert "Something is not right yet" in told(response)
    for each in changed.values():
        getattr(each, "seek", lambda _: None)(0)
    script = client.post("/ask/", sent(**changed), headers=JSON)
    assert script.status_code == 422
    assert script.json()["errors"][field][0].startswith(problem)


def test_a_photo_that_is_too_large_says_how_large_it_may_be(client: Client, settings: Any) -> None:
    configure(settings, ask_size="1/50")
    large = SimpleUploadedFile("large.png", file_of(noise((700, 700))))
    response = client.post("/ask/", sent(file=large), headers=JSON)
    assert response.status_code == 413
    assert response.json()["errors"]["file"] == ["A photo's file may have 1 MiB at most. Send a smaller one."]


def test_a_script_is_told_where_the_answer_will_be(client: Client) -> None:
    told = client.post("/ask/", sent(), headers=JSON).json()
    assert told.keys() == {"answer", "state", "advice"}
    assert told["state"] == f"{told['answer']}state"
    state = {"state": ""}
    for _look in range(20):
        if state["state"] != "done":
            state = client.get(told["state"]).json()
    assert state == {"state": "done", "said": "", "about": ""}


def test_advice_comes_before_the_answer(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    dark = SimpleUploadedFile("dark.png", file_of(np.full((200, 200, 3), 2, np.uint8)))
    advice = client.post("/ask/", sent(file=dark), headers=JSON).json()["advice"]
    assert advice[0] == "The photo is very dark; turn on a light or the flash, and try again."
    address = answered(client, file=SimpleUploadedFile("dark.png", file_of(np.full((200, 200, 3), 2, np.uint8))))
    monkeypatch.setattr(asking, "state", lambda *_, **__: Working(0.5))
    assert advice[0] in told(client.get(address))


def test_the_same_photo_is_asked_again_and_forgotten(client: Client) -> None:
    address = answered(client)
    key = key_of(client, address)
    again = client.post(f"/ask/photos/{key}/", {"question": "And this?", "grounder": QUICK})
    assert again.status_code == 303
    second = again["Location"]
    desk.the_desk().wait(second.split("/")[-2], 30)
    assert "And this? — größer" in told(client.get(second))
    page = client.get(f"/ask/photos/{key}/")
    assert "10 minutes after you last used it, it is forgotten." in told(page)
    assert (opened(client.get(f"/ask/photos/{key}/picture").content).shape) == (*SIZE_HW, 3)
    assert client.post(f"/ask/photos/{key}/", {"question": ""}).status_code == 422
    forgotten = client.post(f"/ask/photos/{key}/forget/")
    assert forgotten.status_code == 303
    assert "The photo is forgotten" in told(client.get(forgotten["Location"]))
    for gone in (address, second, f"/ask/photos/{key}/", f"/ask/photos/{key}/picture", f"{address}picture/outline"):
        response = client.get(gone)
        assert response.status_code == 404, gone
        assert "It is not here any more" in told(response)


def test_how_places_are_told_is_remembered(client: Client) -> None:
    assert "o'clock" in told(client.get(answered(client, style="clock")))
    assert re.search(r'value="clock"[^>]* checked', client.get("/ask/").content.decode())
    # A form that does not ask leaves it; a made-up one is none.
    key = key_of(client, answered(client, style="metric"))
    client.post(f"/ask/photos/{key}/", {"question": "And this?", "grounder": QUICK})
    assert client.cookies["foveate_places"].value == "metric"
    client.cookies["foveate_places"] = "x" * 50
    assert "Upper left" in told(client.get(answered(client)))


def test_the_rest_is_hidden_in_what_is_saved(client: Client) -> None:
    address = answered(client)
    page = client.get(f"{address}hide/rest/")
    assert "What is hidden was overwritten with one colour; it is not in the file." in told(page)
    saved = client.get(f"{address}picture/hidden?format=png&save=1")
    assert saved["Content-Disposition"] == 'attachment; filename="hidden.png"'
    pixels = opened(saved.content)
    # The region is 45 x 30; the margin of a photo of 60 x 90 is 4 pixels.
    assert (pixels[:30, :45] == noise()[:30, :45]).all()
    assert (pixels[34:] == 128).all()
    assert (pixels[:, 49:] == 128).all()
    cropped = opened(client.get(f"{address}picture/hidden?format=png&crop=1").content)
    assert cropped.shape == (34, 49, 3)


def test_what_is_softened_is_seen_and_not_saved(client: Client) -> None:
    address = answered(client)
    page = client.get(f"{address}hide/screen/?how=pixelate")
    assert "save=1" not in page.content.decode()
    assert 'value="pixelate" aria-pressed="true"' in page.content.decode()
    assert client.get(f"{address}picture/soft?how=pixelate").status_code == 200
    refused = client.get(f"{address}picture/soft?how=pixelate&save=1")
    assert (refused.status_code, "for the screen only" in told(refused)) == (422, True)


def test_larger_zooms_without_a_script(client: Client) -> None:
    address = answered(client)
    html = client.get(f"{address}larger/?zoom=200&contrast=1").content.decode()
    assert 'data-zoom="200"' in html
    assert 'name="zoom" value="300" data-by="1"' in html
    assert 'name="zoom" value="150" data-by="-1"' in html
    assert 'name="contrast" value="0" aria-pressed="true"' in html
    assert "The contrast is enhanced." in html
    assert 'data-zoom="100"' in client.get(f"{address}larger/?zoom=99").content.decode()
    pictured = opened(client.get(f"{address}picture/larger").content)
    # The region and a quarter of it on each side, inside the photo, four times as large.
    assert pictured.shape[0] >= 4 * 30
    assert client.get(f"{address}picture/larger?format=gif").status_code == 404
    assert client.get(f"{address}picture/none").status_code == 404
    assert client.get(f"{address}hide/none/").status_code == 404


def test_why_tells_sentences_and_shows_the_map(client: Client) -> None:
    address = answered(client)
    page = client.get(f"{address}why/")
    assert f"The method that was asked is {QUICK}." in told(page)
    shown = client.get(f"{address}why/?map=1")
    for _look in range(20):
        shown = client.get(f"{address}why/?map=1") if shown.status_code == 202 else shown
    assert "A map over the photo" in told(shown)
    # Told once: who hears the page does not hear it again from the picture.
    assert shown.content.decode().count("A map over the photo") == 1
    assert opened(client.get(f"{address}picture/map").content).ndim == 3
    without = answered(client, grounder="whole_image")
    assert "has no map" in told(client.get(f"{without}why/?map=1"))


def test_text_is_read_in_its_order(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    address = answered(client)
    corners = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
    lines = [TextLine(text, 0.9, corners, (0.0, 0.0, 9.0, 9.0)) for text in ("Creamy", "Tomato <Basil>")]
    asked: list[bool] = []

    def read(_request: Any, _ticket: str, *, whole: bool, wait: float) -> list[TextLine]:
        asked.append(whole)
        return [] if whole else lines

    monkeypatch.setattr("foveate.app.ask.services.reading.text", read)
    page = client.get(f"{address}text/")
    assert "Creamy Tomato <Basil>" in told(page)
    assert "No text was found in the photo." in told(client.get(f"{address}text/?whole=1"))
    assert asked == [False, True]


def test_a_refusal_is_an_answer_with_fewer_things_to_do(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    address = answered(client)
    answer = asking.result

    def refused(*args: Any, **more: Any) -> Any:
        found = answer(*args, **more)
        prediction = replace(
            found.answered.prediction, candidates=(), status="no_region", final=None, map=None, reason="none"
        )
        reply = replace(found.reply, answer="I cannot answer this from the photo: it is too blurred. Hold still.")
        return replace(found, answered=replace(found.answered, prediction=prediction), reply=reply)

    monkeypatch.setattr(asking, "result", refused)
    html = client.get(address).content.decode()
    assert "/larger/" not in html
    assert "/hide/private/" in html
    response = client.get(f"{address}hide/rest/")
    assert (response.status_code, "There is nothing to show" in told(response)) == (422, True)
    larger = client.get(f"{address}larger/")
    assert (larger.status_code, "There is nothing to show" in told(larger)) == (422, True)
    # A sentence is no title to be written large.
    assert 'class="ask-answer ask-long"' in html


def test_what_is_kept_is_shown_to_its_owner_and_removed(annotator: User, organiser: User) -> None:
    client = signed_in(annotator)
    address = answered(client)
    assert client.post(f"{address}keep/")["Location"] == "/ask/kept/"
    page = client.get("/ask/kept/")
    assert "What is it? — größer 日本." in told(page)
    row = Kept.objects.get()
    other = signed_in(organiser)
    assert "Nothing is kept" in told(other.get("/ask/kept/"))
    assert other.post(f"/ask/kept/{row.pk}/remove/").status_code == 404
    assert client.post(f"/ask/kept/{row.pk}/remove/").status_code == 303
    assert not Kept.objects.exists()
    assert Client().post(f"{address}keep/").status_code == 302


def test_what_is_anothers_is_gone(client: Client, annotator: User) -> None:
    address = answered(client)
    key = key_of(client, address)
    other = signed_in(annotator)
    for path in ("", "state", "larger/", "hide/rest/", "text/", "why/", "picture/outline"):
        assert other.get(address + path).status_code == 404, path
        assert Client().get(address + path).status_code == 404, "another browser at the same address"
    assert other.post(f"/ask/photos/{key}/forget/").status_code == 404
    assert other.post(f"/ask/photos/{key}/", {"question": "What?"}).status_code == 404
    assert client.get(address).status_code == 200


@pytest.mark.parametrize("who", PERSONS)
@pytest.mark.parametrize(
    ("setting", "nobody", "somebody"), [("everyone", 200, 200), ("people", 302, 200), ("nobody", 404, 404)]
)
def test_who_may_ask_sees_the_page_and_the_link_to_it(
    settings: Any, who: str, setting: str, nobody: int, somebody: int
) -> None:
    configure(settings, ask=setting)
    client, _user = client_of(who)
    status = somebody if who in SIGNED_IN else nobody
    for path in ("/ask/", "/ask/methods/"):
        response = client.get(path)
        assert response.status_code == status
        if status == 302:
            assert response["Location"] == f"/accounts/login/?next={path}"
    assert client.post("/ask/", sent()).status_code == (303 if status == 200 else status)
    assert ('href="/ask/"' in client.get("/").content.decode()) == (status == 200)


def test_a_form_of_another_site_is_refused(annotator: User) -> None:
    assert signed_in(annotator, csrf=True).post("/ask/", sent()).status_code == 403
    assert Client(enforce_csrf_checks=True).post("/ask/", sent()).status_code == 403


def test_where_a_photo_would_be_sent_is_said_before_it_is(
    client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = replace(whole_image.CARD, name="far", sends_to="Example Inc. in Utopia")
    there = plugins.load_all("grounders")[0] | {"far": SimpleNamespace(CARD=card)}
    monkeypatch.setattr(plugins, "load_all", lambda kind: (there, []))
    assert "Utopia" not in told(client.get("/ask/"))
    offered, missing = told(client.get("/ask/methods/")).split("more, not offered on this server")
    assert "this server was not started with --ask-remote far" in missing
    assert "this server was not started" not in offered
    configure(settings, ask_remote=("far",))
    monkeypatch.setattr("foveate.app.ask.services.methods._fault", lambda name: "")
    page = told(client.get("/ask/"))
    assert "unless you choose one of these methods: far: The photo is sent to Example Inc. in Utopia." in page
    assert "far: the photo is sent to Example Inc. in Utopia" in page


def test_the_log_has_neither_keys_nor_tickets_nor_what_was_asked(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    address = answered(client, question="Is this my letter?")
    key = key_of(client, address)
    for path in (f"{address}why/", f"{address}picture/outline", f"/ask/photos/{key}/", f"/ask/photos/{key}/picture"):
        assert client.get(path).status_code == 200
    client.post(f"/ask/photos/{key}/forget/")
    logged = repr([vars(record) for record in caplog.records])
    assert "'path': '/ask/answers/…/why/'" in logged
    assert not [secret for secret in (key, address.split("/")[-2], "letter", "größer", NAME) if secret in logged]


def test_the_script_has_each_of_its_sentences() -> None:
    sources = "".join(path.read_text() for path in (REPOSITORY / "web" / "src").glob("ask*.ts"))
    said = set(re.findall(r'say\("(\w+)"', sources))
    said |= {
        name for pair in re.findall(r'say\([^()"]*(?:\([^()]*\))?[^()"]*\? "(\w+)" : "(\w+)"', sources) for name in pair
    }
    assert said == words.SCRIPT.keys()


def test_turns_and_times_in_words() -> None:
    assert [words.turn(n) for n in (1, 2, 5, 6)] == [
        "You are next.",
        "You are second in line.",
        "You are fifth in line.",
        "You are number 6 in line.",
    ]
    assert [words.about(seconds) for seconds in (None, 0.2, 1.4, 59.0, 60.0, 150.0)] == [
        "",
        "It takes about 1 second.",
        "It takes about 1 second.",
        "It takes about 59 seconds.",
        "It takes about 1 minute.",
        "It takes about 2 minutes.",
    ]
    assert [words.told(Working(s))["said"] for s in (9.9, 10.0, 31.0)] == [
        "Looking at the photo.",
        "Still looking at the photo.",
        "Still looking; that takes long.",
    ]
    assert words.told(Done(None, 1.0))["state"] == "done"
    assert words.told(Failed("failed", "a", "b", "c"))["state"] == "failed"
