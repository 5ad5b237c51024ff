from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from foveate.cli.dataset import app
from foveate.datasets import toloka_vqa
from foveate.errors import UsageError
from tests.helpers import write

CSV = "image,question,left,top,right,bottom\n"


def run(*words: Any) -> Any:
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def root(tmp_path: Path) -> Path:
    toloka_vqa.write_tiny(tmp_path / "data")
    write(tmp_path / "data" / "questions.csv", CSV + "".join(f"{n:012d}.jpg,Q?,0,0,5,5\n" for n in range(3)))
    return tmp_path / "data"


def test_a_whole_data_set_leaves_with_0(root: Path) -> None:
    done = run("check", "folder", "--root", root)
    assert done.exit_code == 0
    assert done.stdout.endswith("folder: nothing is missing or broken\n")


def test_faults_leave_with_3_each_with_its_count_names_and_remedy(root: Path) -> None:
    (root / "images" / "000000000001.jpg").unlink()
    done = run("check", "folder", "--root", root)
    assert done.exit_code == 3
    lines = done.stdout.splitlines()
    at = next(number for number, line in enumerate(lines) if "MISSING" in line)
    assert lines[at].split() == ["MISSING", "1", "of", "3", "photos", "are", "named", "and", "not", "there"]
    assert lines[at + 1].strip() == "000000000001.jpg"
    assert lines[at + 2].strip().startswith("→ Put them below --root")
    assert lines[-1] == "folder: 1 fault: what is marked in capitals"


def test_no_line_of_a_table_ends_in_blanks(root: Path) -> None:
    (root / "images" / "000000000001.jpg").unlink()
    lines = run("check", "folder", "--root", root).stdout.splitlines()
    assert len({len(line) for line in lines}) > 3
    assert [line for line in lines if line != line.rstrip()] == []


def test_long_lists_end_with_how_many_more(root: Path) -> None:
    write(root / "questions.csv", CSV + "".join(f"x{n}.jpg,Q?,0,0,5,5\n" for n in range(1_005)))
    assert "… and 1,002 more" in run("check", "folder", "--root", root).stdout


def test_json_has_every_finding(root: Path) -> None:
    done = run("check", "toloka_vqa:test_public", "--root", root, "--decode", "--json")
    assert done.exit_code == 3
    values = json.loads(done.stdout)
    assert (values["dataset"], values["root"], values["whole"]) == ("toloka_vqa:test_public", str(root), False)
    assert values["splits"] == {"test_public": {"read": 3, "stated": 1705}}
    assert [finding["kind"] for finding in values["findings"]] == ["fine", "count", "fine", "fine"]
    assert set(values["findings"][0]) == {"split", "kind", "what", "remedy", "n", "examples"}


def test_options_of_the_data_set_are_passed_on(root: Path) -> None:
    done = run("check", "toloka_vqa", "--root", root, "--option", "votes=3")
    assert isinstance(done.exception, UsageError)
    assert "it has no option votes" in str(done.exception)


@pytest.fixture
def coco(tmp_path: Path) -> Path:
    values = {
        "images": [{"id": 1, "file_name": "000000000000.jpg", "width": 64, "height": 48}],
        "categories": [{"id": 1, "name": "cup"}],
        "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "iscrowd": 0, "bbox": [8, 8, 16, 32]}],
    }
    return write(tmp_path / "instances.json", json.dumps(values))


def test_the_overlap_with_cocos_boxes_is_printed_with_the_papers_share(root: Path, coco: Path) -> None:
    done = run("overlap", "toloka_vqa:train", "--root", root, "--coco", coco, "--iou", "0.5")
    assert done.exit_code == 0
    assert "toloka_vqa:train (1 of 3 targets can be checked)" in done.stdout
    row = next(line for line in done.stdout.splitlines() if "iou>=0.5" in line)
    assert " ".join(row.split()[-9:]) == "iou>=0.5 1 100.0 % 20.7 % to 100.0 %"
    assert '"about 20% of boxes had non-empty overlap"' in done.stdout


def test_the_overlap_as_json_and_without_any_photo_in_common(root: Path, coco: Path) -> None:
    write(coco, coco.read_text().replace("000000000000.jpg", "000000000009.jpg"))
    done = run("overlap", "toloka_vqa:train", "--root", root, "--coco", coco, "--json")
    (split,) = json.loads(done.stdout)["splits"]
    assert (split["n"], split["checked"], split["samples"]) == (3, 0, [])
    assert split["criteria"]["any"] == {"n": 0, "of": 0, "share": None, "low": None, "high": None}
    assert "n/a" in run("overlap", "toloka_vqa:train", "--root", root, "--coco", coco).stdout
