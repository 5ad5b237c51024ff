"""`foveate compare`, and the official form with real masks, as a person calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.e2e.test_command_line import foveate, refused
from tests.helpers import SHARED, needs_shared, write


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    lines = [f"{n // 2}.jpg,q{n},Where?,640,480,160,120,480,360\n" for n in range(20)]
    write(tmp_path / "q.csv", "image,id,question,width,height,left,top,right,bottom\n" + "".join(lines))
    for name in ("whole_image", "centre_box"):
        done = foveate("ground", "folder", "--questions", "q.csv", "--grounder", name, "--out", name, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    return tmp_path


def test_a_comparison_is_a_table_for_people(runs: Path) -> None:
    done = foveate("compare", "whole_image", "centre_box", cwd=runs)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "whole_image: ok 20",
        "centre_box: ok 20",
        "",
        "centre_box against whole_image",
        "metric         value  against  difference       95 % interval       p  p (Holm)",
        "mean_iou      1.0000   0.2500     +0.7500  +0.7500 to +0.7500  0.0020    0.0039",
        "accuracy@0.5  1.0000   0.0000     +1.0000  +1.0000 to +1.0000  0.0020    0.0039",
        "",
        "20 samples of folder:all, paired",
    ]


def test_a_comparison_is_json_for_programs(runs: Path) -> None:
    done = foveate("compare", "whole_image", "centre_box", "--metric", "mean_iou", "--json", cwd=runs)
    values = json.loads(done.stdout)
    assert values["n"] == 20
    assert values["differences"][0]["difference"] == 0.75
    assert values["sources"] == {"whole_image": "whole_image", "centre_box": "centre_box"}


def test_errors_of_a_comparison_are_one_sentence(runs: Path) -> None:
    assert "Name two runs or more." in refused(foveate("compare", "whole_image", cwd=runs), 2)
    assert "no such run" in refused(foveate("compare", "whole_image", "nothing", cwd=runs), 3)
    assert "there is none of this name" in refused(
        foveate("compare", "whole_image", "centre_box", "--metric", "iou", cwd=runs), 2
    )


@needs_shared
def test_the_real_masks_score_the_same_through_the_official_form(tmp_path: Path) -> None:
    """`val_grounding.json` through export and import: the digits of the whole image stay."""
    root = SHARED / "vizwiz"
    words = ("ground", "vizwiz_grounding:val", "--root", root, "--grounder", "whole_image", "--out", "r")
    assert foveate(*words, cwd=tmp_path).returncode == 0
    assert foveate("export", "r", "--form", "vizwiz", "--out", "masks.zip", cwd=tmp_path).returncode == 0
    place = ("--dataset", "vizwiz_grounding:val", "--root", root, "--json")
    there = json.loads(foveate("score", "masks.zip", *place, cwd=tmp_path).stdout)["metrics"]
    here = json.loads(foveate("score", "r", "--json", cwd=tmp_path).stdout)["metrics"]
    assert there == here
    assert here["mean_iou"]["value"] == pytest.approx(0.3330, abs=0.00005)
