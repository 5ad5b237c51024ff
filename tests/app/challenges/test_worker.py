"""A worker in this process: poison, a database that goes away, a signal."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import OperationalError, connection

from foveate.app.accounts.models import User
from foveate.app.challenges import supervisor, worker
from foveate.app.challenges.models import Entry, Job, Phase, ReferenceRow, Worker
from foveate.app.challenges.services import entry_files, queue, settling
from foveate.app.challenges.tasks import scratch_root
from foveate.app.challenges.worker import Runner
from foveate.challenges import scoring
from foveate.challenges.definition import Reference
from foveate.challenges.said import to_said
from tests import poison_package as poison
from tests.app.challenges import made

pytestmark = pytest.mark.django_db(transaction=True)


class Place:
    def __init__(self, folder: Path, person: User) -> None:
        said = made.phase_said(metrics=("mean_iou", "poison"))
        challenge = made.challenge(folder, said)
        self.phase: Phase = challenge.phases.get()
        self.person, self.team = person, made.team(challenge, person)
        self.entries = Path(settings.MEDIA_ROOT) / "challenges" / "entries" / folder.name
        self.entries.mkdir(parents=True)

    def send(self, wish: int = poison.CALM, **more: Any) -> Entry:
        number = self.phase.entries.count()
        (self.entries / f"f{number}").write_text(poison.table(wish, **more))
        at = {"file": f"challenges/entries/{self.entries.name}/f{number}", "file_name": "boxes.csv", "ended_at": None}
        given = {"state": "waiting", "main": None, **at}
        entry = made.entry(self.phase, self.team, self.person, **given)
        queue.put(entry)
        return entry


@pytest.fixture
def place(tmp_path: Path, participant: User, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.setenv("PYTHONPATH", str(poison.write(tmp_path / "package")))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(settling, "_WAITS", {"entry": (0, 0), "platform": (0, 0, 0, 0)})
    monkeypatch.setattr(worker, "_FIRST_PAUSE", 0.01)
    monkeypatch.setattr(worker, "_POLL", 0.05)
    return Place(tmp_path, participant)


def run(until: Callable[[], bool], seconds: float = 60.0) -> Runner:
    """Runs a worker until something holds, then tells it to stop by SIGTERM."""

    def watch() -> None:
        deadline = time.monotonic() + seconds
        while not until() and time.monotonic() < deadline:
            time.sleep(0.05)
        connection.close()
        os.kill(os.getpid(), signal.SIGTERM)

    runner = Runner()
    watching = threading.Thread(target=watch)
    watching.start()
    runner.run()
    watching.join()
    return runner


def nothing_waits() -> bool:
    return not Job.objects.filter(state__in=("waiting", "running")).exists()


def test_poison_fails_and_others_go_on(place: Place) -> None:
    crash, short, calm, fault = (
        place.send(poison.CRASH),
        place.send(rows=2),
        place.send(),
        place.send(poison.FAIL),
    )
    row = ReferenceRow.objects.create(
        phase=place.phase, name="whole", said=to_said(Reference("whole", "evaluation", grounder="whole_image"))
    )
    queue.put_reference(row)
    left = set(scratch_root().glob("*"))
    run(nothing_waits)
    for entry in (crash, short, calm, fault, row):
        entry.refresh_from_db()
    assert (crash.state, crash.why) == ("failed", "its process was ended by the signal SIGSEGV")
    assert crash.events.filter(what="stumbled").count() == 3
    assert (short.state, len(short.problems)) == ("refused", 1)
    assert "000000000002.jpg" in short.problems[0]["said"]
    assert (fault.state, fault.why) == ("lost", "something went wrong on the server")
    assert calm.state == "scored"
    assert scoring.read_columns(entry_files.columns_path(calm))["mean_iou"]["iou"].shape == (3,)
    assert calm.scores is not None
    assert calm.scores["metrics"]["mean_iou"]["low"] is not None
    # The whole photo, 64 x 48, against 16 x 32, 44 x 16 and 28 x 16.
    assert row.scores is not None
    assert row.scores["metrics"]["mean_iou"]["value"] == pytest.approx((512 + 704 + 448) / 3072 / 3)
    assert "scoring" in Job.objects.get(entry=calm, kind="score").log
    assert "1 2 3 4" not in "".join(Job.objects.values_list("log", flat=True))
    assert Worker.objects.get().stopped_at is not None
    # What other tests' workers left, which were killed, is removed in time (`tidying`).
    assert set(scratch_root().glob("*")) <= left


def test_a_worker_that_is_told_to_stop_gives_its_job_back(place: Place) -> None:
    entry = place.send(poison.ENDLESS)
    run(lambda: Entry.objects.get().state == "scoring")
    job = Job.objects.get()
    assert (job.state, job.tries, job.deaths, job.lease) == ("waiting", 0, 0, None)
    entry.refresh_from_db()
    assert entry.state == "queued"


def test_what_is_withdrawn_meanwhile_is_stopped(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("foveate.app.challenges.heart.EVERY", 0.1)
    monkeypatch.setattr("foveate.app.challenges.heart._TOLD", 0.05)
    place.send(poison.ENDLESS)
    calm = place.send()

    def done() -> bool:
        first = Entry.objects.order_by("pk")[0]
        if first.state == "scoring":
            Entry.objects.filter(pk=first.pk).update(state="withdrawn")
            queue.drop(first)
        return Entry.objects.get(pk=calm.pk).state == "scored"

    run(done)
    assert list(Entry.objects.order_by("pk").values_list("state", flat=True)) == ["withdrawn", "scored"]


@pytest.mark.parametrize("where", ["seen", "claim", "reach", "finish"])
def test_a_database_that_goes_away_and_comes_back(place: Place, where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place.send()
    asked: list[int] = []
    real = getattr(queue, where)

    def away(*given: Any) -> Any:
        asked.append(1)
        if len(asked) <= 3:
            raise OperationalError("server closed the connection unexpectedly")
        return real(*given)

    monkeypatch.setattr(queue, where, away)
    run(nothing_waits)
    entry = Entry.objects.get()
    assert (entry.state, entry.events.filter(what="scored").count(), len(asked) > 3) == ("scored", 1, True)


def test_a_worker_stops_though_the_database_is_away(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.send()
    asked: list[int] = []

    def away(*_given: Any) -> Any:
        asked.append(1)
        raise OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(queue, "claim", away)
    run(lambda: len(asked) > 2)
    assert len(asked) > 2


def test_a_file_that_is_gone_is_the_platforms_fault(place: Place) -> None:
    entry = place.send()
    (Path(settings.MEDIA_ROOT) / entry.file).unlink()
    run(nothing_waits)
    entry.refresh_from_db()
    assert (entry.state, entry.why) == ("lost", "a file could not be read or written")


def test_a_worker_beside_a_server_that_is_gone_stops(place: Place) -> None:
    place.send()
    Runner(parent=os.getpid()).run()  # This process is not its own parent.
    assert Entry.objects.get().state == "waiting"


def test_a_worker_that_dies_at_once_is_begun_ever_more_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "_FIRST_PAUSE", 0.05)
    monkeypatch.setattr(sys, "executable", "/bin/false")
    place = supervisor._Place()
    place._pause = 0.05
    begun: list[float] = []
    deadline = time.monotonic() + 1.0
    last = None
    while time.monotonic() < deadline:
        place.see_to()
        if place.process is not None and place.process is not last:
            last = place.process
            begun.append(time.monotonic())
        time.sleep(0.005)
    if place.process is not None:
        place.process.wait()
    gaps = [later - earlier for earlier, later in zip(begun, begun[1:], strict=False)]
    assert 2 <= len(gaps) <= 5
    assert gaps == sorted(gaps)
