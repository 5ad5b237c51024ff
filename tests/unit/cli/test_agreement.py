from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from foveate.annotation.submissions import write_submissions
from foveate.cli.agreement import FrameName, agreement
from foveate.errors import InputError, OutputError, UsageError
from foveate.quality.regions import Frame
from tests.helpers import save_photo
from tests.submissions import boxed, drawn, sent

APP = typer.Typer(pretty_exceptions_enable=False)
APP.command("agreement")(agreement)


def run(*words: Any) -> Any:
    return CliRunner().invoke(APP, [str(word) for word in words])


@pytest.fixture
def given(tmp_path: Path) -> Path:
    size: dict[str, Any] = {"size_hw": (48, 64)}
    sent_ = [sent(boxed(2, 2, 12, 12), "ann", **size), sent(boxed(2, 2, 12, 10), "bob", **size)]
    sent_ += [sent(boxed(30, 30, 40, 40), name, "b.jpg", **size) for name in ("ann", "bob")]
    write_submissions([*sent_, sent(boxed(0, 0, 9, 9), "zoe", adjudicated=True, **size)], tmp_path / "s.jsonl")
    return tmp_path / "s.jsonl"


def test_the_frames_are_those_that_there_are() -> None:
    assert tuple(frame.value for frame in FrameName) == Frame.__args__  # type: ignore[attr-defined]


def test_tables_for_a_person(given: Path) -> None:
    done = run(given)
    assert done.exit_code == 0
    # Do = (2 * .2 + 0) / 4; De: .2, 0 and four times 1, of six.
    assert "4 judgements of 2 tasks by 2 annotators; 2 pairs of regions in 2 tasks.\n" in done.stdout
    for cells in (
        ("mean IoU of pairs", "0.9000"),
        ("Krippendorff's alpha", "0.8571"),
        ("0.8 to 1", "2", "100.0", "60"),
        ("contains", "1", "50.0"),
        ("Is a region drawn?", "yes 4", "2", "100.000", "n/a"),
        ("ann", "2", "2", "2", "0.900"),
        ("a.jpg", "2", "0.800", "0.800", "contains 1"),
    ):
        assert any(all(cell in line for cell in cells) for line in done.stdout.splitlines()), cells
    assert "expected 0.7000 from all 6 pairs" in done.stdout


def test_json_and_options(given: Path) -> None:
    words = ("--json", "--frame", "pixels", "--bins", "4", "--pairs", "3", "--seed", "5", "--worst", "1")
    values = json.loads(run(given, *words, "--resamples", "0").stdout)
    assert (values["alpha"]["frame"], values["alpha"]["sampled"], values["alpha"]["pairs"]) == ("pixels", True, 3)
    assert (len(values["histogram"]), len(values["worst"]), values["seed"], values["iou"]["low"]) == (4, 1, 5, None)
    assert [person["name"] for person in values["people"]] == ["ann", "bob"]


def test_a_folder_with_photos(given: Path, tmp_path: Path) -> None:
    save_photo(tmp_path / "photos" / "a.jpg")
    done = run(given, "--out", tmp_path / "out", "--root", tmp_path / "photos", "--json")
    assert done.stderr.startswith(f"{tmp_path / 'out' / 'agreement.html'}: ")
    assert json.loads(done.stdout)["pairs"] == 2
    assert {path.name for path in (tmp_path / "out").iterdir() if path.is_file()} >= {"pairs.csv", "agreement.json"}
    assert len(list((tmp_path / "out" / "photos").iterdir())) == 1
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.txt").touch()
    assert isinstance(run(given, "--out", tmp_path / "other").exception, OutputError)


def test_what_is_refused(given: Path, tmp_path: Path) -> None:
    assert isinstance(run(given, "--root", tmp_path).exception, UsageError)
    assert isinstance(run(tmp_path / "none.jsonl").exception, InputError)
    with given.open("a") as file:
        file.write("{}\n")
    assert isinstance(run(given).exception, InputError)
    assert run(given, "--skip-invalid").stderr.startswith("1 invalid skipped, first: ")


def test_one_person_alone_is_told_so(tmp_path: Path) -> None:
    write_submissions([sent(drawn(), "ann")], tmp_path / "s.jsonl")
    done = run(tmp_path / "s.jsonl")
    assert "Alpha is not defined: no task has regions of two people." in done.stdout
    assert "least IoU" not in done.stdout
