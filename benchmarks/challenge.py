"""Many teams at once send entries to a challenge on a real server: is anything lost, doubled or scored wrongly?

The cup's public test is the hidden data; each team sends tables of 1,705 boxes by the client of `foveate challenge
submit`, as fast as the server takes them, on the server's own machine. What `foveate score` says of each file is known
before, and compared to the digit when all is over, intervals too. With `--trouble 18` eighteen times a worker or the
server is killed (-9) meanwhile, or the database is cut off and comes back.

Run: python -m benchmarks.challenge TOLOKA [--teams 50] [--entries 6] [--workers 1] [--trouble 18] [--postgres]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks._challenge_files import DATASET, SPLIT, expected, write_entries
from benchmarks._challenge_state import PHASE, SLUG
from benchmarks._challenge_trouble import Trouble

from foveate.cli._challenge_http import Server
from foveate.cli._challenge_sending import Bar, Target, send
from foveate.errors import FoveateError
from tests.app import postgres
from tests.app.live import LiveFoveate
from tests.helpers import REPOSITORY

# A job whose worker was killed waits for its lease to end, and may have that happen some times.
_PATIENCE_S = 900.0
_CHALLENGE = """\
slug = "{slug}"
title = "Load"
published = true

[data.{split}]
dataset = "{dataset}"
root = "{root}"

