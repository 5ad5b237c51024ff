"""`foveate challenge check-entry`, as a participant runs it at home."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from foveate.challenges.definition import Challenge, DataReference, Phase
from foveate.cli._challenge_entry import check_entry
from foveate.datasets import toloka_vqa
from foveate.errors import FoveateError
from tests.helpers import write

app = typer.Typer()
app.command()(check_entry)
ROWS = "image,left,top,right,bottom\n"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    toloka_vqa.write_tiny(tmp_path / "data")
    return tmp_path / "data"


def questions(data: Path) -> tuple[Path, list[str]]:
    path = next(iter(sorted(data.rglob("*test_public*.csv"))))
    return path, [line.split(",")[0].rpartition("/")[2] for line in path.read_text().splitlines()[1:]]


def run(*words: object) -> tuple[int, str]:
    found = CliRunner().invoke(app, [str(word) for word in words])
    if found.exception and isinstance(found.exception, FoveateError):
        return found.exception.exit_code, str(found.exception)
    return found.exit_code, found.output


def test_a_sound_entry(data: Path, tmp_path: Path) -> None:
    asked, names = questions(data)
    entry = write(tmp_path / "answer.csv", ROWS + "".join(f"{name},1,2,3,4\n" for name in names))
    code, said = run(entry, "--questions", asked)
    assert code == 0
    assert said == f"It can be sent. Form toloka; {len(names)} samples asked about; predictions: ok {len(names)}\n"


def test_problems_one_a_line_and_as_json(data: Path, tmp_path: Path) -> None:
    asked, names = questions(data)
    entry = write(tmp_path / "answer.csv", f"{ROWS}{names[0]},3,2,1,4\n")
    code, said = run(entry, "--questions", asked)
    lines = said.splitlines()
    assert code == 3
    assert lines[0].startswith(f"answer.csv, line 2, {names[0]}: the box 3, 2, 1, 4 is inverted (right < left)")
    assert lines[-1].startswith(f"{len(names)} problems. Form toloka;")
    code, said = run(entry, "--questions", asked, "--missing-zero", "--json")
    found = json.loads(said)
    assert (code, found["ok"], found["problem_count"]) == (3, False, 1)
    assert found["problems"][0]["got"] == "3, 2, 1, 4"
    assert found["counts_by_status"] == {"invalid_output": 1, "missing": len(names) - 1}


def test_more_problems_than_are_told(tmp_path: Path) -> None:
    asked = write(
        tmp_path / "questions.csv",
        "image,width,height,question\n" + "".join(f"{n}.jpg,64,48,What?\n" for n in range(150)),
    )
    code, said = run(write(tmp_path / "a.csv", f"{ROWS}0.jpg,1,2,3,4\n"), "--questions", asked)
    assert code == 3
    assert "and 49 more\n149 problems." in said


def test_what_it_is_given(data: Path, tmp_path: Path) -> None:
    asked, _ = questions(data)
    assert run("a.csv")[0] == 2
    assert "it needs --folder or --questions" in run("a.csv", "--folder", tmp_path, "--questions", asked)[1]
    assert "it names a phase of a folder" in run("a.csv", "--questions", asked, "--phase", "x")[1]
    empty = write(tmp_path / "none.csv", "image,width,height,question\n")
    assert run("a.csv", "--questions", empty) == (
        3,
        f"{empty}: there are no questions in it. Take the questions of the starter kit, as they are.",
    )


def test_a_challenges_folder(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, names = questions(data)
    entry = write(tmp_path / "answer.csv", ROWS + "".join(f"{name},1,2,3,4\n" for name in names))
    reference = DataReference("toloka_vqa:test_public", data)
    phases = tuple(Phase(name, name, "practice", "d", forms=("toloka",)) for name in ("one", "two"))
    said = Challenge(tmp_path, "cup", "Cup", data={"d": reference}, phases=phases)
    monkeypatch.setattr("foveate.challenges.toml.read", lambda folder: said)
    assert run(entry, "--folder", tmp_path, "--phase", "two")[0] == 0
    assert "the challenge has 2 phases" in run(entry, "--folder", tmp_path)[1]
    assert "there is no phase tow. Did you mean two?" in run(entry, "--folder", tmp_path, "--phase", "tow")[1]
