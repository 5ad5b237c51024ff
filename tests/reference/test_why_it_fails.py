"""Explanations of runs on the real files; the witnesses count coverage and corners themselves."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Mask, Region
from foveate.core.rle import area, decode
from foveate.core.soft_maps import SoftMap
from foveate.core.truths import Truth
from foveate.datasets._open import open_dataset
from foveate.evaluation.anatomy import anatomy
from foveate.evaluation.estimates import Draws
from foveate.evaluation.load import DataPlace
from foveate.evaluation.oracles import ladder
from foveate.evaluation.results import Results, all_results
from foveate.evaluation.sweep import cuts, sweeps
from foveate.execution.ground import ground
from tests.helpers import SHARED, needs_shared
from tests.unit.evaluation.made import results

pytestmark = [pytest.mark.reference, needs_shared]
DRAWS = Draws(50)


@pytest.fixture(scope="module")
def truths() -> list[Truth]:
    return list(open_dataset("vizwiz_grounding:val", SHARED / "vizwiz").truths())


def coverage(truth: Truth) -> float:
    assert truth.size_hw
    height, width = truth.size_hw
    return area(truth.targets[0].shape.rle(truth.size_hw)) / (height * width)


def test_the_whole_photo_hits_what_covers_half_of_it(truths: list[Truth], tmp_path: Path) -> None:
    ground("vizwiz_grounding:val", SHARED / "vizwiz", grounder="whole_image", out=tmp_path / "run")
    (run,) = all_results([tmp_path / "run"], DataPlace())
    covered = np.array([coverage(truth) for truth in truths])
    found = anatomy(run, draws=DRAWS)
    kinds = {one.name: one for one in found.classes}
    assert {name: one.n for name, one in kinds.items() if one.n} == {
        "hit": int((covered >= 0.5).sum()),
        "whole_image": int((covered < 0.5).sum()),
    }
    assert kinds["hit"].mean_iou == pytest.approx(covered[covered >= 0.5].mean())
    assert kinds["whole_image"].loss.value == pytest.approx((1 - covered[covered < 0.5]).sum() / len(covered))
    rungs = {rung.name: rung for rung in ladder(run, None, draws=DRAWS).rungs}
    assert rungs["now"].value.value == pytest.approx(0.333, abs=0.001)
    assert rungs["perfect_extent"].value.value == 1.0
    assert rungs["only_hits"].value.value == pytest.approx(covered[covered >= 0.5].mean())


@pytest.fixture(scope="module")
def crowd() -> Results:
    place = DataPlace("toloka_vqa:test_public", SHARED / "toloka")
    (run,) = all_results([SHARED / "toloka" / "test_public_crowd_baseline.csv"], place)
    return run


def boxes(path: Path) -> dict[str, tuple[float, ...]]:
    with path.open(newline="") as file:
        sides = ("left", "top", "right", "bottom")
        return {row["image"].rpartition("/")[2]: tuple(float(row[s]) for s in sides) for row in csv.DictReader(file)}


def test_the_crowds_boxes_by_their_corners(crowd: Results) -> None:
    targets, drawn = (boxes(SHARED / "toloka" / name) for name in ("test_public.csv", "test_public_crowd_baseline.csv"))
    hits, lost, touching = 0, [], 0
    for name, (c0, d0, c1, d1) in targets.items():
        a0, b0, a1, b1 = drawn[name]
        shared = max(0.0, min(a1, c1) - max(a0, c0)) * max(0.0, min(b1, d1) - max(b0, d0))
        iou = shared / ((a1 - a0) * (b1 - b0) + (c1 - c0) * (d1 - d0) - shared)
        hits, touching = hits + (iou >= 0.5), touching + (shared > 0)
        lost.append(1 - iou)
    found = anatomy(crowd, draws=DRAWS)
    kinds = {one.name: one for one in found.classes}
    assert kinds["hit"].n == hits
    assert sum(one.loss.value or 0 for one in found.classes) == pytest.approx(np.mean(lost))
    assert found.mean_iou.value == pytest.approx(0.8802, abs=0.0001)
    rungs = {rung.name: rung for rung in ladder(crowd, None, draws=DRAWS).rungs}
    assert rungs["perfect_extent"].value.value == pytest.approx(touching / len(targets))


def test_people_are_the_ceiling_of_a_prior(crowd: Results, tmp_path: Path) -> None:
    ground("toloka_vqa:test_public", SHARED / "toloka", grounder="centre_box", out=tmp_path / "run")
    (run,) = all_results([tmp_path / "run"], DataPlace())
    rungs = {rung.name: rung for rung in ladder(run, None, people=crowd, draws=DRAWS).rungs}
    assert rungs["now"].value.value == pytest.approx(0.0656, abs=0.0001)
    assert rungs["people"].gain.value == pytest.approx(0.8802 - 0.0656, abs=0.0002)


def blurred(truth: Truth, rng: np.random.Generator) -> SoftMap:
    """Returns a map of 12 x 12 cells that is like an attention: how much of each cell is target, and noise."""
    assert truth.size_hw
    height, width = truth.size_hw
    inside = decode(truth.targets[0].shape.rle(truth.size_hw))[: height // 12 * 12, : width // 12 * 12]
    cells = inside.reshape(12, height // 12, 12, width // 12).mean(axis=(1, 3))
    return SoftMap.over((0.6 * cells + 0.35 * rng.random((12, 12))).astype(np.float32), truth.size_hw)


def test_a_run_that_is_its_maps_cut_at_one_half_lies_on_the_curve(truths: list[Truth]) -> None:
    rng, samples = np.random.default_rng(0), []
    for truth in truths[:40]:
        assert truth.size_hw
        soft = blurred(truth, rng)
        rle = soft.above(0.5, truth.size_hw)
        final = Region(Mask(rle), None) if area(rle) else None
        status, reason = ("ok", None) if final else ("no_region", "nothing is above")
        prediction = Prediction(truth.id, status, final=final, size_hw=truth.size_hw, reason=reason, map=soft)  # type: ignore[arg-type]
        samples.append((prediction, truth))
    run = results(samples, config={"threshold": 0.5})
    (absolute,) = (one for one in sweeps(run, cuts(run), draws=DRAWS) if one.scale == "absolute")
    at_half = next(point for point in absolute.points if point.threshold == absolute.in_use)
    assert at_half.mean_iou == absolute.now
    assert absolute.now.value is not None
    assert absolute.now.value > 0


def test_boxes_of_the_cup_are_compared_with_the_box_around_the_pixels() -> None:
    truth = next(iter(open_dataset("toloka_vqa:test_public", SHARED / "toloka").truths()))
    assert truth.size_hw
    assert isinstance(truth.targets[0].shape, Box)
    x0, y0, x1, y1 = (round(side) for side in truth.targets[0].shape.xyxy)
    plane = np.zeros(truth.size_hw, dtype=np.float32)
    # Only two corners of the target: few of its pixels, but the box around them is the target.
    plane[y0 : y0 + 2, x0 : x0 + 2] = plane[y1 - 2 : y1, x1 - 2 : x1] = 1.0
    prediction = Prediction(
        truth.id, "no_region", size_hw=truth.size_hw, reason="made", map=SoftMap.over(plane, truth.size_hw)
    )
    found = cuts(results([(prediction, truth)]))
    assert found is not None
    assert found.iou["absolute"][0] == pytest.approx(np.ones(19), abs=0.05)
