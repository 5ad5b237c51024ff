"""Ten kills -9 at random moments, resumed: nothing lost, nothing doubled, equal to a run that was never disturbed."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from foveate.runs.store import read_run
from tests.helpers import write

N = 1_200
KILLS = 10


def command(folder: Path, out: str) -> list[str]:
    words = ["ground", "folder", "--questions", str(folder / "q.csv"), "--grounder", "slow_corner"]
    return [sys.executable, "-m", "foveate", *words, "--out", str(folder / out), "--resume"]


def rows(folder: Path) -> list[dict[str, Any]]:
    """Returns the lines of a run's predictions as they are on disk, without timings, by id."""
    lines = (folder / "predictions.jsonl").read_text().splitlines()
    found = [json.loads(line) for line in lines[1:]]
    return sorted(({k: v for k, v in row.items() if k != "seconds"} for row in found), key=lambda row: row["id"])


def test_ten_kills_at_random_moments(tmp_path: Path) -> None:
    lines = "".join(f"{n:05d}.jpg,Question {n}?,640,480\n" for n in range(N))
    write(tmp_path / "q.csv", "image,question,width,height\n" + lines)
    subprocess.run(command(tmp_path, "whole"), check=True, capture_output=True)

    seed = random.randrange(2**32)
    rng = random.Random(seed)
    file = tmp_path / "torn" / "predictions.jsonl"
    kills = 0
    while kills < KILLS:
        process = subprocess.Popen(command(tmp_path, "torn"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        before = file.stat().st_size if file.exists() else 0
        # The first kills fall anywhere, also before the header is there; the later ones once it has begun to write.
        if kills >= 3:
            while process.poll() is None and (not file.exists() or file.stat().st_size <= before):
                time.sleep(0.001)
        time.sleep(rng.uniform(0.0, 0.25))
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL, f"seed {seed}: the run was over before kill {kills + 1}"
        kills += 1
    if rng.random() < 0.5 and file.exists():
        file.write_bytes(file.read_bytes()[:-5])  # A kill within a line is rare; make sure of one now and then.
    subprocess.run(command(tmp_path, "torn"), check=True, capture_output=True)

    assert len(rows(tmp_path / "torn")) == N, f"seed {seed}"
    assert rows(tmp_path / "torn") == rows(tmp_path / "whole"), f"seed {seed}"
    run = read_run(tmp_path / "torn")
    assert run.finished
    assert not run.torn
    assert len({p.id for p in run.predictions}) == N
