"""`report --paper`, `score --touched` and the ranks of `compare` from the outside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from foveate import ground
from foveate.cli._app import app
from foveate.cli._ranks import print_ranks
from foveate.datasets import toloka_vqa
from foveate.errors import UsageError
from foveate.evaluation.compare import Draws
from foveate.evaluation.load import DataPlace, load
from foveate.evaluation.significance import significance
from tests.helpers import write
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
    assert (
        "None of 2 samples with a target was drawn by two named people" in done.output
        or "What people reach" in done.output
    )
    assert run("report", "--paper", "vizwiz").exit_code == 0


def test_a_report_needs_a_file_and_a_paper_a_name(whole: Path) -> None:
    assert isinstance(run("report", whole).exception, UsageError)
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
    assert "high is first in 100.0% of the resamples of 30 photos." in told
