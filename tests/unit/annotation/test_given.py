"""A data set's targets as works."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from foveate.annotation.given import given_work
from foveate.annotation.shapes import drawn_shape
from foveate.annotation.work import BoxWork, GroundingWork, PolygonWork
from foveate.core.boxes import SizeHW
from foveate.core.regions import Box, Mask, Polygon
from foveate.core.rle import encode
from foveate.core.soft_maps import SoftMap
from foveate.core.truths import Target, Truth
from foveate.errors import InputError

SIZE: SizeHW = (20, 30)
TRIANGLE = Polygon((((2.0, 2.0), (12.0, 2.0), (2.0, 12.0)),))


def mask(*parts: tuple[int, int, int, int]) -> Mask:
    pixels = np.zeros(SIZE, dtype=bool)
    for x0, y0, x1, y1 in parts:
        pixels[y0:y1, x0:x1] = True
    return Mask(encode(pixels))


def truth(*shapes: Any, outline: Polygon | None = None, **facts: Any) -> Truth:
    targets = tuple(Target(shape, outline=outline) for shape in shapes)
    return Truth("a.jpg", ("a",), targets, "any" if len(shapes) > 1 else "single", size_hw=SIZE, facts=facts)


def test_each_stage_gets_its_work() -> None:
    drawn = given_work(truth(TRIANGLE), "grounding", SIZE)
    assert drawn == GroundingWork.model_validate(
        {
            "several_questions": False,
            "several_regions": False,
            "outcome": "polygon",
            "polygon": TRIANGLE.parts[0],
            "closed": True,
        }
    )
    assert given_work(truth(TRIANGLE), "polygon", SIZE) == PolygonWork.model_validate(
        {"outcome": "polygon", "polygon": TRIANGLE.parts[0], "closed": True}
    )
    assert given_work(truth(TRIANGLE), "box", SIZE) == BoxWork(outcome="box", box=(2, 2, 12, 12))


@pytest.mark.parametrize("shape", [Box((3, 4, 10, 15)), mask((3, 4, 10, 15))])
def test_boxes_and_masks_become_their_outlines(shape: Any) -> None:
    work = given_work(truth(shape), "grounding", SIZE)
    region = drawn_shape(work, SIZE)
    assert region is not None
    assert region.rle(SIZE) == shape.rle(SIZE)
    assert given_work(truth(shape), "box", SIZE) == BoxWork(outcome="box", box=(3, 4, 10, 15))


def test_the_outline_that_was_drawn_comes_before_its_mask() -> None:
    work = given_work(truth(mask((2, 2, 8, 8)), outline=TRIANGLE), "polygon", SIZE)
    assert isinstance(work, PolygonWork)
    assert work.polygon == list(TRIANGLE.parts[0])


def test_why_there_is_no_target_is_the_answer_where_it_is_known() -> None:
    several = given_work(truth(no_target="several_questions"), "grounding", SIZE)
    assert several == GroundingWork(several_questions=True)
    assert given_work(truth(no_target="several_regions"), "grounding", SIZE) == GroundingWork(
        several_questions=False, several_regions=True
    )
    for stage in ("grounding", "box", "polygon"):
        work: Any = given_work(truth(no_target="cannot_draw"), stage, SIZE)
        assert (work.stage, work.outcome) == (stage, "cannot_draw")


@pytest.mark.parametrize(
    ("sample", "stage", "why"),
    [
        (truth(), "grounding", "nothing tells why"),
        (truth(no_target="several_questions"), "box", "which nobody is asked"),
        (truth(TRIANGLE, TRIANGLE), "box", "it has 2 targets"),
        (truth(mask((1, 1, 4, 4), (8, 8, 12, 12))), "grounding", "2 outlines"),
        (truth(SoftMap(np.ones(SIZE, dtype=np.float32), (1.0, 1.0, 0.0, 0.0))), "polygon", "soft map"),
        (truth(SoftMap(np.ones(SIZE, dtype=np.float32), (1.0, 1.0, 0.0, 0.0))), "box", "soft map"),
        (truth(Polygon((tuple((n / 200, (n % 2) * 9.0) for n in range(5001)),))), "grounding", "at most 5,000 points"),
    ],
)
def test_what_can_be_no_answer_is_refused(sample: Truth, stage: Any, why: str) -> None:
    with pytest.raises(InputError, match=why):
        given_work(sample, stage, SIZE)


def test_a_photo_of_another_size_is_another_photo() -> None:
    with pytest.raises(InputError, match="30 x 20 pixels, the task's has 20 x 30"):
        given_work(truth(TRIANGLE), "box", (30, 20))
