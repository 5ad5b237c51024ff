from __future__ import annotations

import pytest
from pydantic import BaseModel, ValidationError

from foveate.core.boxes import SizeHW
from foveate.core.regions import Box
from foveate.formats.json_regions import (
    Corner,
    Four,
    RleObject,
    SampleId,
    Score,
    Size,
    box_from_xywh,
    box_from_xyxy,
    check_around,
    polygon_from,
)

SIZE_HW = (48, 64)


class Everything(BaseModel):
    four: Four = (0, 0, 1, 1)
    corner: Corner = (0, 0)
    size: Size = (1, 1)
    score: Score = 1
    id: SampleId = "a"


@pytest.mark.parametrize(
    "values",
    [
        {"four": [1, 2, 3]},
        {"four": "1234"},
        {"four": [True, 2, 3, 4]},
        {"four": [1, 2, 3, "4"]},
        {"four": [1, 2, 3, float("inf")]},
        {"four": [1, 2, 3, 10**400]},
        {"corner": [1]},
        {"corner": {"x": 1, "y": 2}},
        {"size": [48, 64, 3]},
        {"size": [48.0, 64]},
        {"size": [0, 64]},
        {"score": 1.0001},
        {"score": -0.0001},
        {"score": True},
        {"score": "0.5"},
        {"score": float("nan")},
        {"id": " "},
        {"id": True},
        {"id": 1.0},
        {"id": None},
    ],
)
def test_nothing_is_taken_for_a_number_or_an_id_that_is_none(values: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Everything.model_validate(values)


def test_whole_numbers_are_numbers_and_ids() -> None:
    made = Everything.model_validate({"four": [1, 2.5, 3, 4], "score": 0, "id": 42})
    assert (made.four, made.score, made.id) == ((1.0, 2.5, 3.0, 4.0), 0.0, "42")


@pytest.mark.parametrize(
    ("xywh", "xyxy"),
    [
        ((1, 2, 3, 4), (1, 2, 4, 6)),
        ((0, 0, 64, 48), (0, 0, 64, 48)),
        ((-0.02, -0.02, 64.03, 48.03), (0, 0, 64, 48)),
        ((0.01, 0, 63.98, 48), (0.01, 0, 63.99, 48)),
    ],
)
def test_left_top_width_and_height(xywh: tuple[float, ...], xyxy: tuple[float, ...]) -> None:
    left, top, width, height = xywh
    assert box_from_xywh((left, top, width, height), SIZE_HW).xyxy == pytest.approx(xyxy, abs=1e-12)


def test_without_a_size_nothing_is_moved() -> None:
    assert box_from_xywh((-0.01, 0, 99, 99), None) == Box((-0.01, 0, 98.99, 99))
    assert box_from_xyxy((-0.01, 0, 99, 99), None) == Box((-0.01, 0, 99, 99))


def test_a_box_that_fits_as_xyxy_is_asked_about() -> None:
    with pytest.raises(ValueError, match="height 48: are the last two right and bottom"):
        box_from_xywh((10, 10, 64, 48), SIZE_HW)
    with pytest.raises(ValueError, match="height 48$"):
        box_from_xywh((10, 48, 64, 48), SIZE_HW)
    with pytest.raises(ValueError, match="transposed image, look at the photo's EXIF rotation; it is given as left 0"):
        box_from_xywh((0, 0, 48, 64), SIZE_HW)
    with pytest.raises(ValueError, match="are these shares of the photo's width and height.$"):
        box_from_xywh((0.1, 0.2, 0.25, 0.25), SIZE_HW)


@pytest.mark.parametrize("size_hw", [None, (70_000, 70_000)])
@pytest.mark.parametrize("counts", [[0, 70_000 * 70_000], "0"])
def test_a_mask_beyond_32_bits_is_refused(size_hw: SizeHW | None, counts: object) -> None:
    with pytest.raises(ValueError, match="an image has at most 4,294,967,295 pixels, not 70000 x 70000"):
        RleObject(size=(70_000, 70_000), counts=counts).mask(size_hw)


def test_outlines_are_one_shape_with_one_box() -> None:
    parts = [[(1.0, 1.0), (3.0, 1.0), (3.0, 3.0), (1.0, 3.0)], [(5.0, 5.0), (7.25, 5.0), (7.25, 8.0), (5.0, 8.0)]]
    mask, around = polygon_from(parts, SIZE_HW)
    assert list(around) == [1, 1, 7.25, 8]
    assert list(mask.xyxy) == [1, 1, 7, 8]
    with pytest.raises(ValueError, match="the mask is empty"):
        polygon_from([[(0.0, 0.0), (1.0, 0.0), (0.2, 0.2)]], SIZE_HW)


def test_a_box_beside_a_mask_may_be_a_pixel_off() -> None:
    check_around((0, 0, 10, 10), (1, 0.5, 9, 11))
    with pytest.raises(ValueError, match="its box 0, 0, 10, 10 is not the one around its mask, 1.1, 0, 10, 10"):
        check_around((0, 0, 10, 10), (1.1, 0, 10, 10))


def test_what_is_drawn_a_little_outside_is_cut_off() -> None:
    mask, around = polygon_from([[(-9.0, 10.0), (20.0, 10.0), (20.0, 20.0), (-9.0, 20.0)]], SIZE_HW)
    assert list(mask.xyxy) == [0, 10, 20, 20]
    assert list(around) == [-9, 10, 20, 20]
    with pytest.raises(ValueError, match="reaches 11 pixels outside .*; up to 10 pixels are cut off at its edge"):
        polygon_from([[(-11.0, 10.0), (20.0, 10.0), (20.0, 20.0)]], SIZE_HW)
