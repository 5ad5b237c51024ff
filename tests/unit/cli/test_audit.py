"""`foveate audit` from the outside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from foveate.cli.audit import audit
from foveate.core.regions import Box
from foveate.errors import InputError, OutputError, UsageError
from tests.helpers import write
from tests.unit.reports.made import QUESTIONS, answering, write_run, write_table

APP = typer.Typer(pretty_exceptions_enable=False)
APP.command("audit")(audit)


def run(*words: Any) -> Any:
    return CliRunner().invoke(APP, [str(word) for word in words], catch_exceptions=True)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write_table(tmp_path / "photos", [("a", "Where is the cup?", (0, 0, 1, 1), "cup"), *QUESTIONS[1:]])


def place(table: Path) -> tuple[Any, ...]:
    return "folder", "--root", table.parent, "--questions", table


def test_the_table_for_a_person(table: Path, tmp_path: Path) -> None:
    one = write_run(tmp_path / "one", table, [answering("a", Box((40, 20, 60, 40)), None), answering("b", None, None)])
    name, *options = place(table)
    done = run(name, one, *options, "--out", tmp_path / "out")
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0] == "folder:all: 1 of 3 labels have a sign of being wrong"
    assert "Note: with one method nothing can agree against a label; a second one finds more" in lines
    assert any(line.split()[:2] == ["tiny", "1"] for line in lines)
    assert any(line.split()[:2] == ["1", "a"] for line in lines)
    assert lines[-2].startswith(f"{tmp_path / 'out' / 'index.html'}: judge them there")
    assert sorted(path.name for path in (tmp_path / "out").iterdir() if path.suffix != ".json") == [
        "audit.csv",
        "index.html",
    ]


def test_json_and_nothing_written(table: Path, tmp_path: Path) -> None:
    done = run(*place(table), "--json")
    values = json.loads(done.stdout)
    assert (values["name"], values["n"], values["counts"]) == ("folder:all", 3, {"tiny": 1})
    (suspect,) = values["suspects"]
    assert {"rank", "id", "suspicion", "signs"} <= suspect.keys()
    assert suspect["signs"][0].keys() == {"name", "strength", "why"}


def test_labels_without_a_sign(tmp_path: Path) -> None:
    done = run(*place(write_table(tmp_path / "photos", QUESTIONS)))
    assert done.stdout.splitlines()[0] == "folder:all: 0 of 3 labels have a sign of being wrong"
    assert "rank" not in done.stdout


def test_verdicts_become_ids_to_leave_out(table: Path, tmp_path: Path) -> None:
    verdicts = write(tmp_path / "v.csv", "rank,id,verdict\n1,a,wrong\n2,b,right\n")
    done = run(*place(table), "--apply", verdicts, "--out", tmp_path / "ids.txt")
    assert done.stdout == f"{tmp_path / 'ids.txt'}: 1 label judged wrong\n"
    assert (tmp_path / "ids.txt").read_text(encoding="utf-8") == "a\n"
    for taken in (verdicts, tmp_path / "ids.txt"):
        before = taken.read_bytes()
        assert isinstance(run(*place(table), "--apply", verdicts, "--out", taken).exception, OutputError)
        assert taken.read_bytes() == before
    refused = run(*place(table), "--apply", verdicts)
    assert isinstance(refused.exception, UsageError)
    unknown = run(*place(table), "--apply", write(tmp_path / "w.csv", "id,verdict\nz,wrong\n"), "--out", tmp_path / "x")
    assert isinstance(unknown.exception, InputError)


def test_what_is_refused_before_any_work(table: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    held = write(tmp_path / "out" / "mine.txt", "kept")
    assert isinstance(run(*place(table), "--out", tmp_path / "out").exception, OutputError)
    assert held.read_text(encoding="utf-8") == "kept"
    name, *options = place(table)
    assert isinstance(run(name, tmp_path / "none", *options).exception, InputError)
