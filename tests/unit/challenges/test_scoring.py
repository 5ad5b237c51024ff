"""Scores of entries are those of `foveate score`, digit for digit, and so are intervals that come later."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.challenges import grounded, scoring
from foveate.challenges.definition import DataReference, Phase
from foveate.challenges.disclosure import times_100
from foveate.challenges.pack import Pack, write_pack
from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Mask, Region
from foveate.core.rle import encode
from foveate.errors import FoveateError, InputError, UsageError
from foveate.evaluation.score import score
from foveate.metrics._overlaps import weighted_sum
from foveate.runs.forms import SUFFIXES, WRITERS
from tests.helpers import SHARED, needs_shared

METRICS = ("mean_iou", "accuracy@0.5", "accuracy@0.75", "cumulative_iou", "coco_ap", "abstention")


def phase(metrics: tuple[str, ...] = METRICS, main: str = "mean_iou") -> Phase:
    return Phase("p", "P", "evaluation", "d", metrics=metrics, main=main)


def as_scored(path: Path, dataset: str, root: Path, metrics: tuple[str, ...] = METRICS) -> dict[str, Any]:
    """Returns what `foveate score --json` prints, but for where the file lies and the ids that it lacks."""
    said = score(path, dataset, root, metrics=metrics).as_dict()
    return {name: value for name, value in said.items() if name not in {"source", "missing"}}


def without_version(scores: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in scores.items() if name != "foveate"}


@needs_shared
@pytest.mark.parametrize(("split", "shown"), [("test_public", "88.02"), ("test_private", "87.15")])
def test_the_cups_crowd_gets_what_the_paper_says_to_the_digit(tmp_path: Path, split: str, shown: str) -> None:
    root = SHARED / "toloka"
    file, dataset = root / f"{split}_crowd_baseline.csv", f"toloka_vqa:{split}"
    pack = write_pack(DataReference(dataset, root), tmp_path / "packs")
    two = ("mean_iou", "accuracy@0.5")
    scores = scoring.score_pack(pack, file, "toloka", phase(two))
    assert times_100(scoring.main_value(scores, phase(two)), 2) == shown
    expected = as_scored(file, dataset, root, two)
    found = scoring.measure(pack, file, "toloka", two)
    # The scores first, their intervals later, from the columns on disk.
    scoring.write_columns(scoring.columns(found), tmp_path / "columns.npz")
    for name, (low, high) in scoring.intervals_of(pack, scoring.read_columns(tmp_path / "columns.npz")).items():
        assert scores["metrics"][name]["low"] is None
        scores["metrics"][name].update(low=low, high=high)
    assert without_version(scores) == expected


@pytest.fixture(scope="module")
def vizwiz(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Pack]:
    """Forty real samples of VizWiz, and their pack."""
    root = tmp_path_factory.mktemp("vizwiz")
    with (SHARED / "vizwiz" / "val_grounding.json").open(encoding="utf-8") as file:
        some = dict(islice(json.load(file).items(), 40))
    (root / "val_grounding.json").write_text(json.dumps(some))
    return root, write_pack(DataReference("vizwiz_grounding:val", root), root / "packs")


def predictions(pack: Pack, form: str) -> list[Prediction]:
    """Returns masks that shrink from the left, or boxes; every fifth says that there is nothing, or is missing."""
    found = []
    for number, (sample, size_hw) in enumerate(pack.sizes.items()):
        assert size_hw is not None
        height, width = size_hw
        left = width * (number % 7) // 9
        mask = np.zeros((height, width), dtype=bool)
        mask[height // 9 :, left:] = True
        shape = Box((left, height // 9, width, height)) if form == "toloka" else Mask(encode(mask))
        region = Region(shape, score=0.25 + number / 100)
        if number % 5 == 4 and form in {"vizwiz", "jsonl"}:
            found.append(Prediction(sample, "no_region", size_hw=size_hw, reason="nothing"))
        elif number % 5 != 4:
            found.append(Prediction(sample, "ok", final=region, candidates=(region,), size_hw=size_hw))
    return found


@needs_shared
@pytest.mark.parametrize("form", ["vizwiz", "coco", "jsonl", "toloka"])
def test_every_form_is_scored_as_the_command_does(tmp_path: Path, vizwiz: tuple[Path, Pack], form: str) -> None:
    root, pack = vizwiz
    file = tmp_path / f"entry{SUFFIXES[form][0]}"
    WRITERS[form](predictions(pack, form), file, lambda _said: None)
    scores = scoring.score_pack(pack, file, form, phase(), resamples=scoring.RESAMPLES)
    assert without_version(scores) == as_scored(file, "vizwiz_grounding:val", root)
    assert scores["counts"].get("missing", 0) == (8 if form in {"coco", "toloka"} else 0)
    # Under a name that says nothing of its form it is the same.
    bare = file.rename(tmp_path / "entry")
    assert scoring.score_pack(pack, bare, form, phase(), resamples=scoring.RESAMPLES) == scores
    columns = scoring.columns(scoring.measure(pack, bare, form, METRICS))
    for name, value in scores["metrics"].items():
        assert scoring.interval(pack, columns, name) == (value["low"], value["high"])


@needs_shared
@pytest.mark.parametrize("form", ["coco", "jsonl"])
def test_candidates_that_are_not_drawn_change_no_digit(tmp_path: Path, vizwiz: tuple[Path, Pack], form: str) -> None:
    """Outlines of three corners a photo, of which the best one scores; `foveate score` draws them all."""
    root, pack = vizwiz
    entries: list[dict[str, Any]] = []
    for number, (sample, size_hw) in enumerate(pack.sizes.items()):
        assert size_hw is not None
        height, width = size_hw
        sides = [[0, 0, width * part / 9, 1, width / 2, height * part / 9] for part in (number % 8 + 1, 8, 3)]
        scored = list(zip((0.9, 0.5, 0.25), sides, strict=True))
        if form == "coco":
            # The best one stands in any place of the file.
            for score_of, flat in scored[number % 3 :] + scored[: number % 3]:
                entries.append({"image_id": sample, "category_id": 1, "score": score_of, "segmentation": [flat]})
            continue
        outlined = [{"polygon": [list(zip(one[::2], one[1::2], strict=True))], "score": s} for s, one in scored]
        entries.append({"id": sample, "final": outlined[0], "candidates": outlined})
    file = tmp_path / f"entry{SUFFIXES[form][0]}"
    text = json.dumps(entries) if form == "coco" else "\n".join(map(json.dumps, entries))
    file.write_text(text)
    scores = scoring.score_pack(pack, file, form, phase(), resamples=scoring.RESAMPLES)
    assert without_version(scores) == as_scored(file, "vizwiz_grounding:val", root)
    assert 0 < scores["metrics"]["mean_iou"]["value"] < 1


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    from foveate.datasets import toloka_vqa

    toloka_vqa.write_tiny(tmp_path / "data")
    return write_pack(DataReference("toloka_vqa:test_public", tmp_path / "data"), tmp_path / "packs")


def test_columns_that_metrics_share_are_kept_once(pack: Pack, tmp_path: Path) -> None:
    found = scoring.measure_predictions(pack, grounded.predictions(pack, "whole_image"), ("mean_iou", "accuracy@0.5"))
    path = tmp_path / "columns.npz"
    scoring.write_columns(scoring.columns(found), path)
    read = scoring.read_columns(path)
    for metric, columns in scoring.columns(found).items():
        for name, column in columns.items():
            np.testing.assert_array_equal(read[metric][name], column)
    assert read["mean_iou"]["iou"] is read["accuracy@0.5"]["iou"]


def test_columns_that_are_broken_or_of_others_are_told(pack: Pack, tmp_path: Path) -> None:
    (tmp_path / "columns.npz").write_bytes(b"PK no zip")
    for path in (tmp_path / "columns.npz", tmp_path / "none.npz"):
        with pytest.raises(InputError, match="missing or broken"):
            scoring.read_columns(path)
    with pytest.raises(UsageError, match="not measured by it"):
        scoring.interval(pack, {}, "mean_iou")


def test_an_interval_of_what_is_not_defined_is_none(pack: Pack) -> None:
    zeros = np.zeros(3)
    names = ("iou", "intersection", "union", "grounded", "scored")
    assert scoring.interval(pack, {"mean_iou": dict.fromkeys(names, zeros)}, "mean_iou") == (None, None)


def test_names_of_metrics_are_full_ones() -> None:
    said = scoring.published({"accuracy": 0.5}, "Table 2")
    assert said["metrics"]["accuracy@0.5"]["value"] == 0.5
    assert scoring.main_value(said, phase(main="accuracy")) == 0.5
    assert scoring.main_value(said, phase()) is None


def test_our_own_grounders(pack: Pack) -> None:
    # The middle of 64 x 48 is (16, 12, 48, 36), 768 pixels. Against the first target (8, 8, 24, 40), 512 pixels, it
    # shares 8 x 24; the second (16, 4, 60, 20), 704: 32 x 8; the third (2, 30, 30, 46), 448: 14 x 6.
    expected = np.mean([192 / (768 + 512 - 192), 256 / (768 + 704 - 256), 84 / (768 + 448 - 84)])
    found = scoring.measure_predictions(pack, grounded.predictions(pack, "centre_box"), ("mean_iou",))
    value = scoring.scores_of(pack, found)["metrics"]["mean_iou"]["value"]
    assert value == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("pocket", "looks at photos"),
        ("whole_imge", "whole_image"),
        ("whole_image:margin", "margin is no option"),
        ("whole_image:margin=1", "no option margin"),
    ],
)
def test_grounders_that_cannot_be_rows(pack: Pack, name: str, said: str) -> None:
    with pytest.raises(FoveateError, match=said):
        list(grounded.predictions(pack, name))


def test_a_prior_reads_its_file(pack: Pack, tmp_path: Path) -> None:
    from foveate.grounders import prior

    options = ",".join(f"{name}={value}" for name, value in prior.write_tiny(tmp_path).items())
    found = list(grounded.predictions(pack, f"prior:{options}"))
    assert [one.status for one in found] == ["ok"] * 3


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60), st.randoms(use_true_random=False))
def test_a_value_does_not_depend_on_the_order_of_its_sum(values: list[float], random: Any) -> None:
    shuffled = random.sample(values, len(values))
    one = np.ones((1, len(values)))
    assert weighted_sum(np.array(values), one)[0] == weighted_sum(np.array(shuffled), one)[0]
