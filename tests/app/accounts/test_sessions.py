from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from foveate.app.accounts import invitations, passwords, sessions
from foveate.app.accounts.models import User
from foveate.app.challenges.services import team_links
from tests.app.challenges import made
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


@pytest.mark.parametrize("kind", ["password", "invitation", "team"])
def test_what_a_link_gives_is_not_in_a_session_that_somebody_planted(
    kind: str, tmp_path: Path, annotator: User, organiser: User, participant: User
) -> None:
    cup = made.challenge(tmp_path)
    owls = made.team(cup, participant)
    pages = {"password": "/accounts/password/new/", "invitation": "/accounts/join/"}
    page = pages.get(kind, f"/challenges/{cup.slug}/team/join/")
    link = {
        "password": lambda: passwords.make_link(None, annotator),
        "invitation": lambda: invitations.make(None, organiser, invitations.Offer("annotator"))[1],
        "team": lambda: team_links.make(participant, owls)[1],
    }[kind]()
    thief, victim = Client(), Client()
    thief.get(team_links.make(participant, owls)[1])
    victim.cookies["sessionid"] = thief.cookies["sessionid"].value
    victim.get(link)
    assert victim.get(page).status_code == 200
    assert victim.cookies["sessionid"].value != thief.cookies["sessionid"].value
    assert thief.get(page).status_code == 410
