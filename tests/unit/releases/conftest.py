from __future__ import annotations

from pathlib import Path

import pytest

from foveate.sources.home import home as cache


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own, in which fetched files are those that there are."""
    fetched = cache() / "files"
    fresh = tmp_path / "home"
    fresh.mkdir()
    if fetched.is_dir():
        (fresh / "files").symlink_to(fetched)
    monkeypatch.setenv("FOVEATE_HOME", str(fresh))
    return fresh


@pytest.fixture
def unlooked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Photos are not looked at for what is private, which takes a second each; other tests do that."""
    monkeypatch.setattr("foveate.releases.private._look_at", lambda _: [])
