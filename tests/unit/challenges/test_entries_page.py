"""The page about entries: each of its examples is checked, and says what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from foveate.challenges.uploads import BOUNDS
from foveate.cli._challenge_entry import check_entry
from tests.helpers import REPOSITORY, write

PAGE = (REPOSITORY / "docs" / "challenge-entries.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", PAGE, re.DOTALL)
QUESTIONS = BLOCKS[0][1]
EXAMPLES = [
    (kind, text, BLOCKS[place + 1][1])
    for place, (kind, text) in enumerate(BLOCKS)
    if place and kind in {"csv", "json", "jsonl"}
]
app = typer.Typer()
app.command()(check_entry)


def test_there_are_examples() -> None:
    assert [kind for kind, _, _ in EXAMPLES] == ["csv", "json", "jsonl", "csv", "csv", "json"]


@pytest.mark.parametrize(("kind", "text", "said"), EXAMPLES)
def test_an_example_says_what_the_page_says(kind: str, text: str, said: str, tmp_path: Path) -> None:
    questions = write(tmp_path / "questions.csv", QUESTIONS)
    entry = write(tmp_path / f"answer.{kind}", text)
    found = CliRunner().invoke(app, [str(entry), "--questions", str(questions)])
    assert found.output == said
    assert found.exit_code == (0 if said.startswith("It can be sent") else 3)


def test_the_lines_of_python_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "questions.csv", QUESTIONS)
    write(tmp_path / "answer.csv", EXAMPLES[3][1])
    monkeypatch.chdir(tmp_path)
    (code,) = (text for kind, text in BLOCKS if kind == "python")
    exec(compile(code, "page", "exec"), {})
    assert capsys.readouterr().out.startswith(
        "line 2, a.jpg left, top, right, bottom answer.csv, line 2, a.jpg: the box"
    )


def test_the_bounds_of_the_page_are_those_of_the_code() -> None:
    for said in (
        f"{BOUNDS.members:,} files; {BOUNDS.member // 2**20} MiB each",
        f"{BOUNDS.ratio} times its own size and {BOUNDS.small // 2**20} MiB together",
        f"and {BOUNDS.unpacked // 2**30} GiB",
        f"a list of files of {BOUNDS.directory // 2**20} MiB",
        f"{BOUNDS.pixels // 10**6} megapixels by its head; {BOUNDS.beside // 2**20} MiB of texts",
        f"| a table | {BOUNDS.cells // 2**20} MiB a line",
        f"| JSON lines | {BOUNDS.line // 2**20} MiB a line",
        f"{BOUNDS.json // 2**20} MiB, {BOUNDS.values:,} values, {BOUNDS.depth} lists",
    ):
        assert said in PAGE
