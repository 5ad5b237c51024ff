from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from foveate.app.accounts.models import ApiToken, User
from foveate.app.accounts.tokens import make, user_of
from foveate.app.limits import Limit
from tests.app import api_urls
from tests.app.api_urls import SECRET_WORDS
from tests.app.conftest import signed_in

ERROR = {"code", "message", "remedy", "details", "request_id"}
FAIL = "/api/tests/fail/"


@pytest.fixture(autouse=True)
def _addresses(settings: Any) -> None:
    settings.ROOT_URLCONF = "tests.app.api_urls"


def post(client: Client, path: str, body: object = None, **more: Any) -> Any:
    return client.post(path, body if body is not None else {"count": 1}, content_type="application/json", **more)


@pytest.mark.parametrize(
    ("how", "status", "code"),
    [
        ("conflict", 409, "draft_conflict"),
        ("input", 422, "not_valid"),
        ("unavailable", 503, "unavailable"),
        ("absent", 404, "not_found"),
        ("denied", 403, "not_allowed"),
        ("teapot", 418, "i'm_a_teapot"),
        ("fault", 500, "fault"),
    ],
)
def test_each_failure_has_the_one_shape(annotator: User, how: str, status: int, code: str) -> None:
    client = signed_in(annotator)
    client.raise_request_exception = False
    response = post(client, FAIL + how)
    assert response.status_code == status
    assert set(response.json()) == {"error"}
    error = response.json()["error"]
    assert set(error) == ERROR
    assert error["code"] == code
    assert error["request_id"] == response.headers["X-Request-ID"]
    assert SECRET_WORDS not in response.content.decode()
    assert "default-src" in response.headers["Content-Security-Policy"]


def test_what_a_refusal_says(annotator: User) -> None:
    client = signed_in(annotator)
    assert post(client, FAIL + "conflict").json()["error"]["details"] == {"version": 3}
    error = post(client, FAIL + "input").json()["error"]
    assert (error["message"], error["remedy"]) == ("a.csv, line 7: it has 2 columns, 3 are needed.", "Fix the file.")


def test_what_is_not_valid_is_said_by_field(annotator: User) -> None:
    response = post(signed_in(annotator), FAIL + "no", {"count": "many words"})
    assert response.status_code == 422
    problems = response.json()["error"]["details"]["problems"]
    assert [one["field"] for one in problems] == ["body.count"]
    assert "many words" not in response.content.decode()


def test_a_body_that_is_no_json(annotator: User) -> None:
    response = signed_in(annotator).post(FAIL + "no", "{", content_type="application/json")
    assert (response.status_code, response.json()["error"]["code"]) == (400, "bad_request")


def test_addresses_and_methods_that_there_are_not(annotator: User) -> None:
    client = signed_in(annotator)
    absent = client.get("/api/v1/nothing-here")
    assert (absent.status_code, absent.json()["error"]["code"]) == (404, "not_found")
    wrong = client.get(FAIL + "no")
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (405, "method_not_allowed")
    assert wrong.headers["Allow"] == "POST"


def test_nobody_is_asked_to_sign_in(db: None) -> None:
    response = post(Client(enforce_csrf_checks=True), FAIL + "no")
    assert (response.status_code, response.json()["error"]["code"]) == (401, "not_signed_in")


def test_a_session_needs_a_csrf_token(annotator: User) -> None:
    client = signed_in(annotator, csrf=True)
    refused = post(client, FAIL + "no")
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "not_allowed")
    client.get("/accounts/login/")
    token = client.cookies["csrftoken"].value
    assert post(client, FAIL + "no", headers={"X-CSRFToken": token}).json() == {"count": 1}


def test_a_token_is_enough(annotator: User) -> None:
    token, secret = make(annotator, "mine")
    client = Client(enforce_csrf_checks=True)
    bearer = {"Authorization": f"Bearer {secret}"}
    assert client.get("/api/tests/who", headers=bearer).json() == {"name": "annotator"}
    assert post(client, FAIL + "no", headers=bearer).json() == {"count": 1}
    token.refresh_from_db()
    assert token.used_at is not None
    assert secret not in str(ApiToken.objects.values().get())


def test_a_wrong_token_is_told_even_beside_a_session(annotator: User) -> None:
    response = signed_in(annotator).get("/api/tests/who", headers={"Authorization": "Bearer fov_wrong"})
    assert (response.status_code, response.json()["error"]["code"]) == (401, "not_signed_in")


def test_tokens_that_are_over(annotator: User) -> None:
    token, secret = make(annotator, "mine", timezone.now() + timedelta(days=1))
    assert user_of(secret) == annotator
    for field, value in [("expires_at", timezone.now()), ("withdrawn_at", timezone.now())]:
        ApiToken.objects.filter(pk=token.pk).update(**{field: value})
        assert user_of(secret) is None
        ApiToken.objects.filter(pk=token.pk).update(**{field: None})
    User.objects.filter(pk=annotator.pk).update(is_active=False)
    assert user_of(secret) is None


def test_too_often_is_said_with_how_long_to_wait(annotator: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api_urls.throttle, "_limit", Limit("2/60"))
    client = signed_in(annotator)
    assert [client.get("/api/tests/who").status_code for _ in range(3)] == [200, 200, 429]
    response = client.get("/api/tests/who")
    assert response.json()["error"]["code"] == "too_many"
    assert 1 <= int(response.headers["Retry-After"]) <= 61


def test_a_form_that_is_sent_too_often(db: None) -> None:
    client = Client()
    statuses = [client.post("/form/").status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
    refused = client.post("/form/")
    assert int(refused.headers["Retry-After"]) >= 1
    assert "Wait" in refused.content.decode()
    # Another address is another visitor, whatever a header claims; looking is not counted.
    assert client.post("/form/", REMOTE_ADDR="192.0.2.7").status_code == 200
    assert client.post("/form/", headers={"X-Forwarded-For": "192.0.2.8"}).status_code == 429
    assert client.get("/form/").status_code == 200


def test_a_body_that_is_too_large(annotator: User, settings: Any) -> None:
    settings.MOST_BYTES = settings.MOST_API_BYTES = 1000
    response = post(signed_in(annotator), FAIL + "no", {"count": "9" * 1000})
    assert (response.status_code, response.json()["error"]["code"]) == (413, "too_large")
    page = signed_in(annotator).post("/form/", {"text": "9" * 1000})
    assert (page.status_code, page.headers["Content-Type"]) == (413, "text/html; charset=utf-8")


def test_every_operation_is_described(db: None) -> None:
    schema = Client().get("/api/v1/openapi.json").json()
    assert schema["openapi"].startswith("3.")
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            where = f"{method} {path}"
            assert operation["summary"], where
            assert operation["responses"]["default"]["content"]["application/json"]["schema"] == {
                "$ref": "#/components/schemas/ErrorBody"
            }, where
            told = [body for status, body in operation["responses"].items() if status != "default"]
            assert told, where
            for body in told:
                typed = any(kind["schema"] for kind in body.get("content", {}).values())
                assert typed or body is operation["responses"].get("204"), f"{where} has a response without a type"
    assert set(schema["components"]["schemas"]["ErrorInside"]["properties"]) == ERROR


def test_the_page_of_the_description_needs_nothing_from_elsewhere(db: None) -> None:
    page = Client().get("/api/v1/docs").content.decode()
    assert "https://" not in page
    assert "<script>" not in page
    assert "style=" not in page
