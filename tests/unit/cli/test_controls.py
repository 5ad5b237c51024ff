"""The commands that ask whether a method looks: controls, transfer, and score beside priors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from foveate.cli._app import app
from foveate.errors import UsageError
from tests.helpers import write


@pytest.fixture
def table(tmp_path: Path) -> Path:
    head = "image,id,question,width,height,left,top,right,bottom\n"
    lines = [f"{n}.png,q{n},Where is {n}?,60,40,15,10,45,30\n" for n in range(9)]
    return write(tmp_path / "q.csv", head + "".join(lines))


def run(*words: object) -> str:
    done = CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_controls_are_run_told_and_read_again(tmp_path: Path, table: Path) -> None:
    out = tmp_path / "out"
    asked = ["controls", "folder", "--root", tmp_path, "--questions", table, "--grounder", "centre_box", "--out", out]
    said = run(*asked, "--only", "photo_swapped", "--only", "question_shuffled", "--resamples", 50)
    assert "centre_box on folder:all" in said
    assert said.rstrip().endswith(
        "It uses neither the photo nor the question: with others every region and answer stays the same."
    )
    assert run(*asked, "--only", "photo_swapped", "--resume", "--resamples", 50) == said
    told = json.loads(run("controls", "--from", out, "--json", "--resamples", 50))
    assert [one["name"] for one in told["controls"]] == ["as_is", "question_shuffled", "photo_swapped"]
    assert told["controls"][0]["mean_iou"]["value"] == 1.0
    assert told["question"] == "does not use"


def test_controls_want_all_or_what_is_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="a data set, --grounder and --out are needed"):
        run("controls", "folder", "--out", tmp_path / "out")
    with pytest.raises(UsageError, match="--grounder is given too"):
        run("controls", "--from", tmp_path, "--grounder", "centre_box")


def test_score_sets_a_run_beside_priors(tmp_path: Path, table: Path) -> None:
    out = tmp_path / "run"
    run("ground", "folder", "--root", tmp_path, "--questions", table, "--grounder", "whole_image", "--out", out)
    assert "the run is" not in run("score", out, "--resamples", 50)
    said = run("score", out, "--beside", "--resamples", 50)
    assert said.rstrip().endswith("run is below the centre box by 0.750 [0.750, 0.750]; the same as the whole image.")
    told = json.loads(run("score", out, "--beside", "--json", "--resamples", 50))
    assert [one["standing"] for one in told["beside"]["priors"]] == ["equal", "below"]
    assert "beside" not in json.loads(run("score", out, "--json", "--resamples", 0))


def test_a_prior_goes_from_analysis_to_the_matrix(tmp_path: Path, table: Path) -> None:
    file, out = tmp_path / "p.npz", tmp_path / "run"
    data = ["folder", "--root", tmp_path, "--questions", table]
    run("analyze", *data, "--out", tmp_path / "report", "--prior", file)
    run("ground", *data, "--grounder", "best_box", "--set", f"file={file}", "--out", out)
    said = run("transfer", out)
    # All targets are the centre box, which is on the grid of the search.
    assert "1.0000 [1.000, 1.000] *" in said
    assert "* trained on the samples it is tested on" in said
    beside = run("score", out, "--prior", file, "--resamples", 50)
    assert "best_box, mean_mask, prior: trained on the samples it is tested on" in beside
    assert "Note: trained on the samples it is tested on" in beside
    told = json.loads(run("transfer", out, "--json"))
    assert told["cells"][0]["seen"] == "yes"