[[phases]]
name = "{phase}"
title = "Evaluation"
kind = "evaluation"
data = "{split}"
start = 2020-01-01T00:00:00Z
metrics = ["mean_iou", "accuracy@0.5"]
main = "mean_iou"
ties = "earlier"
forms = ["toloka"]
limits = {{ valid_in_all = {each}, at_once = {each} }}
"""


@dataclass
class Said:
    """What the server has said to the teams.

    Attributes:
        numbers: The entry's number, by the file's name.
        seconds: From the first byte of an upload to the answer that it is an entry, tries anew included.
        refused: What should not have been refused.
        again: How often a client waited and tried again, by why.
    """

    numbers: dict[str, int] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    again: Counter[str] = field(default_factory=Counter)


def state(live: LiveFoveate, act: str, *numbers: int) -> str:
    """Runs a part of `_challenge_state` on a server's state; returns what it prints."""
    words = [sys.executable, "-m", "benchmarks._challenge_state", act, str(live.data), live.database or ""]
    words += map(str, numbers)
    done = subprocess.run(words, env=live.environment, cwd=REPOSITORY, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout


def load_challenge(live: LiveFoveate, folder: Path, data: Path, each: int) -> None:
    """Writes the challenge's folder, and loads it as an organiser does."""
    folder.mkdir()
    text = _CHALLENGE.format(slug=SLUG, split=SPLIT, dataset=DATASET, root=data.resolve(), phase=PHASE, each=each)
    (folder / "challenge.toml").write_text(text)
    (folder / "description.md").write_text("# Load\n")
    live.foveate("challenge", "load", str(folder))


def all_sent(live: LiveFoveate, tokens: Sequence[str], files: dict[tuple[int, int], Path]) -> Said:
    """Lets all teams send their files at once, each team one after another; returns what they were told."""
    said, lock = Said(), threading.Lock()

    def team(number: int) -> None:
        def remark(sentence: str) -> None:
            with lock:
                said.again[sentence.partition(" Trying again")[0]] += 1

        server = Server(live.url, tokens[number], remark=remark)
        for path in [path for (whose, _turn), path in files.items() if whose == number]:
            _send_one(server, path, said, lock)

    threads = [threading.Thread(target=team, args=(number,)) for number in range(len(tokens))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return said


def _send_one(server: Server, path: Path, said: Said, lock: threading.Lock) -> None:
    words = {"method": path.stem, "description": "", "links": [], "note": "", "public": True}
    begin = time.perf_counter()
    try:
        entry = send(server, Target(SLUG, PHASE), path, words, Bar(lambda *_: None, lambda: None))
    except FoveateError as error:
        with lock:
            said.refused.append(f"{path.name}: {error}")
        return
    with lock:
        said.seconds.append(time.perf_counter() - begin)
        said.numbers[path.name] = entry["number"]


def wait_until_over(live: LiveFoveate, count: int) -> dict[str, Any]:
    """Returns all that was kept, once every entry has ended and every interval is there.

    Raises:
        RuntimeError: Something never ends.
    """
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        kept: dict[str, Any] = json.loads(state(live, "dump"))
        ended = sum(one["ended"] > 0 for one in kept["entries"])
        left = sum(n for _kind, at, n in kept["jobs"] if at in {"waiting", "running"})
        if ended >= count and not left:
            return kept
        if time.monotonic() > deadline:
            raise RuntimeError(f"{ended} of {count} entries have ended, {left} jobs are left: {kept['jobs']}")
        time.sleep(2)


def faults(kept: dict[str, Any], said: Said, wanted: dict[str, Any]) -> Iterator[str]:
    """Yields what was refused, is lost, there twice, ended more than once, or has other digits than expected."""
    yield from said.refused
    names = Counter(one["name"] for one in kept["entries"])
    yield from (f"{name} is there {names[name]} times" for name in wanted if names[name] != 1)
    yield from (f"{name} is there, and nobody sent it" for name in names.keys() - wanted.keys())
    numbers = [one["number"] for one in kept["entries"]]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"the numbers have gaps or doubles: {numbers}"
    for one in kept["entries"]:
        if said.numbers.get(one["name"]) != one["number"]:
            yield f"{one['name']} is entry {one['number']}, its team heard {said.numbers.get(one['name'])}"
        if one["state"] != "scored" or one["ended"] != 1:
            yield f"{one['name']}: {one['state']} ({one['why']}), ended {one['ended']} times"
        elif one["metrics"] != wanted.get(one["name"]):
            yield f"{one['name']} has {one['metrics']}, foveate score says {wanted.get(one['name'])}"


def run(options: argparse.Namespace, cluster: postgres.Cluster | None) -> int:
    """Runs it on one database; returns 1 where something is wrong."""
    with tempfile.TemporaryDirectory(prefix="foveate-load-") as name, ExitStack() as stack:
        place = Path(name)
        os.environ["FOVEATE_HOME"] = str(place / "home")
        folder = options.files or place / "files"
        files = write_entries(options.data, folder, options.teams, options.entries)
        wanted = {path.name: expected(path, options.data) for path in files.values()}
        live = stack.enter_context(served(place / "live", cluster, options.workers))
        load_challenge(live, place / "challenge", options.data, options.entries)
        tokens = json.loads(state(live, "make", options.teams))
        begin = time.perf_counter()
        with Trouble(live, cluster, options.trouble, options.pause, options.away) as trouble:
            said = all_sent(live, tokens, files)
            sent = time.perf_counter() - begin
        kept = wait_until_over(live, len(said.numbers))
        _tell(options, said, kept, sent, time.perf_counter() - begin)
        print("meanwhile:", ", ".join(f"{what}: {n}" for what, n in trouble.done.items()) or "no trouble")
        found = [*faults(kept, said, wanted), *_beyond(live, tokens[0], files[0, 0])]
    print("\n".join(found) or f"{len(wanted)} entries: none lost, none twice, all digits those of foveate score")
    return 1 if found else 0


def _beyond(live: LiveFoveate, token: str, file: Path) -> Iterator[str]:
    """Yields a fault where a team whose entries are used up could send one more: each counted once, not less."""
    said = Said()
    _send_one(Server(live.url, token), file, said, threading.Lock())
    if said.numbers:
        yield f"a team has sent more than it may: {said.numbers}"


@contextmanager
def served(data: Path, cluster: postgres.Cluster | None, workers: int) -> Iterator[LiveFoveate]:
    """Starts a server with so many workers, on an SQLite or a database of a cluster; ends it at last."""
    live = LiveFoveate(data, postgres.fresh(cluster.url) if cluster else None, workers=workers)
    live.start()
    try:
        yield live
    finally:
        if live.is_running:
            live.stop()


def _tell(options: argparse.Namespace, said: Said, kept: dict[str, Any], sent: float, over: float) -> None:
    engine = "PostgreSQL" if options.postgres else "SQLite"
    print(f"{engine}, {options.teams} teams, {options.entries} entries each, {options.workers} workers:", end=" ")
    print(f"{len(said.numbers)} accepted in {sent:.0f} s, all over after {over:.0f} s")
    _line("accepted after", said.seconds)
    _line("scored after", [one["seconds"] for one in kept["entries"] if one["seconds"] is not None])
    for why, n in said.again.most_common():
        print(f"clients tried anew {n} times: {why}")
    tries = {again: n for again, n in kept["again"] if again}
    print("jobs that were begun again, by how often:", tries or "none")


def _line(what: str, seconds: Sequence[float]) -> None:
    if seconds:
        middle, most, nearly_all = np.percentile(seconds, [50, 95, 99])
        print(f"{what}: p50 {middle:.2f} s, p95 {most:.2f} s, p99 {nearly_all:.2f} s, at most {max(seconds):.2f} s")


def main(words: Sequence[str]) -> int:
    """Runs it; returns 1 where something is lost, doubled or wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of the cup's CSV files")
    parser.add_argument("--teams", type=int, default=50)
    parser.add_argument("--entries", type=int, default=6, help="of each team")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--trouble", type=int, default=0, metavar="ACTS", help="so many kills and cuts meanwhile")
    parser.add_argument("--pause", type=float, default=4.0, help="seconds between two acts of trouble")
    parser.add_argument("--away", type=float, default=6.0, help="seconds that the database is away")
    parser.add_argument("--files", type=Path, help="a folder that keeps the entries and their scores for other runs")
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL that is started for it")
    options = parser.parse_args(words)
    if options.postgres:
        with postgres.running(fsync=True) as cluster:
            return run(options, cluster)
    return run(options, None)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
