"""`report --paper`, `score --touched` and the ranks of `compare` from the outside."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from foveate import ground
from foveate.cli._app import app
from foveate.cli._ranks import print_ranks, ranks_of
from foveate.core.regions import Box
from foveate.datasets import toloka_vqa
from foveate.errors import UsageError
from foveate.evaluation.compare import Draws
from foveate.evaluation.load import DataPlace, load
from foveate.evaluation.significance import significance
from tests.helpers import save_photo, write
from tests.unit.reports.evaluation.test_people_ranks_leakage import run as made_run


def run(*words: Any) -> Any:
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    toloka_vqa.write_tiny(tmp_path / "toloka")
    ground("toloka_vqa:test_public", root=tmp_path / "toloka", grounder="whole_image", out=tmp_path / "whole")
    return tmp_path / "whole"


def test_a_paper_on_the_terminal(whole: Path) -> None:
    done = run("report", "--paper", "toloka", whole, "--resamples", 10)
    assert done.exit_code == 0
    assert "published: public test" in done.output
    assert "measured: public test" in done.output
    assert "2nd: OFA in three stages (test_public, test_private):\n  Not built here yet: it needs OFA" in done.output
    assert "What people reach: toloka_vqa:test_public\nNone of " in done.output
    assert run("report", "--paper", "vizwiz").exit_code == 0


def test_a_report_needs_a_file_and_a_paper_a_name(whole: Path) -> None:
    assert isinstance(run("report", whole).exception, UsageError)
    assert isinstance(run("report", "--paper", "toloka", whole, "--metric", "mean_iou").exception, UsageError)
    assert "Did you mean toloka?" in str(run("report", "--paper", "tolka", whole).exception)


def test_scores_with_and_without_touched_samples(whole: Path, tmp_path: Path) -> None:
    first, *others = (truth.id for truth in load(whole, DataPlace()).truths)
    touched = write(tmp_path / "touched.csv", f"id\n{first}\n")
    done = run("score", whole, "--touched", touched, "--resamples", 20, "--metric", "mean_iou")
    assert done.exit_code == 0
    assert f"1 of {1 + len(others)} samples are touched ({touched})." in done.output
    assert "was trained on nothing, by its card." in done.output
    told = json.loads(run("score", whole, "--touched", touched, "--json", "--resamples", 20).output)
    every = told["leakage"]["metrics"][0]["every"]["value"]
    assert every == told["metrics"]["mean_iou"]["value"]
    assert told["leakage"]["trained_on"] == []
    assert "leakage" not in json.loads(run("score", whole, "--json", "--resamples", 0).output)


def test_what_a_method_was_trained_on_stands_beside_its_score(whole: Path) -> None:
    lines = (whole / "predictions.jsonl").read_text().splitlines(keepends=True)
    header = json.loads(lines[0])
    assert header["foveate_run"]["card"]["trained_on"] == []
    header["foveate_run"]["card"]["trained_on"] = ["COCO", "ImageNet"]
    (whole / "predictions.jsonl").write_text(json.dumps(header) + "\n" + "".join(lines[1:]))
    note = "whole_image was trained on: COCO; ImageNet"
    assert f"Note: {note}" in run("score", whole, "--resamples", 0).output
    assert note in json.loads(run("score", whole, "--json", "--resamples", 0).output)["notes"]
    page = whole.parent / "page.md"
    assert run("report", whole, "--out", page, "--resamples", 0).exit_code == 0
    assert note in page.read_text()


def test_ranks_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    base = np.linspace(0.2, 0.6, 30)
    print_ranks(significance([made_run("low", base), made_run("high", base + 0.2)], draws=Draws(50, 200, 0)))
    told = capsys.readouterr().out
    assert "Ranked by mean_iou (higher is better)" in told
    assert "high before low" in told
    assert "high is first in 100.0 % of the resamples of 30 photos." in told


def test_ranks_of_runs_and_files_on_disk(whole: Path, tmp_path: Path) -> None:
    toloka = tmp_path / "toloka"
    place = DataPlace("toloka_vqa:test_public", toloka)
    found = ranks_of([whole, toloka / "test_public.csv"], place, "mean_iou", Draws(20, 20, 0))
    assert [one.name for one in found.runs] == ["test_public.csv", "whole"]
    assert found.dataset == "toloka_vqa:test_public"


def test_the_report_of_near_duplicates_says_what_is_touched(whole: Path, tmp_path: Path) -> None:
    toloka, other = tmp_path / "toloka", tmp_path / "other"
    shutil.copytree(toloka, other)
    first, *others = (query.image_name for query in load(whole, DataPlace()).queries)
    for n, name in enumerate(others):
        (changed,) = other.rglob(name)
        save_photo(changed, (48, 64), (1, 200, 30 + n))
    report = tmp_path / "report"
    words = ["analyze", "toloka_vqa:test_public", "--root", toloka, "--against", f"toloka_vqa:test_private:{other}"]
    done = run(*words, "--near-duplicates", "--out", report, "--cache", tmp_path / "cache")
    assert done.exit_code == 0, done.output
    told = json.loads(run("score", whole, "--touched", report, "--json", "--resamples", 20).output)
    assert told["leakage"]["n_touched"] == 1
    iou = told["leakage"]["metrics"][0]
    by_photo = {one.id: one for one in load(whole, DataPlace()).truths}
    box = by_photo[first].targets[0].shape
    assert isinstance(box, Box)
    x0, y0, x1, y1 = box.xyxy
    assert iou["touched"]["value"] == pytest.approx((x1 - x0) * (y1 - y0) / (48 * 64))
