from __future__ import annotations

import json
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from foveate.challenges.definition import Reproduction
from foveate.challenges.reproduction.running import Archive, Command, Image, Work

# Small, so that a test need not wait or write much.
LIMITS = Reproduction(memory=512 * 1024**2, disk=2 * 1024**2, processes=64, seconds=20)


@dataclass(frozen=True)
class Fake:
    """An engine that plays: what it was told, and what it is to do."""

    folder: Path

    def plays(self, **play: Any) -> None:
        (self.folder / "play.json").write_text(json.dumps(play))

    def said(self, verb: str = "") -> list[list[str]]:
        lines = (self.folder / "said.jsonl").read_text().splitlines()
        return [words for words in map(json.loads, lines) if not verb or words[1] == verb]

    def verbs(self) -> list[str]:
        return [words[1] for words in self.said()]


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    folder = tmp_path / "bin"
    folder.mkdir()
    source = Path(__file__).with_name("fake_engine.py").read_text()
    for name in ("docker", "podman"):
        (folder / name).write_text(f"#!{sys.executable} -IS\n{source}")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    made = Fake(folder)
    made.plays()
    return made


@dataclass(frozen=True)
class Desk:
    """A folder with questions and photos, from which works are made."""

    folder: Path

    def work(self, program: Image | Archive | Command, name: str = "try") -> Work:
        into = self.folder / "into"
        shutil.rmtree(into, ignore_errors=True)
        into.mkdir()
        return Work(program, self.folder / "test.csv", self.folder / "imgs", into, name)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    folder = tmp_path / "desk"
    (folder / "imgs").mkdir(parents=True)
    (folder / "imgs" / "a.jpg").write_bytes(b"a photo")
    (folder / "test.csv").write_text("image,width,height,question\na.jpg,4,3,where?\n")
    return Desk(folder)
