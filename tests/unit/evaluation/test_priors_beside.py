"""A run beside priors: values by hand, and standings for differences that are plain."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foveate.datasets._open import fingerprint, open_dataset
from foveate.evaluation.compare import Difference, Draws
from foveate.evaluation.load import DataPlace
from foveate.evaluation.priors_beside import Beside, PriorsBeside, priors_beside, standing_of
from foveate.evaluation.results import Results, all_results
from foveate.execution.ground import ground
from foveate.formats.prior_npz import PriorFile, write_prior
from tests.helpers import write

DRAWS = Draws(200, 500, 0)


def results(
    folder: Path, sides: str = "30,10,90,30", given: str = "0,0,40,40", size: str = "120,40", n: int = 12
) -> Results:
    """Returns twelve photos of 120 x 40, targets in the middle half, and a run whose boxes are all the same."""
    folder.mkdir(exist_ok=True)
    head = "image,id,question,width,height,left,top,right,bottom\n"
    table = write(folder / "q.csv", head + "".join(f"{k}.png,q{k},What?,120,40,{sides}\n" for k in range(n)))
    boxes = [json.dumps({"id": f"q{k}", "xyxy": [float(side) for side in given.split(",")]}) + "\n" for k in range(n)]
    file = write(folder / "boxes.jsonl", "".join(boxes))
    (one,) = all_results([file], DataPlace("folder", folder, table))
    return one


def test_priors_are_measured_on_the_truths_sizes(tmp_path: Path) -> None:
    found = priors_beside(results(tmp_path), draws=DRAWS)
    whole, centre = found.beside
    # The targets are the centre box itself: 60 x 20 of 120 x 40.
    assert (whole.prior, whole.value, whole.standing) == ("whole_image", 0.25, "below")
    assert (centre.prior, centre.value, centre.standing) == ("centre_box", 1.0, "below")
    # 0..40 x 0..40 has 10 x 20 of the target of 1,200: 200 of 2,600.
    assert found.value == pytest.approx(200 / 2600)
    assert whole.difference.difference == pytest.approx(200 / 2600 - 0.25)
    assert found.n == 12
    assert found.sentence == (
        "boxes.jsonl is below the whole image by 0.173 [0.173, 0.173] and the centre box by 0.923 [0.923, 0.923]."
    )


def test_better_runs_and_equal_ones_are_said_to_be_so(tmp_path: Path) -> None:
    found = priors_beside(results(tmp_path, given="30,10,90,30"), draws=DRAWS)
    assert [one.standing for one in found.beside] == ["above", "equal"]
    assert found.sentence == (
        "boxes.jsonl is the same as the centre box; above the whole image by 0.750 [0.750, 0.750]."
    )


def difference(value: float, low: float | None, high: float | None, p: float | None) -> Difference:
    return Difference("mean_iou", "prior", "run", 0.5, 0.5 + value, value, low, high, p, p)


@pytest.mark.parametrize(
    ("given", "standing"),
    [
        ((-0.1, -0.2, -0.01, 0.01), "below"),
        ((0.1, 0.01, 0.2, 0.01), "above"),
        ((0.1, -0.01, 0.2, 0.01), "not told apart"),
        ((0.1, 0.01, 0.2, 0.07), "not told apart"),
        ((0.1, 0.01, 0.2, None), "above"),
        ((0.1, None, None, 0.01), "not tested"),
        ((0.0, 0.0, 0.0, 1.0), "equal"),
        ((0.0, -0.1, 0.1, 1.0), "not told apart"),
    ],
)
def test_a_standing_needs_interval_and_p(given: Any, standing: str) -> None:
    assert standing_of(difference(*given)) == standing


def test_no_minus_before_a_difference_of_nothing() -> None:
    beside = Beside("centre_box", 0.3, difference(-0.00002, -0.0016, 0.0004, 0.9), "not told apart")
    told = PriorsBeside("run", 0.3, 9, [beside]).sentence
    assert told == "run is not told apart from the centre box (+0.000 [-0.002, +0.000])."


def prior_file(path: Path, **made_of: Any) -> Path:
    mean = np.zeros((4, 4), dtype=np.float32)
    mean[:, :2] = 1.0
    prior = PriorFile("made:train", "ab" * 32, 9, {}, (0.25, 0.5), mean, (), (0.0, 0.0, 0.5, 1.0), 0.5)
    write_prior(path, replace(prior, **made_of))
    return path


def test_a_prior_file_brings_three_more(tmp_path: Path) -> None:
    found = priors_beside(results(tmp_path, sides="0,0,60,40"), prior_file(tmp_path / "p.npz"), DRAWS)
    assert [one.prior for one in found.beside] == ["whole_image", "centre_box", "best_box", "mean_mask", "prior"]
    assert [one.value for one in found.beside[2:]] == [1.0, 1.0, 1.0]
    assert {one.remark for one in found.beside} == {""}


def test_a_prior_that_has_seen_the_samples_is_marked(tmp_path: Path) -> None:
    one = results(tmp_path)
    table = tmp_path / "q.csv"
    seen = fingerprint(list(open_dataset("folder", tmp_path, questions=table).queries()))
    found = priors_beside(one, prior_file(tmp_path / "p.npz", fingerprint=seen), DRAWS)
    remarks = [beside.remark for beside in found.beside]
    assert remarks[:2] == ["", ""]
    assert all(remark.startswith("trained on the samples it is tested on") for remark in remarks[2:])


def test_a_run_called_as_a_prior_is_told_from_it(tmp_path: Path) -> None:
    results(tmp_path)
    run = tmp_path / "whole_image"
    ground("folder", tmp_path, questions=tmp_path / "q.csv", grounder="whole_image", out=run)
    (one,) = all_results([run], DataPlace())
    found = priors_beside(one, draws=DRAWS)
    assert [(beside.prior, beside.standing) for beside in found.beside] == [
        ("whole_image", "equal"),
        ("centre_box", "below"),
    ]


def sizeless(one: Results, rows: set[int]) -> Results:
    """Returns results of which nothing tells the size of some photos."""
    truths = [replace(t, size_hw=None) if n in rows else t for n, t in enumerate(one.truths)]
    predictions = [p and replace(p, size_hw=None) for p in one.predictions]
    bare = replace(one, joined=replace(one.joined, truths=truths, predictions=predictions))
    bare.__dict__["queries"] = [replace(q, size_hw=None) if n in rows else q for n, q in enumerate(one.queries)]
    return bare


def test_samples_of_unknown_size_are_left_out_and_counted(tmp_path: Path) -> None:
    found = priors_beside(sizeless(results(tmp_path), {0, 5}), draws=DRAWS)
    assert found.n == 10
    assert found.notes == ["2 samples left out, since nothing tells the size of the photo."]


def test_without_any_size_a_sentence_is_left(tmp_path: Path) -> None:
    found = priors_beside(sizeless(results(tmp_path), set(range(12))), draws=DRAWS)
    assert found.beside == ()
    assert found.sentence.startswith("boxes.jsonl: nothing tells the sizes of the photos")
    assert json.loads(json.dumps(found.as_dict()))["priors"] == []


def test_without_any_target_there_is_nothing_to_set_beside(tmp_path: Path) -> None:
    one = results(tmp_path)
    bare = replace(one, joined=replace(one.joined, truths=[replace(t, targets=()) for t in one.truths]))
    assert priors_beside(bare, draws=DRAWS).sentence.startswith("boxes.jsonl: no sample has a target")
