"""Samples in the official forms of VizWiz-VQA-Grounding and of the Toloka challenge."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from foveate.core.queries import Query
from foveate.core.regions import Box, Mask, Polygon
from foveate.core.rle import encode
from foveate.core.soft_maps import SoftMap
from foveate.core.truths import Target, TargetShape, Truth
from foveate.datasets._open import open_dataset
from foveate.errors import InputError
from foveate.formats._losses import losses
from foveate.formats._sample_forms import Form, Reading, Sample
from foveate.formats.toloka_samples import FORM, whole_pixels
from foveate.formats.vizwiz_samples import vizwiz_form
from tests.helpers import write

SIZE = (24, 32)
TRIANGLE = Polygon((((2.0, 2.0), (20.0, 2.5), (9.0, 20.0)),))
VIZWIZ = vizwiz_form()


def sample(shape: TargetShape | None, name: str = "a.jpg", answer: str | None = "cup", **more: Any) -> Sample:
    targets = (Target(shape, answer),) if shape else ()
    values: dict[str, Any] = {"answers": (answer,) if answer else (), "answerable": bool(targets), "size_hw": SIZE}
    query = Query(name, name.partition("#")[0], None, "What?", SIZE)
    return Sample(query, Truth(name, targets=targets, **(values | more)))


def through(form: Form, given: Sequence[Sample], folder: Path) -> list[Sample]:
    path = folder / f"out{''.join(form.suffixes[:1])}"
    form.write(given, path)
    return list(form.read(path, Reading()))


def holed() -> Mask:
    inside = np.zeros(SIZE, dtype=bool)
    inside[2:20, 2:20] = True
    inside[8:12, 8:12] = False
    return Mask(encode(inside))


def test_vizwiz_holds_the_polygon_closed_and_its_mask(tmp_path: Path) -> None:
    (found,) = through(VIZWIZ, [sample(TRIANGLE), sample(None, "b.jpg")], tmp_path)
    record = json.loads((tmp_path / "out" / "val_grounding.json").read_text())["a.jpg"]
    assert record == {
        "width": 32,
        "height": 24,
        "question": "What?",
        "answers": ["cup"],
        "most_common_answer": "cup",
        "answer_grounding": [{"x": 2, "y": 2}, {"x": 20, "y": 2.5}, {"x": 9, "y": 20}, {"x": 2, "y": 2}],
    }
    mask = cv2.imread(str(tmp_path / "out" / "binary_masks_png" / "val" / "a.png"), cv2.IMREAD_UNCHANGED)
    assert mask is not None
    assert (mask.shape, set(np.unique(mask).tolist())) == (SIZE, {0, 255})
    (target,) = found.truth.targets
    assert (target.outline, target.answer) == (TRIANGLE, "cup")
    assert target.shape == Mask(TRIANGLE.rle(SIZE))
    assert losses(sample(TRIANGLE, polled=True), VIZWIZ) == ()


def test_vizwiz_is_read_by_its_data_set(tmp_path: Path) -> None:
    vizwiz_form("train").write([sample(TRIANGLE), sample(holed(), "b.jpg")], tmp_path / "out")
    data = open_dataset("vizwiz_grounding:train", tmp_path / "out")
    assert [truth.targets[0].shape for truth in data.truths()] == [Mask(TRIANGLE.rle(SIZE)), holed()]
    assert [query.question for query in data.queries()] == ["What?"] * 2


@pytest.mark.parametrize(
    ("shape", "told"),
    [
        (Box((2, 3, 9, 8)), ("box",)),
        (Polygon((((1, 1), (5, 1), (5, 5)), ((8, 8), (20, 8), (20, 20)))), ("parts",)),
        (holed(), ("mask",)),
        (SoftMap.over(np.eye(3, 4, dtype=np.float32), SIZE), ("soft_map",)),
    ],
)
def test_vizwiz_masks_hold_every_shape(tmp_path: Path, shape: TargetShape, told: tuple[str, ...]) -> None:
    given = sample(shape, polled=True)
    assert losses(given, VIZWIZ) == told
    (found,) = through(VIZWIZ, [given], tmp_path)
    assert found.truth.targets[0].shape.rle(SIZE) == shape.rle(SIZE)
    assert found.truth.targets[0].outline


def test_the_largest_outline_stands_in_the_json(tmp_path: Path) -> None:
    given = sample(Polygon((((1, 1), (5, 1), (5, 5)), ((8, 8), (20, 8), (20, 20)))))
    (found,) = through(VIZWIZ, [given], tmp_path)
    assert found.truth.targets[0].outline == Polygon((((8, 8), (20, 8), (20, 20)),))


def test_an_answer_is_that_of_the_region_else_the_first(tmp_path: Path) -> None:
    (found,) = through(VIZWIZ, [sample(TRIANGLE, answer=None, answers=("mug",))], tmp_path)
    assert found.truth.targets[0].answer == "mug"
    (tmp_path / "more").mkdir()
    (found,) = through(VIZWIZ, [sample(TRIANGLE, answer=None)], tmp_path / "more")
    assert found.truth.targets[0].answer is None


def test_a_folder_without_masks_has_its_polygons(tmp_path: Path) -> None:
    VIZWIZ.write([sample(TRIANGLE)], tmp_path / "out")
    (tmp_path / "out" / "binary_masks_png" / "val" / "a.png").unlink()
    (found,) = VIZWIZ.read(tmp_path / "out", Reading())
    assert found.truth.targets == (Target(TRIANGLE, "cup"),)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ([sample(TRIANGLE, "a.jpg#0"), sample(TRIANGLE, "a.jpg#1")], "two questions are about this photo"),
        ([sample(TRIANGLE, "b/a.jpg"), sample(TRIANGLE, "c/a.jpg")], "its mask would be the one of b/a.jpg"),
        ([sample(Polygon((((1.1, 1.1), (1.4, 1.1), (1.4, 1.4)),)))], "its region covers the middle of no pixel"),
        ([Sample(Query("a", "a", None, "?", None), Truth("a", (), (Target(TRIANGLE),)))], "the size of its photo"),
    ],
)
def test_what_vizwiz_cannot_hold_is_refused(tmp_path: Path, given: list[Sample], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        VIZWIZ.write(given, tmp_path / "out")


def test_toloka_holds_boxes_in_whole_pixels(tmp_path: Path) -> None:
    given = [sample(Box((2, 3, 9, 8)), answer=None), sample(None, "b.jpg"), sample(TRIANGLE, "c.jpg")]
    assert losses(given[0], FORM) == ()
    assert losses(given[2], FORM) == ("polygon", "no_poll") or losses(given[2], FORM) == ("polygon", "poll")
    first, second = through(FORM, given, tmp_path)
    assert first == given[0]
    assert second.truth.targets[0].shape == Box((2, 2, 20, 20))
    assert (tmp_path / "out.csv").read_text().splitlines()[1] == "a.jpg,32,24,2,3,9,8,What?"


def test_toloka_is_read_by_its_data_set(tmp_path: Path) -> None:
    FORM.write([sample(Box((2.5, 3.4, 9.5, 8)))], tmp_path / "test_public.csv")
    (truth,) = open_dataset("toloka_vqa:test_public", tmp_path).truths()
    assert truth.targets[0].shape == Box((3, 3, 10, 8))
    assert "fractions" in losses(sample(Box((2.5, 3.4, 9.5, 8))), FORM)


@pytest.mark.parametrize(
    ("box", "whole"),
    [
        ((0.5, 1.5, 1.5, 2.5), (1, 2, 2, 3)),
        ((1.1, 0, 1.3, 4), (1, 0, 2, 4)),
        ((31.2, 0, 32, 0.4), (31, 0, 32, 1)),
    ],
)
def test_a_side_never_vanishes(box: tuple[float, float, float, float], whole: tuple[int, int, int, int]) -> None:
    assert whole_pixels(box) == whole


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ([sample(TRIANGLE, "a.jpg#0"), sample(TRIANGLE, "a.jpg#1")], "its photo is also that of a.jpg#0"),
        ([Sample(Query("a", "a", None, "?", None), Truth("a", (), (Target(TRIANGLE),)))], "the size of its photo"),
    ],
)
def test_what_toloka_cannot_hold_is_refused(tmp_path: Path, given: list[Sample], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        FORM.write(given, tmp_path / "out.csv")


def test_broken_rows_are_told_or_passed_over(tmp_path: Path) -> None:
    head = "image,width,height,left,top,right,bottom,question\n"
    path = write(tmp_path / "a.csv", f"{head}a.jpg,9,9,5,5,3,3,What?\nb.jpg,9,9,1,1,3,3,What?\n")
    with pytest.raises(InputError, match="line 2, a.jpg: the box 5, 5, 3, 3 is inverted"):
        list(FORM.read(path, Reading()))
    faults: list[InputError] = []
    assert len(list(FORM.read(path, Reading(on_invalid=faults.append)))) == len(faults) == 1
