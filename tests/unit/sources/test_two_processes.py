"""Two processes, or two threads, that want the same file at once."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from foveate.sources.pinned import member_path

from .conftest import Demo

PYTHON = sys.executable
CODE = """
import json, sys
from foveate.sources.pinned import Member, PinnedFile, member_path
wanted = json.loads(sys.argv[1])
wanted["archive"] = PinnedFile(**wanted["archive"])
print(member_path(Member(**wanted)))
"""


def _start(demo: Demo) -> subprocess.Popen[str]:
    wanted = json.dumps(dataclasses.asdict(demo.big))
    return subprocess.Popen(
        [PYTHON, "-c", CODE, wanted], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )


@pytest.fixture
def paused(demo: Demo) -> Demo:
    demo.index.go_on = threading.Event()
    return demo


def test_the_second_waits_for_the_first_and_finds_the_file(paused: Demo, home: Path) -> None:
    assert paused.index.go_on is not None
    with _start(paused) as first:
        assert paused.index.started.wait(30)
        with _start(paused) as second:
            assert second.stderr is not None
            # The line that it writes when it waits for the lock.
            assert "which another process is fetching" in second.stderr.readline()
            paused.index.go_on.set()
            outputs = [process.communicate(timeout=60)[0].strip() for process in (first, second)]
    assert (first.returncode, second.returncode) == (0, 0)
    assert outputs == [str(home / "files" / paused.big.sha256 / "big.bin")] * 2
    assert paused.index.downloads() == [None]


def test_a_second_thread_says_that_it_waits_and_downloads_nothing(paused: Demo) -> None:
    told: list[str] = []

    def let_the_first_go_on(done_bytes: int, total_bytes: int, label: str) -> None:
        told.append(label)
        assert paused.index.go_on is not None
        paused.index.go_on.set()

    with ThreadPoolExecutor() as threads:
        first = threads.submit(member_path, paused.big)
        assert paused.index.started.wait(30)
        second = threads.submit(member_path, paused.big, progress=let_the_first_go_on)
        assert second.result(60) == first.result(60)
    assert told == ["demo-1.0.tar.gz, which another process is fetching"]
    assert paused.index.downloads() == [None]
