from __future__ import annotations

from pathlib import Path

import pytest

from foveate.errors import UnavailableError
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


@pytest.fixture
def homeless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Takes the user's home folder away: no variable, and no entry in the system's list of users."""

    def nobody(uid: int) -> object:
        raise KeyError(uid)

    for name in ("HOME", "XDG_CACHE_HOME", "FOVEATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pytest.importorskip("pwd"), "getpwuid", nobody)


def test_a_user_without_a_home_folder(homeless: None) -> None:
    with pytest.raises(UnavailableError, match=r"FOVEATE_HOME is not set, .* Set FOVEATE_HOME to the full path"):
        home()


def test_an_older_platformdirs_and_a_user_without_a_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FOVEATE_HOME")
    monkeypatch.setattr("foveate.sources.home.user_cache_path", lambda *_, **__: Path("~/.cache/foveate"))
    with pytest.raises(UnavailableError, match="this user has no home folder"):
        home()


@pytest.mark.parametrize("chosen", ["~/here", "~no-such-user/here"])
def test_a_variable_that_begins_with_a_home_that_is_not_there(
    homeless: None, monkeypatch: pytest.MonkeyPatch, chosen: str
) -> None:
    monkeypatch.setenv("FOVEATE_HOME", chosen)
    with pytest.raises(UnavailableError, match=f"FOVEATE_HOME={chosen} begins with a home folder that cannot be"):
        home()


@pytest.mark.parametrize(
    ("value", "expected"), [("1", True), ("TRUE", True), (" yes ", True), ("0", False), ("", False), ("no", False)]
)
def test_offline(monkeypatch: pytest.MonkeyPatch, value: str, expected: bool) -> None:
    monkeypatch.setenv("FOVEATE_OFFLINE", value)
    assert offline() is expected
