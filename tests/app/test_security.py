from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.test import Client

from foveate.app.accounts.models import User
from tests.app.conftest import PASSWORD

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
}


@pytest.mark.parametrize("path", ["/", "/accounts/login/", "/nothing/", "/api/v1/nothing", "/healthz", "/admin/login/"])
def test_every_response_has_the_headers(db: None, path: str) -> None:
    headers = Client().get(path).headers
    assert {name: headers.get(name) for name in HEADERS} == HEADERS
    policy = headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "object-src 'none'" in policy
    assert "unsafe" not in policy
    assert "Strict-Transport-Security" not in headers


def test_cookies_cannot_be_read_by_scripts_of_others(annotator: User) -> None:
    client = Client()
    client.get("/accounts/login/")
    client.post("/accounts/login/", {"username": annotator.username, "password": PASSWORD})
    session = client.cookies["sessionid"]
    assert session["httponly"]
    assert session["samesite"] == "Lax"
    assert client.cookies["csrftoken"]["samesite"] == "Lax"


def test_another_host_is_refused(db: None) -> None:
    response = Client().get("/", headers={"Host": "evil.example"})
    assert response.status_code == 400


def test_passwords_are_hashed_as_they_should_be(tmp_path: Path) -> None:
    assert settings_of(tmp_path)["PASSWORD_HASHERS"][0].endswith("Argon2PasswordHasher")


def test_behind_https(tmp_path: Path) -> None:
    found = settings_of(tmp_path, FOVEATE_HTTPS="1", FOVEATE_HOSTS="foveate.example")
    assert found["SESSION_COOKIE_SECURE"]
    assert found["CSRF_COOKIE_SECURE"]
    assert found["SECURE_HSTS_SECONDS"] >= 31_536_000
    assert found["CSRF_TRUSTED_ORIGINS"] == ["https://foveate.example"]
    assert not found["DEBUG"]


def test_https_is_said_to_browsers(db: None, settings: Any) -> None:
    settings.SECURE_HSTS_SECONDS = 31_536_000
    headers = Client().get("/", secure=True).headers
    assert headers["Strict-Transport-Security"] == "max-age=31536000"
    assert "Strict-Transport-Security" not in Client().get("/").headers


def settings_of(folder: Path, **environment: str) -> dict[str, Any]:
    """Returns the settings that a server would have: not those of tests."""
    names = "PASSWORD_HASHERS SESSION_COOKIE_SECURE CSRF_COOKIE_SECURE SECURE_HSTS_SECONDS CSRF_TRUSTED_ORIGINS DEBUG"
    values = f"{{name: getattr(settings, name) for name in '{names}'.split()}}"
    code = f"from foveate.app import settings; import json; print(json.dumps({values}))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "FOVEATE_DATA": str(folder), "FOVEATE_DATABASE_URL": "", **environment},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_tests_hold_for_the_middleware_of_the_server() -> None:
    assert django_settings.MIDDLEWARE[0] == "foveate.app.middleware.requests.RequestLog"
