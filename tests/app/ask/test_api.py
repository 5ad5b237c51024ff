from __future__ import annotations

import io
import json
import logging
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any
from urllib.parse import unquote

import cv2
import numpy as np
import PIL.Image
import pytest
from django.conf import settings as settings_of
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from foveate.app import logs
from foveate.app.ask.services import access, asking, further, pictures
from foveate.app.ask.services.desk import the_desk
from foveate.app.limits import Limit
from foveate.assist.private import Found
from foveate.core.regions import Box, Region
from tests.app.ask.asked import API, NAME, QUICK, answered, as_base64, ask, bring, file_of, noise, opened, with_place
from tests.app.ask.conftest import configure
from tests.unit.assist.desk.fakes import Break, Say

pytestmark = pytest.mark.django_db


def test_a_photo_is_taken_upright_and_answers_one_question_after_another(client: Client) -> None:
    told = bring(client, with_place(np.repeat(np.repeat(noise((6, 9)), 10, axis=0), 10, axis=1)))
    assert (told["height"], told["width"]) == (90, 60)
    first = ask(client, told["key"], "What is it?").json()
    assert first["state"] == "done"
    assert first["kept"] is None
    # The tests' method gives the upper left quarter, and repeats the question.
    assert first["reply"]["region"]["xyxy"] == [0, 0, 30, 45]
    assert first["reply"]["answer"] == "What is it? — größer\n日本"
    assert " How often that is right was never measured. " in first["reply"]["said"]
    second = ask(client, told["key"], "And now?", style="clock").json()
    assert second["key"] == told["key"]
    assert second["ticket"] != first["ticket"]
    again = client.get(f"{API}/{second['ticket']}", {"style": "plain"}).json()["reply"]
    assert again["answer"] == second["reply"]["answer"]
    assert "o'clock" in second["reply"]["words"]["place"]
    assert "o'clock" not in again["words"]["place"]


def test_a_photo_comes_as_a_form_as_base64_or_as_a_data_url(client: Client) -> None:
    content = file_of(noise())
    body = {"question": "What?", "grounder": QUICK, "wait": 20}
    in_form = client.post(API, {**body, "photo": SimpleUploadedFile(NAME, content)}).json()
    for photo in (as_base64(content), f"data:image/png;base64,{as_base64(content)}"):
        told = client.post(API, {**body, "photo": photo}, content_type="application/json").json()
        assert told["reply"]["words"] == in_form["reply"]["words"]
        assert opened(client.get(f"{API}/{told['ticket']}/picture?kind=photo").content).tolist() == noise().tolist()
    field = client.post(API, {**body, "photo": as_base64(content)}).json()
    assert field["reply"]["words"] == in_form["reply"]["words"]
    large = client.post(f"{API}/photos", {"photo": as_base64(file_of(noise((1000, 900))))}, "application/json")
    assert large.status_code == 201, "it is larger than other calls of the API may be"


def test_who_must_wait_is_told_their_turn_and_asks_again(client: Client) -> None:
    key = bring(client)["key"]
    other = the_desk().submit(key, Say(seconds=1.5), "somebody else")
    more = [the_desk().submit(key, Say(), "somebody else") for _ in range(2)]
    told = ask(client, key, wait=0)
    assert told.status_code == 202
    waiting = told.json()
    assert (waiting["state"], waiting["turn"]) == ("waiting", 2)
    assert [the_desk().state(each).turn for each in more] == [1, 3], "turns go round"  # type: ignore[union-attr]
    assert client.get(f"{API}/{waiting['ticket']}/why").status_code == 202
    done = client.get(waiting["next"], {"wait": 20})
    assert done.status_code == 200
    assert done.json()["ticket"] == waiting["ticket"]
    assert client.get(f"{API}/{other}").status_code == 404, "it is another's"


