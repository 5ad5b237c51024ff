"""Real servers with their workers: entries are scored, whoever is killed meanwhile."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.app import conftest
from tests.app.challenges.test_metrics import read
from tests.app.live import LiveFoveate

SCRIPT = "tests.app.challenges.make_entries"


@pytest.fixture
def live(tmp_path: Path) -> Iterator[LiveFoveate]:
    yield from conftest.running(LiveFoveate(tmp_path / "live", conftest.tests_database(), workers=2))


@pytest.fixture
def on_postgres(tmp_path: Path, postgres_url: str) -> Iterator[LiveFoveate]:
    yield from conftest.running(LiveFoveate(tmp_path / "live", postgres_url, workers=2))


def made(live: LiveFoveate, count: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FOVEATE_TEST_ENTRIES", str(count))
        live.run(SCRIPT)


def told(live: LiveFoveate) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FOVEATE_TEST_STATES", "1")
        return json.loads(live.run(SCRIPT))


def figures(live: LiveFoveate) -> dict[str, float]:
    status, body, _headers = live.ask("/metrics")
    assert status == 200
    return read(body.decode())


def ended(live: LiveFoveate) -> int:
    """Returns how many entries have come to an end."""
    counted = figures(live)
    finals = ("scored", "refused", "failed", "lost")
    return sum(
        int(counted.get(f'foveate_entries{{challenge="cup",phase="evaluation",state="{state}"}}', 0))
        for state in finals
    )


def wait_for(condition: Callable[[], bool], seconds: float = 120.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it never came about"
        time.sleep(0.1)


def workers_of(live: LiveFoveate) -> list[int]:
    """Returns the process numbers of its workers."""
    assert live._process is not None
    listed = subprocess.run(
        ["ps", "-o", "pid=,args=", "--ppid", str(live._process.pid)], stdout=subprocess.PIPE, text=True, check=False
    )
    return [int(line.split()[0]) for line in listed.stdout.splitlines() if "challenge worker" in line]


def killed_again_and_again(live: LiveFoveate, count: int, kills: int) -> None:
    made(live, count)
    deadline = time.monotonic() + 60 + 20 * kills
    for turn in range(kills):
        if live.database:
            _cut_off(live.database)
        done = ended(live)
        _nobody_waits(live)
        wait_for(lambda done=done: ended(live) > done or ended(live) == count)  # type: ignore[misc]
        if turn % 3 == 1:
            # The server too: its workers see that it is gone.
            before = workers_of(live)
            live.kill()
            wait_for(lambda before=before: not any(map(_is_alive, before)))  # type: ignore[misc]
            live.start()
        else:
            for number in workers_of(live)[: 1 + turn % 2]:
                with suppress(ProcessLookupError):
                    os.kill(number, signal.SIGKILL)
        _leases_end(live)
    while ended(live) < count:
        assert time.monotonic() < deadline, told(live)
        _nobody_waits(live)
        time.sleep(0.5)
    _nobody_waits(live)
    wait_for(lambda: figures(live).get('foveate_jobs{kind="interval",state="done"}', 0) >= count - count // 10)
    found = told(live)
    # None lost, doubled or stuck; a wrong one is refused, a right one scored, all alike.
    assert found["states"] == {"scored": count - count // 10, "refused": count // 10}
    assert found["ended"] == {"1": count}
    assert len(found["values"]) == 1
    assert found["intervals"] == found["states"]["scored"]


def _is_alive(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _cut_off(url: str) -> None:
    """Ends everybody's connection to the database, as its restart would."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def _leases_end(live: LiveFoveate) -> None:
    """Lets the minute pass that a dead worker's lease lasts."""
    _do(live, "UPDATE challenges_job SET leased_until = '2026-01-01 00:00:00' WHERE state = 'running'")


def _nobody_waits(live: LiveFoveate) -> None:
    """Lets the time pass that a job waits after its worker has vanished again."""
    _do(live, "UPDATE challenges_job SET not_before = NULL WHERE not_before IS NOT NULL")


def _do(live: LiveFoveate, sql: str) -> None:
    if live.database:
        import psycopg

        with psycopg.connect(live.database) as connection:
            connection.execute(sql.encode())
        return
    import sqlite3

    with closing(sqlite3.connect(live.data / "foveate.sqlite3", timeout=30)) as lite, lite:
        lite.execute(sql)


def test_workers_and_server_are_killed_again_and_again(live: LiveFoveate) -> None:
    killed_again_and_again(live, 10, 2)
    # A server that is told to stop ends its workers, which give back what they have.
    wait_for(lambda: len(workers_of(live)) == 2)
    numbers = workers_of(live)
    assert live.stop() == 0
    assert not any(map(_is_alive, numbers))


@pytest.mark.slow
def test_a_hundred_entries_and_many_kills(live: LiveFoveate) -> None:
    killed_again_and_again(live, 100, 12)


@pytest.mark.slow
def test_a_hundred_entries_and_many_kills_on_postgresql(on_postgres: LiveFoveate) -> None:
    killed_again_and_again(on_postgres, 100, 12)
