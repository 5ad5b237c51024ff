"""Trouble for a server: workers and server are killed again and again, and the database is cut off and back."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress

from tests.app.live import LiveFoveate
from tests.app.postgres import Cluster


class Trouble:
    """What is done to a server, one after another while the block lasts and until all is done; `done` counts it.

    Args:
        live: The server, with workers.
        cluster: Its PostgreSQL; None where it has an SQLite.
        acts: How many times something is done.
        pause: Seconds between two acts.
        away: Seconds that the database is away.
    """

    def __init__(self, live: LiveFoveate, cluster: Cluster | None, acts: int, pause: float, away: float) -> None:
        self._live, self._cluster, self._acts, self._pause, self._away = live, cluster, acts, pause, away
        self._thread = threading.Thread(target=self._run, name="trouble")
        self._failed: BaseException | None = None
        self.done: Counter[str] = Counter()

    def __enter__(self) -> Trouble:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join()
        if self._failed is not None:
            raise RuntimeError("the trouble itself went wrong") from self._failed

    def _run(self) -> None:
        away: list[Callable[[], None]] = [self._locked]
        if self._cluster is not None:
            away = [self._cut_off, self._stopped]
        turns = [self._kill_worker, away[0], self._kill_worker, self._kill_server, self._kill_worker, away[-1]]
        try:
            for turn in range(self._acts):
                time.sleep(self._pause)
                turns[turn % len(turns)]()
        except BaseException as error:
            self._failed = error

    def _kill_worker(self) -> None:
        for number in workers_of(self._live)[:1]:
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
                self.done["worker killed"] += 1

    def _kill_server(self) -> None:
        self._live.kill()
        self._live.start()
        self.done["server killed"] += 1

    def _locked(self) -> None:
        with closing(sqlite3.connect(self._live.data / "foveate.sqlite3", timeout=60, isolation_level=None)) as lite:
            lite.execute("BEGIN IMMEDIATE")
            time.sleep(self._away)
            lite.execute("ROLLBACK")
        self.done[f"database locked for {self._away:g} s"] += 1

    def _cut_off(self) -> None:
        import psycopg

        assert self._cluster is not None
        with psycopg.connect(self._cluster.url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
            )
        self.done["all connections cut"] += 1

    def _stopped(self) -> None:
        assert self._cluster is not None
        self._cluster.stop()
        time.sleep(self._away)
        self._cluster.start()
        self.done[f"PostgreSQL stopped for {self._away:g} s"] += 1


def workers_of(live: LiveFoveate) -> list[int]:
    """Returns the process numbers of a server's workers."""
    words = ["ps", "-o", "pid=,args=", "--ppid", str(live.number)]
    listed = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=False)
    return [int(line.split()[0]) for line in listed.stdout.splitlines() if "challenge worker" in line]
