from __future__ import annotations

from pathlib import Path

import pytest

from foveate.sources.home import home, offline


def test_the_home_is_the_variable_made_absolute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOVEATE_HOME", "~/here")
    assert home() == Path.home() / "here"
    monkeypatch.setenv("FOVEATE_HOME", "there")
    assert home() == Path.cwd() / "there"


def test_without_the_variable_it_is_in_the_users_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("FOVEATE_HOME")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert home().name.lower() == "foveate"


@pytest.mark.parametrize(
    ("value", "expected"), [("1", True), ("TRUE", True), (" yes ", True), ("0", False), ("", False), ("no", False)]
)
def test_offline(monkeypatch: pytest.MonkeyPatch, value: str, expected: bool) -> None:
    monkeypatch.setenv("FOVEATE_OFFLINE", value)
    assert offline() is expected
