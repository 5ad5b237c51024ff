"""`foveate score --by … --cross …` and `foveate compare --by …`, as a person calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.e2e.test_command_line import foveate, refused
from tests.helpers import write

HEADER = "image,id,question,width,height,left,top,right,bottom\n"


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Six questions for a small thing (1/4 of the photo) and six for the whole photo."""
    lines = [f"{n}.jpg,q{n},Where is it?,640,480,160,120,480,360\n" for n in range(6)]
    lines += [f"{n}.jpg,q{n},What is there?,640,480,0,0,640,480\n" for n in range(6, 12)]
    write(tmp_path / "q.csv", HEADER + "".join(lines))
    for name in ("whole_image", "centre_box"):
        done = foveate("ground", "folder", "--questions", "q.csv", "--grounder", name, "--out", name, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    return tmp_path


def test_slices_are_a_table_for_people(runs: Path) -> None:
    done = foveate("score", "whole_image", "--by", "coverage", "--metric", "mean_iou", cwd=runs)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    at = lines.index("By coverage: known of 12 of 12 samples; share of the photo that the target covers, by thirds")
    assert lines[at + 1].split("  ")[0] == "coverage"
    assert lines[at + 2].split()[:4] == ["small", "6", "mean_iou", "0.2500"]
    assert lines[at + 3].split()[:4] == ["large", "6", "mean_iou", "1.0000"]
    assert "-0.7500" in lines[at + 2]
    assert "0.25 0.25 0.25" in lines[at + 2]


def test_a_cross_table_is_a_table_for_people(runs: Path) -> None:
    done = foveate("score", "whole_image", "--cross", "question_prefix", "coverage", "--metric", "mean_iou", cwd=runs)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert "By " not in done.stdout
    at = lines.index("mean_iou: question_prefix by coverage, 12 samples of which both are known (n in brackets)")
    rows = {line.split("  ")[0]: line.split() for line in lines[at + 2 : at + 5]}
    assert rows["where is"][2:7] == ["0.2500", "(6)", "-", "0.2500", "(6)"]
    assert rows["what is"][2:7] == ["-", "1.0000", "(6)", "1.0000", "(6)"]
    assert "No two groups of question_prefix have 5 samples in one group of coverage: nothing to compare." in lines


def test_slices_are_json_for_programs(runs: Path) -> None:
    words = ("score", "whole_image", "--by", "coverage", "--cross", "question_prefix", "coverage", "--json")
    told = json.loads(foveate(*words, cwd=runs).stdout)
    small, large = told["slices"]["coverage"]["slices"]
    assert (small["key"], small["n"], small["values"]["mean_iou"]["value"]) == ("small", 6, 0.25)
    assert large["values"]["accuracy@0.5"]["difference"] == 1.0
    assert set(told["cross"]) == {"mean_iou", "accuracy@0.5"}
    plain = json.loads(foveate("score", "whole_image", "--json", cwd=runs).stdout)
    assert {key: value for key, value in told.items() if key not in {"slices", "cross"}} == plain


def test_runs_are_compared_in_each_slice(runs: Path) -> None:
    words = ("compare", "whole_image", "centre_box", "--by", "coverage", "--metric", "mean_iou")
    done = foveate(*words, cwd=runs)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    at = lines.index("By coverage: centre_box against whole_image")
    # 2 of the 64 exchanges of six photos are as large; times 3, since the whole is told as well (p of 1 there).
    told = "small           6  mean_iou  1.0000   0.2500     +0.7500  +0.7500 to +0.7500  0.0312    0.0938"
    assert lines[at + 2] == told
    found = json.loads(foveate(*words, "--json", cwd=runs).stdout)
    assert [d["slice"] for d in found["slices"]] == ["small", "large"]
    assert found["differences"][0]["p_holm"] == 1.0


def test_each_pair_has_its_own_table(runs: Path) -> None:
    done = foveate("export", "centre_box", "--form", "toloka", "--out", "centre_box.csv", cwd=runs)
    assert done.returncode == 0, done.stderr
    sources = ("whole_image", "centre_box", "centre_box.csv", "--dataset", "folder", "--questions", "q.csv")
    words = ("--by", "coverage", "--metric", "mean_iou", "--all-pairs", "--permutations", "9")
    done = foveate("compare", *sources, *words, cwd=runs)
    assert done.returncode == 0, done.stderr
    titles = [line for line in done.stdout.splitlines() if line.startswith("By coverage")]
    assert titles == [
        "By coverage: centre_box against whole_image",
        "By coverage: centre_box.csv against centre_box",
        "By coverage: centre_box.csv against whole_image",
    ]


def test_a_wrong_name_is_one_sentence(runs: Path) -> None:
    said = refused(foveate("score", "whole_image", "--by", "covrage", cwd=runs), 2)
    assert "slicing covrage: the samples are not parted by it. Did you mean coverage" in said
    said = refused(foveate("score", "whole_image", "--cross", "coverage", "all", cwd=runs), 2)
    assert "--cross coverage all: it takes two different slicings." in said
    said = refused(foveate("compare", "whole_image", "centre_box", "--by", "quality", cwd=runs), 2)
    assert "slicing quality: the samples are not parted by it. There are: coverage," in said
