from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from foveate.cli.analyze import analyze
from foveate.datasets import toloka_vqa, vizwiz_grounding
from foveate.errors import UsageError
from tests.helpers import save_photo, write

APP = typer.Typer(pretty_exceptions_enable=False)
APP.command("analyze")(analyze)


def run(*words: Any) -> Any:
    return CliRunner().invoke(APP, [str(word) for word in words], catch_exceptions=True)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    vizwiz_grounding.write_tiny(tmp_path / "vizwiz")
    toloka_vqa.write_tiny(tmp_path / "cup")
    return tmp_path


def test_a_person_reads_measures_groups_and_what_is_published(root: Path) -> None:
    done = run("vizwiz_grounding:val", "--root", root / "vizwiz")
    assert done.exit_code == 0
    assert done.stdout.startswith("vizwiz_grounding:val: 3 samples, 3 with a target\n")
    assert "Note: 3 samples, where the publisher states 1,131: this is a part" in done.stdout
    line = next(line for line in done.stdout.splitlines() if line.startswith("centre x"))
    assert line.rstrip().endswith("0.48 ± 0.14 (all 9,998 samples)")
    assert "question" in done.stdout


def test_nothing_is_said_of_published_values_where_there_are_none(root: Path) -> None:
    done = run("toloka_vqa:train", "--root", root / "cup")
    assert "centre x" in done.stdout
    assert "published" not in done.stdout.replace("where the publisher states", "")


def test_names_from_outside_neither_break_lines_nor_drive_the_terminal(tmp_path: Path) -> None:
    save_photo(tmp_path / "\x1b[31mb.png")
    row: dict[str, Any] = {
        "question": "Q?",
        "width": 9,
        "height": 9,
        "targets": [{"box": [0, 0, 6, 6]}],
        "a[/b]\x1b[41m\nfact": "x\n\x1b[32my",
    }
    unsized = {"image": "\x1b[35ma", "question": "Q?", "targets": [{"box": [0, 0, 1, 1]}]}
    rows = [row | {"image": "\x1b[31mb.png", "answers": ["\x1b]0;title\x07\u202eb"]}, unsized]
    write(tmp_path / "\x1b[36mrows.jsonl", "\n".join(map(json.dumps, rows)))
    file = tmp_path / "\x1b[36mrows.jsonl"
    # In colour, as on a terminal: otherwise the writer takes out what looks like colour.
    done = CliRunner().invoke(APP, [str(file), "--against", str(file), "--text"], color=True)
    assert done.exit_code == 0
    assert not set("\x1b\x07\u202e") & set(done.stdout)
    assert "a[/b]\ufffd[41m fact" in done.stdout
    assert "x \ufffd[32my" in done.stdout
    assert "\ufffd]0;title\ufffdb" in done.stdout
    assert "\ufffd[31mb.png: the photo is" in done.stdout


def test_json_is_one_object(root: Path) -> None:
    done = run("vizwiz_grounding:val", "--root", root / "vizwiz", "--json", "--top", "1")
    told = json.loads(done.stdout)
    assert (told["dataset"], told["n"]) == ("vizwiz_grounding:val", 3)
    assert len(told["by_question"]) == 1


@pytest.mark.parametrize("against", ["toloka_vqa:train:{root}/cup", "own:{root}/own.jsonl", "{root}/own.jsonl"])
def test_data_sets_side_by_side(root: Path, against: str) -> None:
    row = {"image": "a.png", "question": "What?", "width": 60, "height": 40, "targets": [{"box": [0, 0, 60, 40]}]}
    write(root / "own.jsonl", json.dumps(row) + "\n")
    named = against.format(root=root)
    done = run("vizwiz_grounding:val", "--root", root / "vizwiz", "--against", named, "--json")
    (other,) = json.loads(done.stdout)["against"]
    assert other["dataset"] in {"toloka_vqa:train", "own:own.jsonl"}
    shown = run("vizwiz_grounding:val", "--root", root / "vizwiz", "--against", named)
    assert "95 % interval" in shown.stdout


def test_another_data_set_without_a_folder(root: Path) -> None:
    done = run("vizwiz_grounding:val", "--root", root / "vizwiz", "--against", "toloka_vqa")
    assert isinstance(done.exception, UsageError)
    assert "the folder of its files is not given" in str(done.exception)


def test_what_is_seen_in_photos_needs_a_report(root: Path) -> None:
    done = run("vizwiz_grounding:val", "--root", root / "vizwiz", "--mean-images", "--galleries")
    assert isinstance(done.exception, UsageError)
    assert str(done.exception).startswith("--mean-images --galleries: it goes into the report")


def test_text_is_told_without_a_report_too(root: Path) -> None:
    save_photo(root / "vizwiz" / "images" / "tiny_9.png")
    names = sorted(path.name for path in (root / "vizwiz" / "images").iterdir())
    words = ("vizwiz_grounding:val", "--root", root / "vizwiz", "--text", "--cache", root / "cache")
    done = run(*words)
    assert "3 of samples with a target (" in done.stdout, names
    row = next(line for line in done.stdout.splitlines() if line.startswith("the target has text"))
    assert row.split()[-4:] == ["3", "0", "0", "%"]
    told = json.loads(run(*words, "--json", "--text-of", "targets").stdout)["text"]
    assert told["with_target"]["region_has_text"] == {"n": 3, "found": 0, "share": 0.0}
    wrong = run(*words, "--text-of", "everything")
    assert str(wrong.exception).startswith("--text-of everything: ")


def test_a_report_with_json_compares_and_reads_once(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from foveate.analysis import compare, text_elsewhere

    calls: list[str] = []
    for module, name in ((compare, "compare"), (text_elsewhere, "read_text_of")):
        original = getattr(module, name)

        def counting(*given: Any, original: Any = original, name: str = name, **named: Any) -> Any:
            calls.append(name)
            return original(*given, **named)

        for place in ("analysis.compare", "analysis.analyze", "analysis.text_elsewhere", "reports.analysis.looks",
                      "reports.analysis.differences"):  # fmt: skip
            monkeypatch.setattr(f"foveate.{place}.{name}", counting, raising=False)
    other = root / "again"
    vizwiz_grounding.write_tiny(other)
    done = run(
        "vizwiz_grounding:val", "--root", root / "vizwiz", "--against", f"vizwiz_grounding:val:{other}",
        "--out", root / "report", "--json", "--text", "--cache", root / "cache",
    )  # fmt: skip
    told = json.loads(done.stdout)
    assert sorted(calls) == ["compare", "read_text_of"]
    assert (
        {row["other"] for row in told["differences"]} == {told["against"][0]["dataset"]} == {"vizwiz_grounding:val (2)"}
    )
    assert "vizwiz_grounding:val (2)" in (root / "report" / "tables" / "comparison.csv").read_text()


def test_a_column_of_ones_own(root: Path) -> None:
    rows = [
        {"image": f"{n}.png", "question": "What?", "width": 60, "height": 40, "room": room,
         "targets": [{"box": [0, 0, 60, 40]}]}
        for n, room in enumerate(("hall", "hall", "attic"))
    ]  # fmt: skip
    path = write(root / "own.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    told = json.loads(run(path, "--json", "--by", "room").stdout)
    assert {room: found["n"] for room, found in told["room"].items()} == {"hall": 2, "attic": 1}
    unknown = run(path, "--by", "rom")
    assert "Did you mean room?" in str(unknown.exception)
