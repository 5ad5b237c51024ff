"""`foveate challenge`: from a template to a challenge on the server."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from foveate.app.accounts.models import User
from foveate.app.challenges.models import Challenge
from foveate.cli.challenge import app
from foveate.errors import InputError, UsageError
from tests.app.challenges.test_loading import LIVE
from tests.unit.challenges.folders import folder

APP = typer.Typer(pretty_exceptions_enable=False)
APP.add_typer(app, name="challenge")


def run(*words: str, code: int = 0) -> str:
    done = CliRunner().invoke(APP, ["challenge", *words], catch_exceptions=True)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == code, done.output
    return done.output


def test_a_template_is_written_and_checked(tmp_path: Path) -> None:
    out = tmp_path / "mine"
    assert f"foveate challenge check {out}" in run("new", "mine", "--template", "vizwiz", "--out", str(out))
    told = run("check", str(out), code=3)
    assert "Error: data val: " in told
    assert "Not said: organisers: nothing is said." in told
    found = json.loads(run("check", str(out), "--json", code=3))
    assert {one["level"] for one in found} == {"error", "not_said"}
    assert run("check", str(folder(tmp_path / "good"))).endswith("It can be loaded.\n")


@pytest.mark.django_db
def test_a_folder_is_loaded_listed_and_shown(tmp_path: Path, organiser: User) -> None:
    at = folder(tmp_path / "cup", LIVE)
    assert "cup is loaded: 1 phase, published." in run("load", str(at), "--organiser", "organiser")
    assert list(Challenge.objects.get().organisers.all()) == [organiser]
    assert "evaluation (open)" in run("list")
    row = json.loads(run("show", "cup", "--json"))
    assert [row] == json.loads(run("list", "--json"))
    assert row["phases"][0]["frozen_at"] is not None
    assert row["phases"][0]["fingerprint"][:12] in run("show", "cup")
    with pytest.raises(UsageError, match="Did you mean cup"):
        run("show", "cap")


@pytest.mark.django_db
def test_what_cannot_be_loaded_is_told_and_changes_nothing(tmp_path: Path) -> None:
    at = folder(tmp_path, title="title = 3", kind='kind = "x"')
    done = CliRunner().invoke(APP, ["challenge", "load", str(at)])
    assert isinstance(done.exception, InputError)
    # The last one is told by whatever ends the program, as every error is.
    assert "title: it is 3" in str(done.exception)
    assert "kind: 'x' is none of practice" in done.output
    assert Challenge.objects.count() == 0
    with pytest.raises(
        UsageError, match=r"no account of this name\. There are none at all\. `foveate people add NAME --role ROLE`"
    ):
        run("load", str(folder(tmp_path)), "--organiser", "nobody")
    assert Challenge.objects.count() == 0


@pytest.mark.django_db
def test_a_starter_kit_is_the_same_of_folder_and_server(tmp_path: Path) -> None:
    at = folder(tmp_path / "cup", LIVE)
    run("load", str(at))
    run("starter-kit", str(at), "--out", str(tmp_path / "a"))
    run("starter-kit", "cup", "--phase", "evaluation", "--out", str(tmp_path / "b"))
    first, second = ({path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("a", "b"))
    assert first == second
    assert "questions.csv" in first
    with pytest.raises(UsageError, match="Did you mean evaluation"):
        run("starter-kit", "cup", "--phase", "evaluatio", "--out", str(tmp_path / "c"))
