from __future__ import annotations

import pytest

from foveate.core.regions import Box, Region
from foveate.grounders._pocket.places import apart, same_place, whole
from tests.unit.grounders.eyes import SIZE, Sides


def region(xyxy: Sides) -> Region:
    return Region(Box(xyxy), 0.5)


@pytest.mark.parametrize(("width", "same"), [(100.0, True), (71.0, True), (69.0, False)])
def test_boxes_that_nearly_cover_each_other_are_one_place(width: float, same: bool) -> None:
    # The smaller lies in the larger of 100 x 100: the IoU is its width by 100.
    assert same_place(region((0, 0, 100, 100)), region((0, 0, width, 100))) is same


def test_of_one_place_the_first_stays() -> None:
    first, other, beside = region((0, 0, 100, 100)), region((0, 0, 90, 100)), region((100, 0, 200, 100))
    assert apart([first, other, beside]) == [first, beside]
    assert apart([]) == []


def test_the_whole_photo_is_a_region() -> None:
    assert whole(SIZE, 0.1) == Region(Box((0, 0, 300, 200)), 0.1)
