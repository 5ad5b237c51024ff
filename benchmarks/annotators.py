"""Many annotators at once on a real server: how long a save takes, and whether anything was lost or is there twice.

People sign in, are lent tasks, see photos, save about once a second and send, all through HTTP and on the machine of
the server. Afterwards the database is compared with what the server had acknowledged. With `--pause 0` everybody saves
as fast as the server answers.

Run: python -m benchmarks.annotators [--people 20] [--seconds 60] [--pause 1] [--database URL | --postgres]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks._annotator import Acknowledged, Annotator

from tests.app import postgres
from tests.app.live import LiveFoveate
from tests.helpers import REPOSITORY

# Of what was sent, so many of the newest versions of its draft stay.
_KEPT = 5


def state(live: LiveFoveate, act: str, *numbers: int) -> str:
    """Runs a part of `_annotators_state` on a server's state; returns what it prints."""
    words = [sys.executable, "-m", "benchmarks._annotators_state", act, str(live.data), live.database or ""]
    done = subprocess.run(
        [*words, *map(str, numbers)],
        env=live.environment,
        cwd=REPOSITORY,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return done.stdout


def signed_in(live: LiveFoveate, people: int, pause: float) -> list[Annotator]:
    """Returns so many people who have signed in."""
    annotators = [Annotator(live.url, f"person-{n}", pause, seed=n) for n in range(people)]
    for annotator in annotators:
        annotator.browser.sign_in(annotator.name)
    return annotators


@contextmanager
def at_work(annotators: Sequence[Annotator]) -> Iterator[None]:
    """Lets all of them work at once, until the block is left."""
    over = threading.Event()
    threads = [threading.Thread(target=one.work_until, args=(over.is_set,)) for one in annotators]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()
        for one in annotators:
            one.browser.close()


def faults(kept: dict[str, Any], acknowledged: Sequence[Acknowledged]) -> list[str]:
    """Returns what is lost, there twice, or counted wrong; nothing where all is well."""
    found = [*_faults_of_drafts(kept, acknowledged), *_faults_of_submissions(kept, acknowledged)]
    held = Counter(task for _, task, _, state in kept["assignments"] if state in ("leased", "submitted"))
    for task, _, wanted, taken in kept["tasks"]:
        if held[task] != taken or taken > wanted:
            found.append(f"task {task} counts {taken} of {wanted} places taken, {held[task]} are")
    twice = Counter((task, person) for _, task, person, _ in kept["assignments"])
    found += [f"task and person {pair} are assigned {n} times" for pair, n in twice.items() if n > 1]
    return found


def _faults_of_drafts(kept: dict[str, Any], acknowledged: Sequence[Acknowledged]) -> Iterator[str]:
    drafts = {(number, version): work for number, version, work in kept["drafts"]}
    sent = {number for _, number, _ in kept["submissions"]}
    newest: dict[int, int] = {}
    for number, version in drafts:
        newest[number] = max(version, newest.get(number, 0))
    for one in acknowledged:
        for (number, version), work in one.saves.items():
            pruned = number in sent and version <= newest.get(number, 0) - _KEPT
            if not pruned and drafts.get((number, version)) != work:
                yield f"assignment {number}, version {version}: acknowledged, and lost or another"


def _faults_of_submissions(kept: dict[str, Any], acknowledged: Sequence[Acknowledged]) -> Iterator[str]:
    there = {key: (number, work) for key, number, work in kept["submissions"]}
    counts = Counter(number for _, number, _ in kept["submissions"])
    yield from (f"assignment {number} has {n} submissions" for number, n in counts.items() if n > 1)
    said: dict[str, tuple[int, Any]] = {}
    for one in acknowledged:
        said |= one.sent
    for key, (number, work) in said.items():
        if there.get(key) != (number, work):
            yield f"assignment {number}: what was sent as {key} is lost or another"
    if not any(one.lost for one in acknowledged):
        yield from (f"submission {key} is there, and was never acknowledged" for key in there.keys() - said.keys())


@contextmanager
def _served(database: str | None) -> Iterator[LiveFoveate]:
    with tempfile.TemporaryDirectory(prefix="foveate-load-") as folder:
        live = LiveFoveate(Path(folder) / "live", database)
        live.start()
        try:
            yield live
        finally:
            if live.is_running:
                live.stop()


def main(words: Sequence[str]) -> int:
    """Runs it; returns 1 where something was lost or is there twice."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pause", type=float, default=1.0, help="seconds between two saves of a person, about")
    parser.add_argument("--tasks", type=int, default=5_000)
    parser.add_argument("--database", help="the URL of an empty database; SQLite by default")
    parser.add_argument("--postgres", action="store_true", help="start a PostgreSQL for it")
    options = parser.parse_args(words)
    if options.postgres:
        with postgres.cluster(fsync=True) as url:
            return _run(options, postgres.fresh(url))
    return _run(options, options.database)


def _run(options: argparse.Namespace, database: str | None) -> int:
    with _served(database) as live:
        state(live, "make", options.people, options.tasks)
        annotators = signed_in(live, options.people, options.pause)
        begin = time.perf_counter()
        with at_work(annotators):
            time.sleep(options.seconds)
        seconds = time.perf_counter() - begin
        kept = json.loads(state(live, "dump"))
    acknowledged = [one.acknowledged for one in annotators]
    _tell("PostgreSQL" if database else "SQLite", options.people, seconds, acknowledged)
    found = faults(kept, acknowledged)
    print("\n".join(found) or "nothing lost, nothing twice")
    return 1 if found else 0


def _tell(engine: str, people: int, seconds: float, acknowledged: Sequence[Acknowledged]) -> None:
    took = np.concatenate([np.array(one.seconds) for one in acknowledged]) * 1_000
    sent = sum(len(one.sent) for one in acknowledged)
    print(
        f"{engine}, {people} people for {seconds:.0f} s: {len(took):,} saves ({len(took) / seconds:.0f} a second),",
        end=" ",
    )
    print(f"{sent:,} submissions")
    middle, most, nearly_all = np.percentile(took, [50, 95, 99])
    print(f"a save: p50 {middle:.0f} ms, p95 {most:.0f} ms, p99 {nearly_all:.0f} ms, at most {took.max():.0f} ms")
    refused = Counter(answer for one in acknowledged for answer in one.refused)
    print(f"refused: {dict(refused) or 'nothing'}; without an answer: {sum(one.lost for one in acknowledged)}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
