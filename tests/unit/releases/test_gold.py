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


def patched(file: Path, version: str, *words: Any) -> tuple[dict[str, Any], Path, str]:
    done = run("patch", "kitchen@1.0.0", "--with", file, "--version", version, "--why", "w", *words, "--json")
    assert done.exit_code == 0, (done.output, done.exception)
    told = json.loads(done.stdout)
    return told, Path(told["folder"]), done.stderr


def decided_file(tmp_path: Path) -> Path:
    """Two decisions, one of them on a gold question, and gold that nobody has decided on."""
    other = sent(drawn([(2.0, 2.0), (20.0, 2.0), (20.0, 20.0)]), "zoe", "a.jpg", adjudicated=True)
    return sent_file(tmp_path, [sent(drawn(), "ann", "a.jpg"), other], "decided.jsonl")


def test_gold_mends_nothing_unless_it_is_to_be_kept(home: Path, tmp_path: Path) -> None:
    write_submissions([sent(drawn(), "ann", "a.jpg")], tmp_path / "s.jsonl")
    made(tmp_path / "s.jsonl", "1.0.0")
    told, folder, said = patched(decided_file(tmp_path), "1.0.1")
    assert [one["id"] for one in told["changes"]] == ["a.jpg"]
    assert told["people"]["gold_of_versions"] == {"1.0.1": {"kept": 0, "left_out": 1, "undecided": 0}}
    assert "left out: 1 gold question" in said
    assert "--gold keep" in said
    assert json.loads((folder / "changes.json").read_text())["gold"]["left_out"] == 1
    assert "people were judged: 0 in it, 1 left out." in (folder / "CHANGES.md").read_text()
    assert "Of what mended it in 1.0.1: Gold questions" in (folder / "DATASHEET.md").read_text()
    # Not even its name is told.
    for path in folder.rglob("*"):
        assert path.is_dir() or b"gold.jpg" not in path.read_bytes(), path

    told, folder, said = patched(decided_file(tmp_path), "1.0.2", "--gold", "keep")
    assert sorted(one["id"] for one in told["changes"]) == ["a.jpg", "gold.jpg"]
    assert told["people"]["gold_of_versions"] == {"1.0.2": {"kept": 1, "left_out": 0, "undecided": 0}}
    assert "gold question" not in said
    assert "people were judged: 1 in it, 0 left out." in (folder / "CHANGES.md").read_text()


def test_what_each_version_did_with_gold_stays_told(home: Path, tmp_path: Path) -> None:
    write_submissions([sent(drawn(), "ann", "a.jpg")], tmp_path / "s.jsonl")
    made(tmp_path / "s.jsonl", "1.0.0")
    patched(decided_file(tmp_path), "1.0.1")
    words = ("--version", "1.0.2", "--why", "w", "--gold", "keep", "--json")
    done = run("patch", "kitchen@1.0.1", "--with", decided_file(tmp_path), *words)
    told = json.loads(done.stdout)
    assert {version: gold["kept"] for version, gold in told["people"]["gold_of_versions"].items()} == {
        "1.0.1": 0,
        "1.0.2": 1,
    }
    sheet = (Path(told["folder"]) / "DATASHEET.md").read_text()
    assert "mended it in 1.0.1" in sheet
    assert "mended it in 1.0.2" in sheet


def test_gold_that_is_in_a_release_is_not_mended_by_its_answer(home: Path, tmp_path: Path) -> None:
    """What is there stays as it was: its better answer is what people are judged by."""
    write_submissions([sent(drawn(), "ann", name) for name in ("a.jpg", "gold.jpg")], tmp_path / "s.jsonl")
    _, _, before = made(tmp_path / "s.jsonl", "1.0.0")
    _, folder, _ = patched(decided_file(tmp_path), "1.0.1")
    after = [json.loads(line) for path in folder.glob("samples/*.jsonl") for line in path.read_text().splitlines()]
    assert [row for row in after if row["id"] == "gold.jpg"] == [row for row in before if row["id"] == "gold.jpg"]


def test_fixes_that_are_all_gold_say_how_they_are_kept(home: Path, tmp_path: Path) -> None:
    write_submissions([sent(drawn(), "ann", "a.jpg")], tmp_path / "s.jsonl")
    made(tmp_path / "s.jsonl", "1.0.0")
    words = ("patch", "kitchen@1.0.0", "--with", sent_file(tmp_path, []), "--version", "1.0.1", "--why", "w")
    done = run(*words)
    assert isinstance(done.exception, InputError)
    assert "all that would be mended are gold questions" in str(done.exception)
    assert run(*words, "--gold", "keep").exit_code == 0
