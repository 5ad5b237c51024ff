"""What a job answers, without a child around it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from foveate.challenges import jobs, scoring
from foveate.challenges.definition import DataReference, Limits, Phase
from foveate.challenges.pack import Pack, write_pack
from foveate.challenges.said import to_said
from foveate.datasets import toloka_vqa
from tests import poison_package as poison


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    toloka_vqa.write_tiny(tmp_path / "data")
    return write_pack(DataReference("toloka_vqa:test_public", tmp_path / "data"), tmp_path / "packs")


def done(pack: Pack, folder: Path, **more: Any) -> tuple[Any, list[str]]:
    said: list[str] = []
    # A job's scratch folder is its own.
    (folder / "entry.csv").unlink(missing_ok=True)
    file = folder / "random"
    if not file.exists():
        file.write_text(poison.table())
    phase = to_said(Phase("p", "P", "evaluation", "d", forms=("toloka",), limits=Limits(most_bytes=1000)))
    given = {"kind": "score", "pack": str(pack.folder), "phase": phase, "scratch": str(folder), "file": str(file)}
    columns = str(folder / "columns.npz")
    task = {**given, "name": "boxes.csv", "columns": columns, **more}
    return jobs.work(task, lambda stage, share=0.0, line="": said.append(f"{stage} {share}")), said


def test_the_check_comes_first_and_says_the_same_whatever_the_targets_are(
    pack: Pack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "random").write_text(poison.table(rows=2))
    monkeypatch.setattr(scoring, "measure", lambda *_given: pytest.fail("it was scored"))
    answer, said = done(pack, tmp_path)
    assert answer["problem_count"] == 1
    assert "000000000002.jpg" in answer["problems"][0]["said"]
    assert not any(one.startswith("scoring") for one in said)
    table = tmp_path / "data" / "test_public.csv"
    table.write_text(table.read_text().replace(",8,8,24,40,", ",1,2,3,4,"))
    other = write_pack(DataReference("toloka_vqa:test_public", tmp_path / "data"), tmp_path / "packs")
    assert other.fingerprint != pack.fingerprint
    assert done(other, tmp_path)[0] == answer


def test_what_may_not_be_read_at_all_is_refused_by_its_own_name(pack: Pack, tmp_path: Path) -> None:
    (tmp_path / "random").write_text("x" * 1001)
    answer, _said = done(pack, tmp_path)
    (problem,) = answer["problems"]
    assert problem["said"].startswith("boxes.csv: ")
    assert str(tmp_path) not in problem["said"]
    assert "1,001" in problem["said"]


def test_a_file_of_a_reference_row(pack: Pack, tmp_path: Path) -> None:
    file = tmp_path / "crowd.csv"
    file.write_text(poison.table())
    answer, _said = done(pack, tmp_path, kind="reference", file=str(file), grounder=None)
    # The box (0, 4, 24, 40) against (8, 8, 24, 40): 512 of 864; (16, 4, 60, 20): 128 of 1440; (2, 30, 30, 46): 220 of
    # 1092.
    expected = (512 / 864 + 128 / 1440 + 220 / 1092) / 3
    assert answer["main"] == pytest.approx(expected, abs=1e-15)
    assert answer["scores"]["metrics"]["mean_iou"]["low"] is not None


def test_a_container_goes_on_as_any_entry(pack: Pack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = tmp_path / "answer.csv"
    written.write_text(poison.table())
    monkeypatch.setattr(jobs, "reproduce_entry", lambda task, tell: written)
    assert done(pack, tmp_path, kind="reproduce")[0]["scores"]["n"] == 3
    # It is handed over, so that it can be scored anew; what was not scored is not.
    (kept,) = tmp_path.rglob(f"{jobs.ANSWER}/answer.csv")
    assert kept.read_text() == poison.table()
    shutil.rmtree(kept.parent)
    # What a program wrote is not quoted: it has seen the private questions, and its team reads the problems.
    written.write_text("image,left,top,right,bottom\nWhat is private,1,2,3,4\n")
    answer = done(pack, tmp_path, kind="reproduce", log=str(tmp_path / "log"))[0]
    assert answer["problem_count"] == 1
    assert not list(tmp_path.rglob(jobs.ANSWER))
    assert "What is private" not in json.dumps(answer)
    assert "What is private" in (tmp_path / "log").read_text()
    monkeypatch.setattr(jobs, "reproduce_entry", lambda task, tell: {"failed": "too long"})
    assert done(pack, tmp_path, kind="reproduce")[0] == {"failed": "too long"}
