from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from foveate.app.accounts import sessions
from foveate.app.accounts.models import User
from tests.app.conftest import PASSWORD
from tests.app.live import LiveFoveate


def over() -> None:
    Session.objects.create(session_key="over", session_data="", expire_date=timezone.now() - timedelta(days=1))


def test_signing_in_clears_sessions_that_are_over_now_and_then(
    annotator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "_latest", None)
    for kept in (False, True):
        over()
        Client().post("/accounts/login/", {"username": annotator.username, "password": PASSWORD})
        assert Session.objects.filter(pk="over").exists() == kept
    assert Session.objects.filter(expire_date__gt=timezone.now()).count() == 2


def test_a_start_clears_them(live_foveate: LiveFoveate) -> None:
    left = int(live_foveate.run("tests.app.end_sessions"))
    assert left > 1
    live_foveate.stop()
    live_foveate.start()
    assert int(live_foveate.run("tests.app.end_sessions")) == 0
