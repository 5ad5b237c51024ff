"""A leaderboard of 10,000 entries on a real server: how long its page and its API take, asked over HTTP.

Once with many entries of each team and once with a team for each entry; as visitors find it, as whoever comes first
after it has changed, so that all must be ranked anew, and while entries keep coming, five a second.

Run: python -m benchmarks.challenge_board TOLOKA [--entries 10000] [--times 100] [--visitors 1] [--postgres]
"""

from __future__ import annotations

import argparse
import http.client
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
from benchmarks._challenge_state import PHASE, SLUG
from benchmarks.challenge import load_challenge, served, state

from tests.app import postgres
from tests.app.live import LiveFoveate
from tests.helpers import REPOSITORY

_PAGE = f"/challenges/{SLUG}/{PHASE}/leaderboard/"
_API = f"/api/v1/challenges/{SLUG}/phases/{PHASE}/leaderboard"
# Entries a second.
_RATE = "5"
# What boards are known to have changed by.
_TOUCH = "UPDATE challenges_phase SET version = version + 1"


def seconds_of(live: LiveFoveate, path: str, times: int, before: Callable[[], None]) -> list[float]:
    """Returns how long each answer took, on a connection that is kept, with something done before each.

    Raises:
        RuntimeError: It does not answer with 200.
    """
    took = []
    with closing(http.client.HTTPConnection("127.0.0.1", live.port, timeout=60)) as connection:
        for _ in range(times):
            before()
            begin = time.perf_counter()
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            took.append(time.perf_counter() - begin)
            if answer.status != 200:
                raise RuntimeError(f"{path} answers {answer.status}")
    return took


def processor_seconds(live: LiveFoveate) -> float:
    """Returns the processor's time that the server has taken, which other work on the machine does not lengthen."""
    user, system = Path(f"/proc/{live.number}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def touch(live: LiveFoveate) -> None:
    """Says that the board has changed, in the database, as a worker does."""
    if live.database:
        import psycopg

        with psycopg.connect(live.database) as connection:
            connection.execute(_TOUCH.encode())
        return
    with closing(sqlite3.connect(live.data / "foveate.sqlite3", timeout=30)) as lite, lite:
        lite.execute(_TOUCH)


def measure(options: argparse.Namespace, cluster: postgres.Cluster | None, teams: int) -> None:
    """Prints what it takes with so many teams."""
    with tempfile.TemporaryDirectory(prefix="foveate-load-") as name, served(Path(name) / "live", cluster, 0) as live:
        load_challenge(live, Path(name) / "challenge", options.data, 6)
        state(live, "board", teams, options.entries)
        print(f"{'PostgreSQL' if cluster else 'SQLite'}, {options.entries:,} entries of {teams:,} teams")
        seconds_of(live, _PAGE, 3, lambda: None)
        for what, path in (("page", _PAGE), ("page 2", f"{_PAGE}?page=2"), ("API", _API)):
            _ask(live, f"{what}, as it is", path, options, lambda: None)
            _ask(live, f"{what}, changed", path, options, lambda: touch(live))
            with _entries_come(live):
                _ask(live, f"{what}, entries come", path, options, lambda: None)


def _ask(live: LiveFoveate, what: str, path: str, options: argparse.Namespace, before: Callable[[], None]) -> None:
    """Asks as so many visitors at once do, and prints what it took."""
    begun = processor_seconds(live)
    with ThreadPoolExecutor(options.visitors) as visitors:
        each = [visitors.submit(seconds_of, live, path, options.times, before) for _ in range(options.visitors)]
        took = np.array([seconds for one in each for seconds in one.result()]) * 1_000
    spent = (processor_seconds(live) - begun) / len(took) * 1_000
    middle, most = np.percentile(took, [50, 95])
    print(f"  {what}: p50 {middle:.0f} ms, p95 {most:.0f} ms;", end=" ")
    print(f"the server's processor: {spent:.0f} ms each", flush=True)


@contextmanager
def _entries_come(live: LiveFoveate) -> Iterator[None]:
    words = [sys.executable, "-m", "benchmarks._challenge_state", "come", str(live.data), live.database or "", _RATE]
    with subprocess.Popen(words, env=live.environment, cwd=REPOSITORY) as sender:
        try:
            # Until it has begun.
            time.sleep(3)
            if sender.poll() is not None:
                raise RuntimeError(f"no entries come: it left with {sender.returncode}")
            yield
            if sender.poll() is not None:
                raise RuntimeError(f"no more entries come: it left with {sender.returncode}")
        finally:
            sender.terminate()


def main(words: Sequence[str]) -> int:
    """Runs it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of the cup's CSV files")
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--visitors", type=int, default=1, help="so many ask at once, each one after another")
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL that is started for it")
    options = parser.parse_args(words)
    for teams in (max(1, options.entries // 20), options.entries):
        if options.postgres:
            with postgres.running(fsync=True) as cluster:
                measure(options, cluster, teams)
        else:
            measure(options, None, teams)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