def test_few_threads_wait_at_once(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    key = bring(client)["key"]
    the_desk().submit(key, Say(seconds=0.5), "somebody else")

    class Taken:
        def acquire(self, *, blocking: bool) -> bool:
            return False

    monkeypatch.setattr(asking, "_waiting", Taken())
    assert ask(client, key, wait=20).status_code == 202


def test_pictures_of_an_answer(client: Client) -> None:
    told = answered(client)
    ticket, words = told["ticket"], told["reply"]["words"]
    outline = client.get(f"{API}/{ticket}/picture")
    assert outline.headers["Content-Type"] == "image/png"
    assert outline.headers["Cache-Control"] == "no-store"
    assert unquote(outline.headers["Foveate-Alt"]) == words["alt"]
    assert max(opened(outline.content).shape) >= 480
    hidden = opened(client.get(f"{API}/{ticket}/picture?kind=hidden").content)
    # The quarter is 30 x 45 pixels, the margin 4.
    assert np.array_equal(hidden[:30, :45], noise()[:30, :45])
    away = np.hypot(*np.maximum(0, np.indices((60, 90)) - np.array([29, 44])[:, None, None])) > 6
    assert (hidden[away] == 128).all()
    assert away.sum() > 2000
    cropped = client.get(f"{API}/{ticket}/picture?kind=hidden&crop=true&format=jpeg")
    assert opened(cropped.content).shape[:2] == (34, 49)
    assert cropped.headers["Content-Type"] == "image/jpeg"
    larger = client.get(f"{API}/{ticket}/picture", {"kind": "larger", "contrast": "true", "format": "webp"})
    assert "The contrast is enhanced." in unquote(larger.headers["Foveate-Notes"]).split("\n")
    small = client.get(f"{API}/{ticket}/picture?kind=answer&longest=100&format=avif")
    assert max(opened(small.content).shape) == 100
    drawn = client.get(f"{API}/{ticket}/picture?kind=map&wait=20")
    assert unquote(drawn.headers["Foveate-Alt"]).startswith("A map over the photo: where the method looked.")
    assert client.get(f"{API}/{ticket}/picture?kind=soft").status_code == 422, "blur is for the screen only"


def test_what_is_private_is_hidden_unless_it_is_the_answer(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    ticket = answered(client)["ticket"]
    there, answer = Region(Box((60.0, 40.0, 70.0, 50.0)), 0.9), Region(Box((10.0, 10.0, 20.0, 20.0)), 0.9)
    found = (Found("face", there, 0.9, "a face"), Found("screen", answer, 0.9, "a laptop"))
    # The finders are tested where they are; what they find comes from the desk.
    monkeypatch.setattr(further, "of", lambda request, ticket, name, work, wait: found)
    made = client.get(f"{API}/{ticket}/picture?kind=private")
    pixels = opened(made.content)
    assert (pixels[40:50, 60:70] == 128).all()
    assert np.array_equal(pixels[10:20, 10:20], noise()[10:20, 10:20])
    notes = unquote(made.headers["Foveate-Notes"]).split("\n")
    assert notes[:2] == ["1 face is hidden.", "1 screen is left, since it is the answer."]
    assert "misses things" in notes[2]


def test_no_map_is_said_to_be_none(client: Client) -> None:
    ticket = answered(client, grounder="whole_image")["ticket"]
    none = client.get(f"{API}/{ticket}/picture?kind=map&wait=20")
    assert (none.status_code, none.json()["error"]["code"]) == (422, "no_map")


def test_text_is_read_and_reasons_are_told(client: Client) -> None:
    pixels = np.full((480, 900, 3), 255, dtype=np.uint8)
    cv2.putText(pixels, "TOMATO", (40, 140), cv2.FONT_HERSHEY_SIMPLEX, 2.2, (0, 0, 0), 5)
    cv2.putText(pixels, "CHEESE", (520, 440), cv2.FONT_HERSHEY_SIMPLEX, 2.2, (0, 0, 0), 5)
    ticket = ask(client, bring(client, file_of(pixels))["key"]).json()["ticket"]
    text = client.get(f"{API}/{ticket}/text?wait=20").json()
    assert text["text"] == "TOMATO"
    x0, y0, x1, y1 = text["lines"][0]["box"]
    assert x0 < 60
    assert 60 < y0 < y1 < 200
    assert 250 < x1 < 450
    assert client.get(f"{API}/{ticket}/text?wait=20&whole=true").json()["text"] == "TOMATO\nCHEESE"
    straight = client.get(f"{API}/{ticket}/picture?kind=straight&longest=400")
    assert unquote(straight.headers["Foveate-Notes"]).startswith("It is straight already.")
    assert max(opened(straight.content).shape) == 400
    assert client.get(f"{API}/{ticket}/why").json()["why"][0] == "The method that was asked is slow_corner."


def test_the_same_work_is_done_once(client: Client) -> None:
    told = answered(client)
    first = client.get(f"{API}/{told['ticket']}/picture?kind=map&wait=0")
    assert first.status_code in {200, 202}
    before = dict(further._tickets)
    assert client.get(f"{API}/{told['ticket']}/picture?kind=map&wait=20").status_code == 200
    assert further._tickets == before


def test_a_photo_that_breaks_a_method_is_refused_with_what_to_do(client: Client) -> None:
    key = bring(client)["key"]
    ticket = the_desk().submit(key, Break("abort"), "address 127.0.0.1")
    broken = client.get(f"{API}/{ticket}?wait=20")
    error = broken.json()["error"]
    assert (broken.status_code, error["code"]) == (422, "crashed")
    assert error["message"] == "The photo: the method broke down at it."
    assert error["remedy"] == "Take the photo again, or try another method."
    refused = client.get(f"{API}/{the_desk().submit(key, Say(), 'address 127.0.0.1')}?wait=20")
    assert refused.status_code == 404, "what came of it is no answer to a question"


def test_what_is_forgotten_or_taken_back_is_gone(client: Client) -> None:
    told = answered(client)
    assert client.delete(f"{API}/photos/{told['key']}").status_code == 204
    for path in (f"/{told['ticket']}", f"/{told['ticket']}/picture", f"/{told['ticket']}/why"):
        assert client.get(f"{API}{path}").status_code == 404
    assert client.delete(f"{API}/photos/{told['key']}").status_code == 404
    assert ask(client, told["key"]).status_code == 404
    other = answered(client)
    assert client.delete(f"{API}/{other['ticket']}").status_code == 204
    assert client.get(f"{API}/{other['ticket']}").status_code == 404


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"question": "What?", "key": "none"}, 404, "not_found"),
        ({"question": "What?"}, 422, "no_photo"),
        ({"question": "  "}, 422, "not_valid"),
        ({"question": "x" * 2001}, 422, "not_valid"),
        ({}, 422, "not_valid"),
        ({"question": "What?", "photo": "none!"}, 422, "not_base64"),
        ({"question": "What?", "photo": as_base64(b"no photo")}, 422, "not_valid"),
        ({"question": "What?", "photo": ""}, 422, "not_valid"),
        ({"question": "What?", "grounder": "whole_imge"}, 422, "no_method"),
        ({"question": "What?", "grounder": "prior"}, 422, "method_missing"),
        ({"question": "What?", "wait": 21}, 422, "not_valid"),
        ({"question": "What?", "style": "loud"}, 422, "not_valid"),
    ],
)
def test_what_is_not_taken_is_refused_in_the_one_shape(
    client: Client, body: dict[str, Any], status: int, code: str
) -> None:
    response = client.post(API, body, content_type="application/json")
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (status, code)
    assert error["message"]
    assert error["remedy"]


