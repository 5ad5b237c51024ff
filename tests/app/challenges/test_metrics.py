from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from foveate.app.accounts.audit import note
from foveate.app.accounts.models import User
from foveate.app.challenges.models import Job, Upload, Worker
from foveate.app.challenges.services import queue
from foveate.app.serving import THROUGH_PROXY, noting_proxies
from tests.app.challenges import made
from tests.app.live import LiveFoveate

TOKEN = "a-token-of-prometheus"


def read(text: str) -> dict[str, float]:
    """Returns the samples, by a reader that knows the format only: a name, labels in braces, a number."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return {name: float(value) for name, _space, value in (line.rpartition(" ") for line in lines)}


def asked(**more: str) -> dict[str, float]:
    response = Client().get("/metrics", **more)  # type: ignore[arg-type]
    assert response.status_code == 200
    assert response.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    return read(response.content.decode())


def test_the_figures_are_those_of_the_tables(tmp_path: Path, participant: User) -> None:
    now = timezone.now()
    phase = made.challenge(tmp_path).phases.get()
    team = made.team(phase.challenge, participant)
    made.entry(phase, team, participant, file_bytes=1000)
    waiting = made.entry(phase, team, participant, state="waiting", file_bytes=24)
    queue.put(waiting, now=now - timedelta(seconds=90))
    Job.objects.create(
        kind="score",
        state="done",
        made_at=now - timedelta(seconds=10),
        began_at=now - timedelta(seconds=7),
        check_seconds=1.5,
        work_seconds=0.25,
        tries=2,
        deaths=1,
    )
    for name, seen, stopped in [("a", 5, None), ("b", 500, None), ("c", 5, now)]:
        Worker.objects.create(name=name, began_at=now, seen_at=now - timedelta(seconds=seen), stopped_at=stopped)
    times = {"begun_at": now, "touched_at": now}
    Upload.objects.create(phase=phase, team=team, person=participant, name="x", size=50, received=7, **times)
    note(None, "entry.given_back", "cup/evaluation/9")
    found = asked()
    assert found['foveate_entries{challenge="cup",phase="evaluation",state="scored"}'] == 1
    assert found['foveate_entries{challenge="cup",phase="evaluation",state="waiting"}'] == 1
    assert found["foveate_entry_bytes"] == 1024
    assert found["foveate_entries_given_back_total"] == 1
    assert found['foveate_jobs{kind="score",state="waiting"}'] == 1
    assert 90 <= found['foveate_queue_oldest_seconds{kind="score"}'] < 120
    assert found['foveate_queue_oldest_seconds{kind="reproduce"}'] == 0
    assert found['foveate_job_seconds_total{kind="score",stage="wait"}'] == 3
    assert found['foveate_job_seconds_total{kind="score",stage="check"}'] == 1.5
    assert found['foveate_job_seconds_total{kind="score",stage="work"}'] == 0.25
    assert found['foveate_job_bad_ends_total{fault="entry"}'] == 2
    assert found['foveate_job_bad_ends_total{fault="platform"}'] == 1
    assert found["foveate_workers"] == 1
    assert (found["foveate_uploads"], found["foveate_upload_bytes"]) == (1, 7)
    assert found['foveate_disk_bytes{what="free"}'] > 0


def test_it_is_not_public(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    def status(**more: str) -> int:
        return Client().get("/metrics", **more).status_code  # type: ignore[arg-type]

    assert status() == 200
    elsewhere = {"REMOTE_ADDR": "192.0.2.7"}
    assert status(**elsewhere) == 403
    assert status(REMOTE_ADDR="not an address") == 403
    # A proxy on this machine asks for somebody else.
    assert status(**{THROUGH_PROXY: True}) == 403  # type: ignore[arg-type]
    # Without a token there is none that opens it.
    assert status(**elsewhere, HTTP_AUTHORIZATION="Bearer ") == 403
    monkeypatch.setattr(settings, "CONFIG", replace(settings.CONFIG, metrics_token=TOKEN))
    assert status(**elsewhere, HTTP_AUTHORIZATION=f"Bearer {TOKEN}") == 200
    assert status(**elsewhere, HTTP_AUTHORIZATION=f"Bearer {TOKEN}x") == 403
    assert status(**elsewhere) == 403


@pytest.mark.parametrize("header", ["X_FORWARDED_FOR", "X_FORWARDED_HOST", "FORWARDED", "X_REAL_IP", "VIA"])
def test_what_proxies_say_is_noted_and_taken_out(header: str) -> None:
    seen: list[dict[str, Any]] = []
    application = noting_proxies(lambda environ, start_response: seen.append(environ))
    application({f"HTTP_{header}": "127.0.0.1", "REMOTE_ADDR": "127.0.0.1"}, None)
    application({"REMOTE_ADDR": "127.0.0.1"}, None)
    assert seen == [
        {"REMOTE_ADDR": "127.0.0.1", THROUGH_PROXY: True},
        {"REMOTE_ADDR": "127.0.0.1", THROUGH_PROXY: False},
    ]


def test_a_real_server_does_not_tell_them_to_who_comes_through_a_proxy(shared_foveate: LiveFoveate) -> None:
    assert shared_foveate.ask("/metrics")[0] == 200
    for header in ("X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"):
        assert shared_foveate.ask("/metrics", headers={header: "for=192.0.2.7"})[0] == 403
