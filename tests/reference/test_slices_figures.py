"""Slices of the real files: what the whole photo scores in a slice is the mean coverage of the slice's targets."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import foveate
from foveate.core.rle import area
from foveate.evaluation.compare import Draws
from foveate.evaluation.crossed import crossed
from foveate.evaluation.load import DataPlace
from foveate.evaluation.results import Results, all_results
from foveate.evaluation.slices import Slice, sliced, slicings_named
from tests.helpers import SHARED, needs_shared

pytestmark = [pytest.mark.reference, needs_shared]
NONE = Draws(0, 0, 0)


@pytest.fixture(scope="module")
def vizwiz(tmp_path_factory: pytest.TempPathFactory) -> Results:
    out = tmp_path_factory.mktemp("runs") / "whole"
    foveate.ground("vizwiz_grounding:val", SHARED / "vizwiz", grounder="whole_image", out=out)
    (made,) = all_results([out], DataPlace())
    return made


def by(results: Results, name: str) -> dict[str, Slice]:
    found = sliced(results, slicings_named(results, [name]), ["mean_iou"], NONE)[name]
    return {one.key: one for one in found.slices}


def test_by_quality_the_whole_photo_scores_the_mean_coverage(vizwiz: Results) -> None:
    """The paper has 0.28, 0.47 and 0.83 for the test split (`../shared/data/README.md`: 0.278, 0.475, 0.816 here)."""
    found = by(vizwiz, "quality")
    assert {key: one.n for key, one in found.items()} == {"none": 892, "medium": 194, "severe": 45}
    values = {key: one.values["mean_iou"].value for key, one in found.items()}
    assert values == pytest.approx({"none": 0.278, "medium": 0.475, "severe": 0.816}, abs=0.002)


@pytest.mark.parametrize("name", ["quality", "skills", "flaws", "coverage", "points", "question_prefix"])
def test_every_slice_is_its_mean_coverage_to_the_digit(name: str, vizwiz: Results) -> None:
    shares = []
    for truth in vizwiz.truths:
        assert truth.size_hw
        height, width = truth.size_hw
        shares.append(area(truth.targets[0].shape.rle(truth.size_hw)) / (height * width))
    covered, found = np.array(shares), by(vizwiz, name)
    for group in slicings_named(vizwiz, [name])[name].groups:
        value, inside = found[group.key].values["mean_iou"], np.isin(np.arange(len(covered)), group.rows)
        assert value.value == pytest.approx(covered[inside].mean(), abs=1e-12)
        assert value.rest == pytest.approx(covered[~inside].mean(), abs=1e-12)
        assert found[group.key].iou.median == pytest.approx(float(np.median(covered[inside])), abs=1e-12)


def test_targets_by_thirds_and_drawn_points(vizwiz: Results) -> None:
    """Another rasteriser gives 680, 232, 219 (`../shared/data/README.md`); 36.6 % were drawn with four points."""
    thirds = {key: one.n for key, one in by(vizwiz, "coverage").items()}
    assert thirds == pytest.approx({"small": 680, "medium": 232, "large": 219}, abs=3)
    assert by(vizwiz, "whole_image")["yes"].n == 100
    assert by(vizwiz, "points")["4 or fewer"].n / 1131 == pytest.approx(0.366, abs=0.002)
    assert by(vizwiz, "question")["what is this"].n == 159


def test_photos_without_a_flaw_are_hard_since_their_regions_are_small(vizwiz: Results) -> None:
    """The finding of the paper (section 4), here with its reason: for the whole photo it is nothing but coverage."""
    there = slicings_named(vizwiz, ["flaws", "coverage"])
    gap = crossed(vizwiz, there["flaws"], there["coverage"], "mean_iou", Draws(300, 0, 0)).gap
    assert gap is not None
    assert (gap.lowest, gap.highest) == ("none", "framing")
    assert gap.as_it_is.low is not None
    assert gap.as_it_is.low > 0.02
    assert gap.same_mix.low is not None
    assert gap.same_mix.high is not None
    assert gap.same_mix.low < 0 < gap.same_mix.high
    assert abs(gap.same_mix.value or 1) < 0.01


def test_boxes_of_the_cup_by_size_are_arithmetic(tmp_path: Path) -> None:
    with (SHARED / "toloka" / "test_private.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    names = ("left", "top", "right", "bottom", "width", "height")
    left, top, right, bottom, width, height = (np.array([float(row[name]) for row in rows]) for name in names)
    shares = (right - left) * (bottom - top) / (width * height)
    foveate.ground("toloka_vqa:test_private", SHARED / "toloka", grounder="whole_image", out=tmp_path / "run")
    (made,) = all_results([tmp_path / "run"], DataPlace())
    found = by(made, "coverage_bands")
    for key, low, high in (("under 0.05", 0, 0.05), ("0.05 to 0.20", 0.05, 0.2), ("0.20 and more", 0.2, 2)):
        inside = shares[(shares >= low) & (shares < high)]
        assert found[key].n == len(inside)
        assert found[key].values["mean_iou"].value == pytest.approx(inside.mean(), abs=1e-12)