def test_a_body_that_is_neither_form_nor_json_is_refused(client: Client) -> None:
    assert client.post(API, "question=What", content_type="text/plain").status_code == 415
    for broken in ("{", "[1]", "[" * 100_000, b"\xff"):
        assert client.post(API, broken, content_type="application/json").status_code == 400


def test_the_description_has_both_ways_and_an_example(client: Client) -> None:
    paths = client.get("/api/v1/openapi.json").json()["paths"]
    content = paths[API]["post"]["requestBody"]["content"]
    assert set(content) == {"application/json", "multipart/form-data"}
    assert content["application/json"]["example"]["question"] == "What is this?"
    assert content["multipart/form-data"]["schema"]["properties"]["photo"]["format"] == "binary"
    assert content["application/json"]["schema"]["required"] == ["question"]
    assert set(paths[API]["post"]["responses"]) == {"200", "202", "default"}


def test_size_pixels_and_times_are_limited(client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    configure(settings, ask_size="1/1")
    large = client.post(f"{API}/photos", {"photo": SimpleUploadedFile(NAME, bytes((1 << 20) + 1))})
    assert (large.status_code, large.json()["error"]["details"]) == (413, {"most": 1})
    wide = np.zeros((1000, 1001, 3), dtype=np.uint8)
    wide_one = client.post(f"{API}/photos", {"photo": SimpleUploadedFile(NAME, file_of(wide))})
    assert wide_one.json()["error"]["message"] == "A photo may have 1 megapixels at most."
    assert client.post(f"{API}/photos", {"photo": SimpleUploadedFile(NAME, b"")}).status_code == 422
    monkeypatch.setattr(access, "_RATE", Limit("2/60"))
    key = bring(client)["key"]
    assert ask(client, key).status_code == 200
    often = ask(client, key)
    assert (often.status_code, often.json()["error"]["code"]) == (429, "too_many")
    assert int(often.headers["Retry-After"]) > 0


def test_so_much_of_one_asker_waits_and_no_more() -> None:
    client = Client(REMOTE_ADDR="10.9.8.7")
    key = bring(client)["key"]
    the_desk().submit(key, Say(seconds=1.0), "somebody else")
    codes = [ask(client, key, wait=0).status_code for _ in range(4)]
    assert codes == [202, 202, 202, 503]
    full = ask(client, key, wait=0)
    assert full.json()["error"]["code"] == "busy"
    assert full.headers["Retry-After"]


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """All that is logged, debugging too, as the server logs it."""
    said = io.StringIO()
    handler = logging.StreamHandler(said)
    handler.setFormatter(logs.Json())
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield said
    root.setLevel(level)
    root.removeHandler(handler)


def test_nothing_of_a_session_is_logged_or_laid_on_the_disk(
    client: Client, lines: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a file was made")

    monkeypatch.setattr(tempfile, "NamedTemporaryFile", refuse)
    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    large = file_of(noise((1200, 1000)))
    assert len(large) > 3 << 20, "Django itself would lay it on the disk"
    key = bring(client, large)["key"]
    question = "Does my diagnosis say XYZZY?"
    told = ask(client, key, question).json()
    client.get(f"{API}/{told['ticket']}/why")
    client.get(f"{API}/{told['ticket']}/picture?kind=larger")
    client.get(f"{API}/{told['ticket']}/nothing")
    client.post(f"{API}/photos", {"photo": SimpleUploadedFile(NAME, b"no photo")})
    client.post(API, {"question": question, "grounder": "none", "key": key}, content_type="application/json")
    ticket = the_desk().submit(key, Break("error"), "address 127.0.0.1")
    assert client.get(f"{API}/{ticket}?wait=20").json()["error"]["code"] == "failed"
    client.delete(f"{API}/photos/{key}")
    logged = lines.getvalue()
    assert logged.count('"event": "request"') == 9
    for secret in ("XYZZY", "diagnosis", "Oma", "letter", "größer", "gr\\u00f6", key, told["ticket"], ticket):
        assert secret not in logged, secret


def test_nothing_of_the_file_but_its_pixels_comes_back(client: Client) -> None:
    told = answered_about(client, with_place(noise()))
    for kind in ("photo", "outline", "larger", "hidden"):
        for form in ("png", "jpeg", "webp"):
            content = client.get(f"{API}/{told['ticket']}/picture", {"kind": kind, "format": form}).content
            assert b"SECRET" not in content
            assert not PIL.Image.open(io.BytesIO(content)).getexif()
    assert "SECRET" not in json.dumps(told)


def answered_about(client: Client, content: bytes) -> dict[str, Any]:
    told: dict[str, Any] = ask(client, bring(client, content)["key"]).json()
    return told


def test_no_answer_is_kept_by_browsers_and_proxies(client: Client) -> None:
    told = answered(client)
    for address in ("", "/why", "/text"):
        assert client.get(f"{API}/{told['ticket']}{address}").headers["Cache-Control"] == "private, no-store"
    assert client.get(f"{API}/methods").headers["Cache-Control"] == "private, no-store"


def test_a_long_answer_fits_into_a_header(client: Client) -> None:
    told = answered(client, "日" * 1500)
    header = client.get(f"{API}/{told['ticket']}/picture").headers["Foveate-Alt"]
    assert len(header) <= 2000
    alt, whole = unquote(header, errors="strict"), told["reply"]["words"]["alt"]
    assert alt.endswith("…")
    assert whole.startswith(alt[:-1])


def test_json_of_countless_parts_is_not_read(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(_text: bytes) -> object:
        raise AssertionError("it was read")

    monkeypatch.setattr("foveate.app.ask.api.sent.json.loads", never)
    for part in (b"[],", b"{},", b"0,"):
        body = b'{"question": [' + part * 10_001 + b"0]}"
        assert client.post(API, body, content_type="application/json").status_code == 400


def test_pictures_leave_threads_to_others(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    address = f"{API}/{answered(client)['ticket']}/picture?kind=hidden"
    monkeypatch.setattr(pictures, "_PATIENCE", 0.01)
    for room, size in ((pictures._two, 2), (pictures._at_it, settings_of.CONFIG.threads // 2 - 1)):
        with ExitStack() as held:
            for _ in range(size):
                assert room.acquire(blocking=False)
                held.callback(room.release)
            busy = client.get(address)
        assert (busy.status_code, busy.json()["error"]["code"], busy.headers["Retry-After"]) == (503, "busy", "6")
        assert client.get(address).status_code == 200


def test_what_is_quick_does_not_wait_behind_what_is_slow(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    address = f"{API}/{answered(client)['ticket']}/picture?kind=hidden"
    monkeypatch.setattr(pictures, "_PATIENCE", 0.01)
    with pictures._slow, pictures._at_slow:
        assert client.get(f"{address}&format=avif").status_code == 200, "a small one"
        monkeypatch.setattr(pictures, "LARGE", 100)
        assert client.get(f"{address}&format=jpeg").status_code == 200
        busy = client.get(f"{address}&format=avif")
    assert (busy.status_code, busy.json()["error"]["code"]) == (503, "busy")
    assert busy.json()["error"]["remedy"].endswith("or take a JPEG.")
    with ExitStack() as held:  # However many quick ones are made, a slow one is made as well.
        for _ in range(2):
            held.enter_context(pictures._two)
        slow = client.get(f"{address}&format=avif")
        assert slow.status_code == 503, "hiding is quick, and both places of that are taken"
    assert client.get(f"{address}&format=avif").status_code == 200
