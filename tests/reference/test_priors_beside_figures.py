"""Priors on the real samples, against figures and an optimiser that are not ours."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import differential_evolution

from foveate.analysis.analyze import analyze_data
from foveate.analysis.priors import grids, prior_of
from foveate.datasets._open import open_dataset
from foveate.evaluation.compare import Draws
from foveate.evaluation.controls import read_controls
from foveate.evaluation.load import DataPlace
from foveate.evaluation.priors_beside import PriorsBeside, priors_beside
from foveate.evaluation.results import all_results
from foveate.evaluation.transfer import transfer
from foveate.execution.controls import ground_controls
from foveate.execution.ground import ground
from foveate.formats.prior_npz import read_prior, write_prior
from tests.helpers import SHARED, needs_shared

pytestmark = [pytest.mark.reference, needs_shared]
DRAWS = Draws(200, 200, 0)
TOLOKA, VIZWIZ = SHARED / "toloka", SHARED / "vizwiz"


def written(path: Path, dataset: str, root: Path) -> Path:
    data = open_dataset(dataset, root)
    analysis = analyze_data(data)
    write_prior(path, prior_of(data, analysis, grids(data, analysis)))
    return path


@pytest.fixture(scope="module")
def train(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("prior") / "train.npz", "toloka_vqa:train_sample", TOLOKA)


@pytest.fixture(scope="module")
def val(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("prior") / "val.npz", "vizwiz_grounding:val", VIZWIZ)


def shares(split: str) -> NDArray[np.float64]:
    """Returns the targets as shares of width and height, read from the file itself."""
    columns: Any = np.genfromtxt(TOLOKA / f"{split}.csv", delimiter=",", names=True, usecols=range(1, 7))
    sides = np.stack([columns[name] for name in ("left", "top", "right", "bottom")], axis=1)
    return np.asarray(sides / np.stack([columns["width"], columns["height"]] * 2, axis=1))


def mean_overlap(box: Sequence[float] | NDArray[np.float64], targets: NDArray[np.float64]) -> float:
    """Returns the mean of intersection over union, written anew for this test."""
    x0, y0, x1, y1 = box
    across = np.minimum(x1, targets[:, 2]) - np.maximum(x0, targets[:, 0])
    down = np.minimum(y1, targets[:, 3]) - np.maximum(y0, targets[:, 1])
    inside = across.clip(0) * down.clip(0)
    areas = (targets[:, 2] - targets[:, 0]) * (targets[:, 3] - targets[:, 1])
    return float((inside / (areas + (x1 - x0) * (y1 - y0) - inside)).mean())


def test_an_optimiser_finds_no_better_box(train: Path) -> None:
    prior, targets = read_prior(train), shares("train_sample")
    assert prior.best_box is not None
    assert prior.best_box_value == pytest.approx(mean_overlap(prior.best_box, targets), abs=1e-9)

    def loss(centre_and_side: NDArray[np.float64]) -> float:
        x, y, wide, high = centre_and_side
        box = np.clip([x - wide / 2, y - high / 2, x + wide / 2, y + high / 2], 0, 1)
        return -mean_overlap(box, targets)

    other = differential_evolution(loss, [(0.05, 0.95)] * 2 + [(0.02, 1.0)] * 2, seed=1, maxiter=120, tol=1e-8)
    assert prior.best_box_value >= -other.fun - 2e-5


@pytest.mark.parametrize(
    ("split", "whole", "centre"), [("test_public", 0.0429, 0.0656), ("test_private", 0.0427, 0.0660)]
)
def test_the_cups_priors_are_the_known_ones(train: Path, split: str, whole: float, centre: float) -> None:
    crowd = TOLOKA / f"{split}_crowd_baseline.csv"
    (results,) = all_results([crowd], DataPlace(f"toloka_vqa:{split}", TOLOKA))
    found = priors_beside(results, train, DRAWS)
    values = {one.prior: one.value for one in found.beside}
    assert values["whole_image"] == pytest.approx(whole, abs=5e-5)
    assert values["centre_box"] == pytest.approx(centre, abs=5e-5)
    best = read_prior(train).best_box
    assert best is not None
    assert values["best_box"] == pytest.approx(mean_overlap(best, shares(split)), abs=1e-9)
    assert {one.standing for one in found.beside} == {"above"}
    assert {one.remark for one in found.beside} == {""}


def test_of_vizwiz_the_whole_image_beats_the_centre_box_and_what_has_seen_it_is_marked(
    val: Path, tmp_path: Path
) -> None:
    ground("vizwiz_grounding:val", VIZWIZ, grounder="centre_box", out=tmp_path / "run")
    (results,) = all_results([tmp_path / "run"], DataPlace())
    found: PriorsBeside = priors_beside(results, val, DRAWS)
    by_name = {one.prior: one for one in found.beside}
    assert by_name["whole_image"].value == pytest.approx(0.333, abs=1e-3)
    assert by_name["whole_image"].standing == "below"
    assert by_name["prior"].value == pytest.approx(0.3635, abs=1e-4)
    assert by_name["prior"].remark.startswith("trained on the samples it is tested on")


@pytest.mark.slow
def test_priors_do_not_look_but_hear_the_question(train: Path, tmp_path: Path) -> None:
    asked: dict[str, Any] = {"grounder": "prior", "config": {"file": str(train), "by": "question_prefix"}}
    asked["only"] = ["photo_swapped", "question_shuffled"]
    ground_controls("toloka_vqa:test_public", TOLOKA, out=tmp_path / "out", **asked)
    controls = read_controls(tmp_path / "out", draws=Draws(200, 0, 0))
    by_name = {one.name: one for one in controls.values}
    assert controls.photo == "does not use"
    assert by_name["photo_swapped"].same_regions.value == 1.0
    assert by_name["question_shuffled"].same_regions.value < 1.0  # type: ignore[operator]


def test_the_matrix_of_two_sets(train: Path, val: Path, tmp_path: Path) -> None:
    runs = []
    for name, file in (("cup", train), ("vizwiz", val)):
        for dataset, root in (("toloka_vqa:test_public", TOLOKA), ("vizwiz_grounding:val", VIZWIZ)):
            out = tmp_path / f"{name}-{dataset.partition(':')[0]}"
            ground(dataset, root, grounder="best_box", out=out, config={"file": str(file)})
            runs.append(out)
    found = transfer(runs, resamples=0)
    assert [(cell.row.trained_on, cell.tested_on, cell.seen) for cell in found.cells.values()] == [
        ("toloka_vqa:train_sample", "toloka_vqa:test_public", "no"),
        ("toloka_vqa:train_sample", "vizwiz_grounding:val", "no"),
        ("vizwiz_grounding:val", "toloka_vqa:test_public", "no"),
        ("vizwiz_grounding:val", "vizwiz_grounding:val", "yes"),
    ]
    values = [cell.value.value or 0.0 for cell in found.cells.values()]
    # Each is better at home: the cup's targets are small and in the middle, those of VizWiz large.
    assert values[0] > values[2]
    assert values[3] > values[1]
