from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from foveate.app.accounts import first_admin
from foveate.app.accounts.models import AuditEvent, User
from foveate.errors import InputError
from tests.app.live import LiveFoveate

PASSWORD = "Correct-horse-7-battery"
FORM = {"username": "hanna", "password1": PASSWORD, "password2": PASSWORD}


@pytest.fixture
def link(db: None) -> str:
    return f"/accounts/setup/{first_admin.code()}"


def test_the_link_makes_the_admin_once(link: str) -> None:
    client = Client()
    assert client.get(link).status_code == 200
    response = client.post(link, FORM)
    assert (response.status_code, response.headers["Location"]) == (302, "/")
    user = User.objects.get()
    assert (user.username, user.is_superuser, user.is_staff) == ("hanna", True, True)
    assert client.session["_auth_user_id"] == str(user.pk)
    assert AuditEvent.objects.get().action == "account.first_admin"
    assert Client().post(link, {**FORM, "username": "eve"}).headers["Location"] == "/accounts/login/"
    assert not (settings.CONFIG.folder / "setup.code").exists()
    assert User.objects.count() == 1


def test_an_old_link_leads_to_signing_in(link: str) -> None:
    Client().post(link, FORM)
    page = Client().get(link, follow=True)
    assert page.redirect_chain == [("/accounts/login/", 302)]
    assert "There is an admin already" in page.content.decode()


def test_the_link_is_dead_for_good(link: str) -> None:
    """Also where the admin goes again: the next start makes another link."""
    Client().post(link, FORM)
    User.objects.update(is_superuser=False)
    assert Client().get(link).status_code == 404
    assert first_admin.is_needed()
    assert first_admin.code() not in link


def test_another_code_opens_nothing(link: str) -> None:
    assert Client().get("/accounts/setup/another-code").status_code == 404
    assert Client().get("/accounts/setup/ö").status_code == 404


def test_a_weak_password_is_refused(link: str) -> None:
    response = Client().post(link, {"username": "hanna", "password1": "hanna", "password2": "hanna"})
    assert response.status_code == 200
    assert "too similar" in response.content.decode()
    assert not User.objects.exists()


def test_the_second_of_two_is_refused(db: None) -> None:
    assert first_admin.make("hanna", PASSWORD) is not None
    assert first_admin.make("eve", PASSWORD) is None
    assert User.objects.get().username == "hanna"


def test_the_environment_makes_it_once_and_is_cleared(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("hanna", "eve"):
        monkeypatch.setenv("FOVEATE_ADMIN_NAME", name)
        monkeypatch.setenv("FOVEATE_ADMIN_PASSWORD", PASSWORD)
        assert first_admin.from_environment()
        assert "FOVEATE_ADMIN_PASSWORD" not in os.environ
    assert User.objects.get().username == "hanna"
    assert not first_admin.from_environment()


def test_half_an_environment(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOVEATE_ADMIN_NAME", "hanna")
    with pytest.raises(InputError, match="Set both"):
        first_admin.from_environment()


def test_a_password_that_anybody_guesses(db: None) -> None:
    with pytest.raises(InputError, match="too common"):
        first_admin.make("hanna", "password1")


def test_without_a_terminal_a_link_is_printed(tmp_path: Path) -> None:
    live = LiveFoveate(tmp_path / "state")
    without = {name: value for name, value in live.environment.items() if not name.startswith("FOVEATE_ADMIN")}
    words = [sys.executable, "-m", "foveate", "serve", "--port", "0"]
    process = subprocess.Popen(words, env=without, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    first = process.stdout.readline()
    live.port = int(process.stdout.readline().rstrip("/\n").rpartition(":")[2])
    where = first.rpartition(" ")[2].strip().removeprefix(live.url)
    assert where.startswith("/accounts/setup/")
    assert live.ask(where)[0] == 200
    process.terminate()
    assert process.wait(timeout=60) == 0
    process.stdout.close()


def test_on_a_terminal_it_is_asked(tmp_path: Path) -> None:
    live = LiveFoveate(tmp_path / "state")
    without = {name: value for name, value in live.environment.items() if not name.startswith("FOVEATE_ADMIN")}
    ours, theirs = pty.openpty()
    words = [sys.executable, "-m", "foveate", "serve", "--port", "0"]
    process = subprocess.Popen(words, env=without, stdout=theirs, stdin=theirs, stderr=theirs, start_new_session=True)
    os.close(theirs)
    said = expect(ours, b"signing in: ")
    os.write(ours, b"hanna\n")
    expect(ours, b"Password: ")
    os.write(ours, f"{PASSWORD}\n".encode())
    expect(ours, b"confirmation: ")
    os.write(ours, f"{PASSWORD}\n".encode())
    said += expect(ours, b"serves at")
    process.terminate()
    expect(ours, b"Stopped.")
    assert process.wait(timeout=60) == 0
    os.close(ours)
    assert PASSWORD.encode() not in said


def expect(terminal: int, words: bytes) -> bytes:
    said = b""
    while words not in said:
        said += os.read(terminal, 1000)
    return said
