"""`foveate weights verify` and `path` as a person calls them, with the codes that they leave with."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from foveate.sources.pinned import Member, cache_path
from foveate.sources.weights import WEIGHTS, paths

NAMES = "coco.names"


def foveate(*words: str, home: Path) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "COLUMNS": "200", "TERM": "dumb", "FOVEATE_OFFLINE": "1", "FOVEATE_HOME": str(home)}
    command = [sys.executable, "-m", "foveate", "weights", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=env)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache with the detector's files and nothing that was made of them."""
    found = paths("yolov3_tiny")
    monkeypatch.setenv("FOVEATE_HOME", str(tmp_path / "home"))
    for member in WEIGHTS["yolov3_tiny"].members:
        assert isinstance(member, Member)
        cache_path(member).parent.mkdir(parents=True)
        shutil.copy(found[member.name], cache_path(member))
    return tmp_path / "home"


def test_from_an_empty_cache_to_a_swapped_file_and_back(home: Path, tmp_path: Path) -> None:
    nothing = foveate("verify", "yolov3_tiny", home=tmp_path / "other")
    assert nothing.returncode == 4
    assert nothing.stdout.startswith("yolov3_tiny/coco.names: absent, it is not in the cache\n")
    assert nothing.stderr.count("\n") == 1
    assert "Run `foveate weights pull yolov3_tiny`" in nothing.stderr

    unconverted = foveate("verify", home=home)
    assert unconverted.returncode == 4
    assert unconverted.stdout.splitlines()[-1] == "yolov3_tiny/yolov3_tiny.onnx: absent, it is not made yet"

    # Without a network: what is converted is made of what is here.
    assert foveate("pull", "yolov3_tiny", home=home).returncode == 0
    whole = foveate("verify", home=home)
    assert (whole.returncode, whole.stderr) == (0, "")
    assert [line.split(": ")[1] for line in whole.stdout.splitlines()] == ["ok"] * 4

    places = [Path(line) for line in foveate("path", "yolov3_tiny", home=home).stdout.splitlines()]
    assert [place.name for place in places] == [NAMES, "yolov3-tiny.cfg", "yolov3-tiny.weights", "yolov3_tiny.onnx"]
    names = places[0].read_bytes()
    places[0].write_bytes(names.replace(b"cat", b"dog"))
    swapped = foveate("verify", "yolov3_tiny", "--json", home=home)
    assert swapped.returncode == 3
    assert [(row["file"], row["state"]) for row in json.loads(swapped.stdout) if row["state"] != "ok"] == [
        (NAMES, "damaged")
    ]
    assert swapped.stderr.startswith("coco.names: it has sha256 ")
    places[0].write_bytes(names)
    assert foveate("verify", home=home).returncode == 0


def test_a_name_that_there_is_not(tmp_path: Path) -> None:
    done = foveate("verify", "yolov3", home=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Did you mean yolov3_tiny?" in done.stderr
