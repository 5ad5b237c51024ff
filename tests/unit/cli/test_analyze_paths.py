from __future__ import annotations

import json
from pathlib import Path

import typer
from typer.testing import CliRunner

from foveate.cli.analyze import analyze
from foveate.datasets import own, toloka_vqa
from foveate.errors import UsageError

app = typer.Typer()
app.command()(analyze)


def test_the_path_of_own_data_stands_beside_a_data_set(tmp_path: Path) -> None:
    toloka_vqa.write_tiny(tmp_path / "cup")
    own.write_tiny(tmp_path / "mine")
    words = ["toloka_vqa:test_public", "--root", str(tmp_path / "cup"), "--json"]
    done = CliRunner().invoke(app, [*words, "--against", str(tmp_path / "mine" / "samples.jsonl")])
    (other,) = json.loads(done.stdout)["against"]
    assert (other["dataset"], other["n"]) == ("own:samples.jsonl", 3)


def test_a_path_that_is_none_is_refused(tmp_path: Path) -> None:
    own.write_tiny(tmp_path)
    done = CliRunner().invoke(app, [str(tmp_path), "--against", str(tmp_path / "absent.jsonl")])
    assert isinstance(done.exception, UsageError)
    assert "or the path of a file of your own" in str(done.exception)
