from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from foveate.core.masks import box_to_rle
from foveate.core.regions import Mask, Polygon
from foveate.core.soft_maps import SoftMap
from foveate.core.truths import Target, Truth
from foveate.metrics import pointing_game
from foveate.metrics._cases import SIZE
from tests.helpers import predicted

CORNER = (0.0, 0.0, 40.0, 30.0)
TARGET = Truth("a", targets=(Target(Mask(box_to_rle((300, 200, 400, 300), SIZE))),), size_hw=SIZE)


def share(prediction: object, truth: Truth, tolerance: float = 0.0) -> float:
    columns = pointing_game.measure([prediction], [truth])  # type: ignore[list-item]
    return float(pointing_game.reduce(columns, np.ones((1, 1)), tolerance)["value"][0])


def test_the_peak_of_the_map_counts_where_there_is_one() -> None:
    grid = np.zeros((3, 4))
    grid[2, 3] = 0.9  # The cell over the target: its middle is at (350, 250).
    prediction = predicted("a", CORNER)
    assert share(prediction, TARGET) == 0.0
    assert share(replace(prediction, map=SoftMap.over(grid, SIZE)), TARGET) == 1.0
    assert share(replace(prediction, map=SoftMap.over(grid[::-1], SIZE)), TARGET) == 0.0


def test_a_map_that_points_nowhere_misses() -> None:
    flat = replace(predicted("a", (300, 200, 400, 300)), map=SoftMap.over(np.ones((3, 4)), SIZE))
    assert share(flat, TARGET, 10_000) == 0.0


def test_the_distance_is_to_the_mask_not_to_its_box() -> None:
    # The middle of the box around an L lies in the L's empty part: 10 from the upright, 10 from the foot.
    shape = Polygon((((100, 100), (110, 100), (110, 130), (140, 130), (140, 140), (100, 140)),))
    truth = Truth("a", targets=(Target(shape),), size_hw=SIZE)
    whole = predicted("a", (100, 100, 140, 140))
    assert pointing_game.measure([whole], [truth])["distance"].tolist() == [10.0]
    assert share(whole, truth, 9.9) == 0.0
    assert share(whole, truth, 10) == 1.0


def test_of_several_accepted_regions_the_nearest_counts() -> None:
    boxes = (predicted("a", (0, 0, 10, 10)).final, predicted("a", (100, 0, 120, 10)).final)
    truth = Truth("a", targets=tuple(Target(box.shape) for box in boxes if box), match="any", size_hw=SIZE)
    assert pointing_game.measure([predicted("a", (80, 0, 90, 10))], [truth])["distance"].tolist() == [15.0]


@pytest.mark.parametrize("tolerance", [-1.0, float("inf"), float("nan")])
def test_a_tolerance_that_is_none_is_refused(tolerance: float) -> None:
    with pytest.raises(ValueError, match="number of pixels of at least 0"):
        share(predicted("a", CORNER), TARGET, tolerance)


def test_masks_need_the_photos_size() -> None:
    with pytest.raises(ValueError, match="without the photo's size"):
        pointing_game.measure([predicted("a", CORNER)], [replace(TARGET, size_hw=None)])
