"""What `foveate serve` and the environment say of who may ask."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from foveate.app.config import Config
from foveate.cli._app import app
from foveate.cli.serve import LOCAL, _methods, _names, _who_may_ask
from foveate.errors import InputError, UsageError


@pytest.mark.parametrize(
    ("said", "here", "who"),
    [(None, True, "here"), (None, False, "people"), ("", False, "people"), ("everyone", False, "everyone")],
)
def test_who_may_ask_is_narrow_unless_somebody_says_otherwise(said: str | None, here: bool, who: str) -> None:
    assert _who_may_ask(said, here=here) == who


def test_only_this_machine_is_here() -> None:
    assert len(_names("127.0.0.1", None)) == len(LOCAL)
    assert len(_names("127.0.0.1", "photos.example.org")) > len(LOCAL)


@pytest.mark.parametrize(
    ("words", "said"),
    [(("--ask", "friends"), "friends is not known"), (("--ask-remote", "pockt"), "Did you mean pocket?")],
)
def test_words_that_mean_nothing_are_told_before_anything_is_begun(
    words: tuple[str, str], said: str, tmp_path: Path
) -> None:
    done = CliRunner().invoke(app, ["serve", "--data", str(tmp_path / "data"), *words], prog_name="foveate")
    assert isinstance(done.exception, UsageError)
    assert said in str(done.exception)
    assert not (tmp_path / "data").exists()
    assert _methods(["pocket", "whole_image"]) == "pocket,whole_image"


def test_the_environment_is_read_and_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    values = {
        "FOVEATE_ASK": "everyone",
        "FOVEATE_ASK_REMOTE": "far, farther",
        "FOVEATE_ASK_RATE": "5/60",
        "FOVEATE_ASK_SIZE": "10/20",
        "FOVEATE_ASK_PROCESSES": "2",
        "FOVEATE_SERVER_THREADS": "4",
    }
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    config = Config.from_environment()
    config.check()
    assert (config.ask, config.ask_remote, config.ask_rate) == ("everyone", ("far", "farther"), "5/60")
    assert (config.ask_size, config.ask_processes, config.threads) == ("10/20", 2, 4)
    for name, value in (("ASK", "friends"), ("ASK_RATE", "5"), ("ASK_SIZE", "0/5"), ("ASK_PROCESSES", "0")):
        monkeypatch.setenv(f"FOVEATE_{name}", value)
        with pytest.raises(InputError, match=f"FOVEATE_{name}"):
            Config.from_environment().check()
        monkeypatch.setenv(f"FOVEATE_{name}", values[f"FOVEATE_{name}"])
