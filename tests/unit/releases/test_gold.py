"""Gold questions and releases: left out unless they are asked for, since nobody can be judged by what is published."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from foveate.annotation.submissions import Submission, write_submissions
from foveate.errors import InputError
from tests.submissions import drawn, sent
from tests.unit.releases.made import run

GOLD = [(1.0, 1.0), (9.0, 1.0), (9.0, 9.0), (1.0, 9.0)]


def sent_file(tmp_path: Path, more: list[Submission], name: str = "s.jsonl") -> Path:
    gold = [
        sent(drawn(), "ann", "gold.jpg", gold=True),
        sent(drawn(GOLD), "zoe", "gold.jpg", gold=True, adjudicated=True),
    ]
    write_submissions([*gold, sent(drawn(), "ann", "open.jpg", gold=True), *more], tmp_path / "written.jsonl")
    return (tmp_path / "written.jsonl").rename(tmp_path / name)


def made(file: Path, version: str, *words: Any) -> tuple[dict[str, Any], str, list[dict[str, Any]]]:
    done = run("new", file, "--name", "kitchen", "--version", version, *words, "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    folder = Path(told["folder"])
    rows = [json.loads(line) for path in folder.glob("samples/*.jsonl") for line in path.read_text().splitlines()]
    return told, (folder / "DATASHEET.md").read_text(), rows


# Whatever the file is called: it is known by its first line.
@pytest.mark.parametrize("name", ["s.jsonl", "sent.txt", "sent"])
def test_gold_is_left_out_and_counted_unless_it_is_to_be_kept(home: Path, tmp_path: Path, name: str) -> None:
    file = sent_file(tmp_path, [sent(drawn(), "ann", "a.jpg")], name)
    told, sheet, rows = made(file, "1.0.0")
    assert [row["id"] for row in rows] == ["a.jpg"]
    assert told["people"]["gold"] == {"kept": 0, "left_out": 2, "undecided": 0}
    assert "people were judged: 0 in it, 2 left out." in sheet
    assert "for want of a decision" not in sheet

    told, sheet, rows = made(file, "1.0.1", "--gold", "keep")
    assert sorted(row["id"] for row in rows) == ["a.jpg", "gold.jpg"]
    assert told["people"]["gold"] == {"kept": 1, "left_out": 0, "undecided": 1}
    assert "people were judged: 1 in it, 0 left out." in sheet
    assert "Left out for want of a decision: 1 gold question." in sheet
    # The decision, which is no person's drawing.
    (target,) = next(row for row in rows if row["id"] == "gold.jpg")["targets"]
    assert "9.0" in json.dumps(target)
    assert "12.0" not in json.dumps(target)


def test_a_file_without_gold_tells_nothing_of_it(home: Path, tmp_path: Path) -> None:
    write_submissions([sent(drawn(), "ann", "a.jpg")], tmp_path / "s.jsonl")
    told, sheet, _rows = made(tmp_path / "s.jsonl", "1.0.0")
    assert "gold" not in told["people"]
    assert "Gold" not in sheet


def test_a_file_of_gold_alone_says_how_it_is_kept(home: Path, tmp_path: Path) -> None:
    file = sent_file(tmp_path, [])
    done = run("new", file, "--name", "kitchen", "--version", "1.0.0")
    assert isinstance(done.exception, InputError)
    assert "all that would be samples are gold questions" in str(done.exception)
    assert "--gold keep" in str(done.exception)
