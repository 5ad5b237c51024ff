from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from foveate.challenges.definition import Challenge, DataReference, Phase, Reproduction
from foveate.challenges.reproduction.sandbox import Sandbox
from foveate.cli import _challenge_reproduce
from foveate.datasets import toloka_vqa
from foveate.errors import OutputError, UnavailableError, UsageError

APP = typer.Typer(pretty_exceptions_enable=False)
_challenge_reproduce.register(APP)
needs_sandbox = pytest.mark.skipif(bool(Sandbox().refusal()), reason="no sandbox here")

COPIES = "import shutil; shutil.copy('/mnt/data/test.csv', '/mnt/output/answer.csv'); print('copied')"


def run(*words: Any) -> Any:
    return CliRunner().invoke(APP, [str(word) for word in words])


@pytest.fixture
def home(tmp_path: Path) -> list[Any]:
    (tmp_path / "photos").mkdir()
    (tmp_path / "questions.csv").write_text("image,width,height,question\n")
    return [
        *("--questions", tmp_path / "questions.csv", "--images", tmp_path / "photos"),
        *("--out", tmp_path / "answer.csv", "--seconds", 30),
    ]


@needs_sandbox
def test_a_program_is_tried_at_home(tmp_path: Path, home: list[Any]) -> None:
    done = run(*home, "--process", shlex.join(["python3", "-c", COPIES]))
    assert done.exit_code == 0, done.output
    assert "copied\n" in done.stderr
    assert (tmp_path / "answer.csv").read_text() == "image,width,height,question\n"
    assert "answer.csv: 28 bytes after" in done.stdout
    again = run(*home, "--process", "true")
    assert isinstance(again.exception, OutputError)


@needs_sandbox
def test_a_program_at_fault_leaves_with_1(tmp_path: Path, home: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine").mkdir(mode=0o755)
    monkeypatch.chdir(tmp_path / "mine")
    Path("mine.py").write_text("raise SystemExit(3)")
    done = run(*home, "--process", "python3 mine.py")
    assert done.exit_code == 1
    assert "it ended with the exit code 3." in done.stderr
    assert not (tmp_path / "answer.csv").exists()


@needs_sandbox
def test_a_challenge_s_own_questions(tmp_path: Path, home: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    toloka_vqa.write_tiny(tmp_path / "data")
    data = {"hidden": DataReference("toloka_vqa:test_private", tmp_path / "data")}
    phases = (Phase("open", "Open", "practice", "hidden"), Phase("private", "Private", "reproduction", "hidden"))
    challenge = Challenge(
        tmp_path, "cup", "Cup", data=data, phases=phases, reproduction=Reproduction(memory=2**30, disk=2**20)
    )
    monkeypatch.setattr("foveate.challenges.toml.read", lambda folder: challenge)
    done = run(tmp_path, *home[4:], "--process", shlex.join(["python3", "-c", COPIES]))
    assert done.exit_code == 0, done.output
    assert len((tmp_path / "answer.csv").read_text().splitlines()) == 4
    score = f"foveate score --dataset toloka_vqa:test_private --root {tmp_path / 'data'} {tmp_path / 'answer.csv'}"
    assert f"Score it: {score}" in done.stdout
    wrong = run(tmp_path, "--process", "true", "--phase", "hidden-one", "--out", tmp_path / "b.csv")
    assert "there is no phase hidden-one" in str(wrong.exception)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--image", "a", "--process", "b"], "the program: it is not said once"),
        ([], "the program: it is not said once"),
        (["--image", "-v"], "is not the name of one"),
        (["--process", ""], "--process: it is empty"),
        (["--process", "true", "--engine", "lxc"], "the engine: there is no 'lxc'"),
        (["--process", "true", "--phase", "a"], "it goes with --images, and without --phase"),
        (["folder", "--process", "true"], "the questions: they are not said once"),
    ],
)
def test_what_does_not_go_together_is_refused(home: list[Any], words: list[str], problem: str) -> None:
    done = run(*home, *words)
    assert isinstance(done.exception, UsageError)
    assert problem in str(done.exception)


def test_no_engine_leaves_with_4(home: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    done = run(*home, "--image", "team/model:1", "--engine", "podman")
    assert isinstance(done.exception, UnavailableError)
    assert str(done.exception).startswith("the engine podman: the command podman is not installed.")
    archive = run(*home, "--archive", "image.tar")
    assert isinstance(archive.exception, UnavailableError)
