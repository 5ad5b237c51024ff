"""Every test here has its own home, and no index settings but those it makes itself."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from foveate.sources import _download
from foveate.sources.pinned import Member

from .index_server import Behaviour, member, pin, sdist, serving, sha256


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in list(os.environ):
        if name.startswith(("PIP_", "UV_", "FOVEATE_")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    # The null device as its file makes pip read no file at all.
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("NETRC", os.devnull)
    monkeypatch.setenv("FOVEATE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def without_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves only the environment to tell the settings, which spares half a second a test."""
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")


@dataclass
class Demo:
    """An sdist on a running index, and its two interesting members."""

    index: Behaviour
    data: bytes
    big: Member
    small: Member
    contents: dict[Member, bytes]

    @property
    def filename(self) -> str:
        return self.big.archive.filename


@pytest.fixture
def demo(without_pip: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Demo]:
    monkeypatch.setattr(_download, "_PAUSES", (0.0, 0.0))
    # Random bytes: what compresses well would be too short to cut.
    big, small = random.Random(7).randbytes(900_000), b"person\nbicycle\n"
    data = sdist({"demo-1.0/setup.py": b"raise SystemExit", "demo-1.0/w/big.bin": big, "demo-1.0/w/names": small})
    archive = pin("demo-1.0.tar.gz", data)
    members = {member(archive, "demo-1.0/w/big.bin", big): big, member(archive, "demo-1.0/w/names", small): small}
    first, second = members
    with serving(Behaviour({archive.filename: data}, {archive.filename: sha256(data)})) as index:
        monkeypatch.setenv("PIP_INDEX_URL", f"{index.url}/simple")
        yield Demo(index, data, first, second, members)
