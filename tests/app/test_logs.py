from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from foveate.app import logs
from foveate.app.accounts.models import User
from foveate.app.accounts.tokens import make
from tests.app.api_urls import SECRET_WORDS
from tests.app.conftest import PASSWORD, signed_in


@pytest.fixture
def lines(settings: Any) -> Iterator[io.StringIO]:
    """All that is logged as the server logs it."""
    settings.ROOT_URLCONF = "tests.app.api_urls"
    said = io.StringIO()
    handler = logging.StreamHandler(said)
    handler.setFormatter(logs.Json())
    logging.getLogger().addHandler(handler)
    yield said
    logging.getLogger().removeHandler(handler)


def events(lines: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines.getvalue().splitlines()]


def test_each_request_is_one_line_of_json(annotator: User, lines: io.StringIO) -> None:
    response = signed_in(annotator).get("/accounts/profile/?next=/annotate/")
    (event,) = events(lines)
    assert event.pop("ms") >= 0
    assert event.pop("time").endswith("+00:00")
    assert event == {
        "level": "info",
        "event": "request",
        "logger": "foveate.request",
        "request": response.headers["X-Request-ID"],
        "method": "GET",
        "path": "/accounts/profile/",
        "status": 200,
        "user": annotator.pk,
        "address": "127.0.0.1",
    }


def test_two_requests_have_two_ids(lines: io.StringIO, db: None) -> None:
    client = Client()
    assert client.get("/").headers["X-Request-ID"] != client.get("/").headers["X-Request-ID"]


def test_a_fault_is_logged_with_its_place_and_without_its_words(lines: io.StringIO, db: None) -> None:
    client = Client(raise_request_exception=False)
    code = "a-code-that-opens-something"
    assert client.get(f"/broken/{code}").status_code == 500
    fault, request = events(lines)
    assert fault["error"].startswith("RuntimeError; ")
    assert "api_urls.py" in fault["error"]
    assert (fault["request"], request["level"], request["path"]) == (request["request"], "error", "/broken/…")
    assert SECRET_WORDS not in lines.getvalue()
    assert code not in lines.getvalue()


def test_nothing_secret_is_logged(annotator: User, lines: io.StringIO) -> None:
    _token, secret = make(annotator, "mine")
    client = Client(enforce_csrf_checks=False)
    client.get("/api/tests/who", headers={"Authorization": f"Bearer {secret}"})
    client.post("/accounts/login/", {"username": "annotator", "password": PASSWORD})
    client.post("/accounts/login/", {"username": "annotator", "password": "Wrong-" + PASSWORD})
    question = "what does my letter say"
    client.post("/api/tests/fail/no", {"count": question}, content_type="application/json")
    client.get("/nothing/here", {"q": question})
    client.get("/accounts/setup/jfcuVtqUN0sQHyBf9vYlS1xqYQ2nTQ")
    client.get("/accounts/setop/jfcuVtqUN0sQHyBf9vYlS1xqYQ2nTQ")
    Client(enforce_csrf_checks=True).post("/accounts/login/", {"password": PASSWORD})
    assert len(events(lines)) >= 8
    session, csrf = (client.cookies[name].value for name in ("sessionid", "csrftoken"))
    for word in (secret, PASSWORD, question, session, csrf, "jfcuVtqUN0sQHyBf9vYlS1xqYQ2nTQ"):
        assert word not in lines.getvalue()


def test_a_line_for_a_person(annotator: User, lines: io.StringIO) -> None:
    record = logging.makeLogRecord({"name": "foveate", "msg": "started", "levelno": logging.INFO})
    assert logs.Plain().format(record).endswith(" started")
    record = logging.makeLogRecord({"msg": "request", "method": "GET", "path": "/", "status": 200, "ms": 1.5})
    assert logs.Plain().format(record).endswith(" GET / 200 1.5 ms")


def test_how_logs_are_written() -> None:
    assert logs.config("plain")["formatters"]["line"]["()"].endswith("Plain")
    assert logs.config("json")["formatters"]["line"]["()"].endswith("Json")
