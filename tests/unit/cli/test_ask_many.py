"""`foveate ask` about many photos: stopped, and gone on with."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest
from typer.testing import CliRunner, Result

from foveate.cli._app import app
from foveate.errors import InputError, OutputError


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    """Twelve photos, of which the sixth is broken, and three of one name."""
    folder = tmp_path / "photos"
    noise = np.random.default_rng(2).integers(0, 256, (12, 12, 16, 3), dtype=np.uint8)
    for number, pixels in enumerate(noise):
        name = f"{number:02d}.png" if number < 9 else f"{number:02d}/same.png"
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        PIL.Image.fromarray(pixels).save(folder / name)
    (folder / "05.png").write_bytes(b"broken")
    return folder


def asked(folder: Path, *more: object, grounder: str = "centre_box") -> Result:
    words = [folder, "-q", "What?", "-q", "Where?", "--grounder", grounder, "--jsonl", *more]
    return CliRunner().invoke(app, ["ask", *map(str, words)])


def rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def told(text: str) -> list[tuple[str, str | None]]:
    return [(Path(row["image"]).as_posix(), row["question"]) for row in rows(text)]


def test_a_run_goes_on_where_it_stopped_and_makes_the_same(folder: Path, tmp_path: Path) -> None:
    whole = asked(folder, "--keep", tmp_path / "whole")
    made = {file.name: file.read_bytes() for file in (tmp_path / "whole").iterdir()}
    assert whole.exit_code == 3
    every = whole.stdout.splitlines(keepends=True)
    assert len(every) == 23, "two for each, one for the broken one"
    assert len(made) == 11
    for stopped in (1, 13):
        answers, out = tmp_path / f"{stopped}.jsonl", tmp_path / f"out {stopped}"
        answers.write_text("".join(every[:stopped]), encoding="utf-8")
        more = asked(folder, "--keep", out, "--done", answers)
        again = [told(every[10])[0]] if stopped > 10 else []
        assert told(more.stdout) == again + told("".join(every[stopped:])), (
            "what failed is asked again, nothing else is"
        )
        assert more.exit_code == 3
        done = sum(row["status"] != "error" for row in rows("".join(every[:stopped])))
        assert (f"{done} of 24 questions are answered already." in more.stderr) is (done > 0)
        # Pictures have the names that they had in one run, whatever was passed over.
        assert {file.name: file.read_bytes() for file in out.iterdir()}.items() <= made.items()
    answers.write_text("".join([*every, *every]), encoding="utf-8")
    (folder / "05.png").unlink()
    nothing = asked(folder, "--done", answers)
    assert (nothing.stdout, nothing.exit_code) == ("", 0)


def test_only_what_this_method_answered_is_done(folder: Path, tmp_path: Path) -> None:
    answers = tmp_path / "a.jsonl"
    answers.write_text(asked(folder).stdout, encoding="utf-8")
    assert len(rows(asked(folder, "--done", answers, grounder="whole_image").stdout)) == 23
    assert len(rows(asked(folder, "-q", "How?", "--done", answers).stdout)) == 12


@pytest.mark.parametrize(
    ("content", "where"),
    [
        (b'{"image": "a", "question": "What?", "grounder": "x", "status": "ok"}\n{"image": "b', "line 2"),
        (b'{"image": "a", "question": "What?", "grounder": "x", "status": "ok"}', "line 1"),
        (b"[1]\n", "line 1"),
        (b'{"id": 1}\n', "line 1"),
        (b"[" * 100_000 + b"\n", "line 1"),
        (b"\xff\n", "line 1"),
        (None, "a.jsonl"),
    ],
)
def test_a_file_of_other_or_torn_lines_is_told(folder: Path, tmp_path: Path, content: bytes | None, where: str) -> None:
    if content is not None:
        (tmp_path / "a.jsonl").write_bytes(content)
    done = asked(folder, "--done", tmp_path / "a.jsonl")
    assert isinstance(done.exception, InputError)
    assert done.exception.where.endswith(where)
    assert done.stdout == ""


def test_a_stop_leaves_whole_lines_and_whole_pictures(folder: Path, tmp_path: Path) -> None:
    words = [
        "ask",
        str(folder),
        *("-q", "What?"),
        "--grounder",
        "centre_box",
        "--jsonl",
        "--keep",
        str(tmp_path / "out"),
    ]
    program = [sys.executable, "-m", "foveate"]
    with subprocess.Popen([*program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        rest, said = process.communicate(timeout=60)
    assert process.returncode in {130, 3}, said  # 3 where it was done before it heard of it.
    found = rows(first + rest)
    assert (first + rest).endswith("\n")
    for row in found:
        if row["status"] != "error":
            with PIL.Image.open(row["pictures"]["upright"]["path"]) as picture:
                picture.load()
    assert not list((tmp_path / "out").glob(".*"))


def test_where_nothing_more_can_be_written_it_ends_and_what_was_told_stays(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = asked(folder, "--keep", tmp_path / "file" / "out")
    assert isinstance(done.exception, OutputError)
    assert "Not a directory" in done.exception.problem
    assert done.stdout == ""
