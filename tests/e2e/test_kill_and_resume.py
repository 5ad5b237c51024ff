"""Ten kills -9 at random moments, resumed: nothing lost, nothing doubled, equal to a run that was never disturbed."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from foveate.runs.store import read_run
from tests.helpers import PLUGIN, write

N = 1_200


def command(folder: Path, out: str) -> list[str]:
    words = ["ground", "folder", "--questions", str(folder / "q.csv"), "--grounder", "slow_corner"]
    return [sys.executable, "-m", "foveate", *words, "--out", str(folder / out), "--resume"]


def rows(folder: Path) -> list[dict[str, Any]]:
    """Returns the lines of a run's predictions as they are on disk, without timings, by id."""
    lines = (folder / "predictions.jsonl").read_text().splitlines()
    found = [json.loads(line) for line in lines[1:]]
    return sorted(({k: v for k, v in row.items() if k != "seconds"} for row in found), key=lambda row: row["id"])


def started(folder: Path) -> subprocess.Popen[bytes]:
    env = {**os.environ, "PYTHONPATH": str(PLUGIN)}
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command(folder, "torn"), stdout=quiet, stderr=quiet, env=env)


def wait_for_growth(process: subprocess.Popen[bytes], file: Path, size: int) -> None:
    while process.poll() is None and (not file.exists() or file.stat().st_size <= size):
        time.sleep(0.001)


@pytest.mark.parametrize("kills", [10, pytest.param(40, marks=pytest.mark.slow)])
def test_kills_at_random_moments(kills: int, tmp_path: Path) -> None:
    lines = "".join(f"{n:05d}.jpg,Question {n}?,640,480\n" for n in range(N))
    write(tmp_path / "q.csv", "image,question,width,height\n" + lines)
    env = {**os.environ, "PYTHONPATH": str(PLUGIN)}
    subprocess.run(command(tmp_path, "whole"), check=True, capture_output=True, env=env)

    seed = int(os.environ.get("FOVEATE_TEST_SEED", random.randrange(2**32)))
    rng = random.Random(seed)
    file = tmp_path / "torn" / "predictions.jsonl"
    start = time.monotonic()
    process = started(tmp_path)
    wait_for_growth(process, file, 0)
    start_up = time.monotonic() - start
    process.send_signal(signal.SIGKILL)
    process.wait()
    for kill in range(1, kills):
        process = started(tmp_path)
        if kill % 3 == 0:
            time.sleep(rng.uniform(0.0, start_up))  # Anywhere in the start, also while the run is opened.
        else:
            wait_for_growth(process, file, file.stat().st_size)
            time.sleep(rng.uniform(0.0, 5.0 / kills))
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL, f"seed {seed}: the run was over before kill {kill + 1}"
    # A kill within the writing of a line is rare; this is what it would leave.
    file.write_bytes(file.read_bytes()[: -rng.randint(1, 200)])
    subprocess.run(command(tmp_path, "torn"), check=True, capture_output=True, env=env)

    assert len(rows(tmp_path / "torn")) == N, f"seed {seed}"
    assert rows(tmp_path / "torn") == rows(tmp_path / "whole"), f"seed {seed}"
    shards = [sorted((tmp_path / name).glob("maps-*.bin")) for name in ("torn", "whole")]
    assert [path.read_bytes() for path in shards[0]] == [path.read_bytes() for path in shards[1]]
    run = read_run(tmp_path / "torn")
    assert all(p.map is not None and p.map.load().peak() is not None for p in run.predictions)
    assert run.finished
    assert not run.torn
    assert len({p.id for p in run.predictions}) == N
