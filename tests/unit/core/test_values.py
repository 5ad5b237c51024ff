"""Queries, truths, regions and predictions refuse what they cannot be."""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest

from foveate.core.predictions import Prediction
from foveate.core.queries import Query
from foveate.core.regions import Box, Region
from foveate.core.truths import Target, Truth

BOX = Box((0, 0, 10, 10))


def test_a_box_is_floats_and_frozen() -> None:
    box = Box((1, 2, 3, 4))
    assert box.xyxy == (1.0, 2.0, 3.0, 4.0)
    assert all(type(side) is float for side in box.xyxy)
    with pytest.raises(FrozenInstanceError):
        box.xyxy = (0, 0, 1, 1)  # type: ignore[misc]


@pytest.mark.parametrize("xyxy", [(0, 0, 0, 5), (5, 0, 0, 5), (0, 0, math.nan, 5)])
def test_a_box_needs_an_area(xyxy: tuple[float, float, float, float]) -> None:
    with pytest.raises(ValueError, match="the box"):
        Box(xyxy)


@pytest.mark.parametrize("score", [-0.1, 1.1, math.nan, math.inf])
def test_a_score_is_from_0_to_1(score: float) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        Region(BOX, score)


def test_numbers_of_numpy_become_pythons() -> None:
    region = Region(BOX, np.float32(0.5), "cup")  # type: ignore[arg-type]
    assert type(region.score) is float
    prediction = Prediction("a", "no_region", answer_score=np.float32(0.25), reason="weak")  # type: ignore[arg-type]
    assert type(prediction.answer_score) is float


def test_a_region_needs_a_shape() -> None:
    with pytest.raises(ValueError, match="a region's shape is a Box, Polygon or Mask, not tuple"):
        Region((0, 0, 5, 5), 0.5)  # type: ignore[arg-type]


def test_a_label_is_a_text() -> None:
    with pytest.raises(ValueError, match="a label is a text, not 7"):
        Region(BOX, 0.5, 7)  # type: ignore[arg-type]


def test_a_query_has_no_place_for_a_target() -> None:
    assert not {"target", "targets", "truth", "answers"} & set(Query.__slots__)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"id": ""}, "needs an id"),
        ({"question": " \t"}, "question is empty"),
        ({"size_hw": (0, 5)}, "at least 1 x 1"),
    ],
)
def test_a_query_refuses(change: dict[str, Any], said: str) -> None:
    values = {"id": "a", "image_name": "a.jpg", "image": None, "question": "What?", "size_hw": (4, 5)} | change
    with pytest.raises(ValueError, match=said):
        Query(**values)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"id": ""}, "id of its query"),
        ({"match": "all"}, "match is one of"),
        ({"targets": (Target(BOX), Target(BOX))}, "`single` takes at most one"),
        ({"targets": (Target(BOX),), "size_hw": (5, 5)}, "lies outside"),
        ({"size_hw": (70_000, 70_000)}, "an image has at most 4,294,967,295 pixels"),
    ],
)
def test_a_truth_refuses(change: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Truth(**({"id": "a"} | change))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"status": "fine"}, "status is one of"),
        ({"status": "ok"}, "exactly when it is ok"),
        ({"status": "error", "final": Region(BOX, 1)}, "exactly when it is ok"),
        ({"reason": None}, "needs a reason"),
        ({"answer": 7}, "are texts"),
        ({"status": ["ok"]}, "status is one of"),
        ({"status": "ok", "final": BOX}, "final is a Region, not Box"),
        ({"candidates": ("x",)}, "candidates are Regions"),
        ({"reason": ""}, "needs a reason"),
        ({"answer_score": 1.5}, "answer_score"),
        ({"answer_score": math.nan}, "answer_score"),
        ({"seconds": -1}, "seconds"),
        ({"seconds": math.nan}, "seconds"),
        ({"candidates": (Region(BOX, 0.1), Region(BOX, 0.2))}, "best first"),
        ({"candidates": (Region(BOX, 0.1),), "size_hw": (5, 5)}, "lies outside"),
    ],
)
def test_a_prediction_refuses(change: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Prediction(**({"id": "a", "status": "no_region", "reason": "nothing"} | change))


def test_the_first_grounding_is_the_one_that_is_scored() -> None:
    best, other = Region(BOX, 0.9), Region(BOX, 0.4, "cup")
    assert Prediction("a", "ok", final=best, candidates=(best, other)).groundings == (best, other)
    assert Prediction("a", "ok", final=other, candidates=(best, other)).groundings == (other, best)
    assert Prediction("a", "no_region", candidates=(other,), reason="weak").groundings == (other,)


def test_a_region_may_be_without_a_score() -> None:
    unrated = Region(BOX, None)
    assert unrated.score is None
    assert Prediction("a", "ok", final=unrated, candidates=(unrated, Region(BOX, 0.5))).final == unrated


def test_a_prediction_of_a_size_that_no_image_has_is_refused() -> None:
    with pytest.raises(ValueError, match="an image has at most 4,294,967,295 pixels, not 70000 x 70000"):
        Prediction("a", "no_region", size_hw=(70_000, 70_000), reason="dark")
