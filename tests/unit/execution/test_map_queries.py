from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from foveate.core.boxes import SizeHW
from foveate.core.predictions import Prediction
from foveate.core.queries import Image, Query
from foveate.core.regions import Box, Mask, Polygon, Region
from foveate.core.soft_maps import SoftMap
from foveate.errors import InputError, UnavailableError
from foveate.execution.map_queries import map_queries

A = Query("1", "a.jpg", None, "One?", (48, 64))


class Scripted:
    """A grounder that does what it is told for each question."""

    def __init__(self, **outcomes: Prediction | Exception) -> None:
        self.outcomes = outcomes
        self.prepared = 0

    def prepare(self, image: Image | None, size_hw: SizeHW) -> None:
        self.prepared += 1

    def ground(self, question: str) -> Prediction:
        outcome = self.outcomes.get(question.rstrip("?"), Prediction("", "no_region", reason="nothing"))
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


def test_a_photo_is_prepared_once_for_its_questions() -> None:
    grounder = Scripted()
    queries = [A, replace(A, id="2"), replace(A, id="3", image_name="b.jpg"), replace(A, id="4")]
    assert [p.id for p in map_queries(queries, grounder)] == ["1", "2", "3", "4"]
    assert grounder.prepared == 3


def test_a_method_that_raises_is_an_error_and_the_next_question_is_asked() -> None:
    grounder = Scripted(One=RuntimeError("out of ideas"))
    first, second = map_queries([A, replace(A, id="2", question="Two?")], grounder)
    assert (first.status, first.reason) == ("error", "RuntimeError: out of ideas")
    assert second.status == "no_region"


def test_a_region_outside_the_photo_is_an_invalid_output() -> None:
    outside = Prediction("", "ok", final=Region(Box((0, 0, 65, 10)), 1.0))
    (prediction,) = map_queries([A], Scripted(One=outside))
    assert prediction.status == "invalid_output"
    assert prediction.reason is not None
    assert "lies outside the image, which is 64 wide" in prediction.reason


@pytest.mark.parametrize("size_hw", [None, (128, 128)])
def test_an_answer_outlives_its_region(size_hw: SizeHW | None) -> None:
    soft = SoftMap(np.eye(2, dtype=np.float32), (1, 1, 0, 0))
    region = Region(Box((0, 0, 65, 10)), 1.0)
    outside = Prediction("", "ok", "a cat", 0.25, region, (region,), size_hw, map=soft)
    (prediction,) = map_queries([A], Scripted(One=outside))
    assert (prediction.status, prediction.final, prediction.candidates) == ("invalid_output", None, ())
    assert (prediction.answer, prediction.answer_score, prediction.map) == ("a cat", 0.25, soft)
    assert (prediction.id, prediction.size_hw) == ("1", (48, 64))


def test_bad_input_is_one_photos_trouble() -> None:
    (prediction,) = map_queries([A], Scripted(One=InputError("a.jpg", "it is cut off", "Copy it again.")))
    assert (prediction.status, prediction.reason) == ("error", "a.jpg: it is cut off. Copy it again.")


@pytest.mark.parametrize("error", [UnavailableError("w", "not here", "Get it."), MemoryError()])
def test_what_is_wrong_with_the_installation_is_raised(error: Exception) -> None:
    with pytest.raises(type(error)):
        list(map_queries([A], Scripted(One=error)))


def test_an_unknown_size_is_an_error() -> None:
    (prediction,) = map_queries([replace(A, size_hw=None)], Scripted())
    assert prediction.status == "error"


def test_a_prediction_in_another_frame_is_an_invalid_output() -> None:
    other = Prediction("", "ok", final=Region(Box((0, 0, 40, 10)), 1.0), size_hw=(128, 128))
    (prediction,) = map_queries([A], Scripted(One=other))
    assert prediction.status == "invalid_output"
    assert prediction.reason is not None
    assert "a photo 128 wide and 128 high, not 64 wide and 48 high" in prediction.reason


def test_what_is_no_prediction_is_an_error() -> None:
    (prediction,) = map_queries([A], Scripted(One=None))  # type: ignore[arg-type]
    assert (prediction.status, prediction.reason) == (
        "error",
        "TypeError: the method returned NoneType instead of a Prediction",
    )


class UnspeakableError(Exception):
    """An error that fails when it is told."""

    def __str__(self) -> str:
        raise RuntimeError("cannot say")


def test_an_error_that_cannot_be_told_is_still_only_an_error() -> None:
    first, second = map_queries([A, replace(A, id="2", question="Two?")], Scripted(One=UnspeakableError()))
    assert (first.status, first.reason) == ("error", "UnspeakableError")
    assert second.status == "no_region"


def test_a_polygon_becomes_the_mask_that_can_be_stored() -> None:
    polygon = Region(Polygon((((0, 0), (10, 0), (10, 10), (0, 10)),)), 0.5)
    (prediction,) = map_queries([A], Scripted(One=Prediction("", "ok", final=polygon, candidates=(polygon,))))
    assert prediction.final is not None
    assert prediction.final.shape == Mask(polygon.shape.rle((48, 64)))
    assert prediction.candidates == (prediction.final,)


def test_a_polygon_without_a_pixel_is_an_invalid_output() -> None:
    sliver = Region(Polygon((((2, 2), (2.4, 2), (2.4, 9)),)), 0.5)
    (prediction,) = map_queries([A], Scripted(One=Prediction("", "ok", final=sliver)))
    assert prediction.status == "invalid_output"


class Named(Scripted):
    """A grounder that finds what it needs by the photo's name."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def prepare_named(self, name: str, image: Image | None, size_hw: SizeHW) -> None:
        self.names.append(name)


def test_a_method_that_works_by_name_is_told_the_name() -> None:
    grounder = Named()
    list(map_queries([A, replace(A, id="2"), replace(A, id="3", image_name="b.jpg")], grounder))
    assert (grounder.names, grounder.prepared) == (["a.jpg", "b.jpg"], 0)
