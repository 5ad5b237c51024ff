from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.core.regions import Box, Mask, Region
from foveate.core.rle import decode
from foveate.errors import UsageError
from foveate.perception.attention import AttentionRule, box_map, grid_map, region_of
from foveate.runs.maps import MapWriter, stored_map

CELLS = AttentionRule(reading="cells")


def mask_of(region: Region | None) -> list[list[int]]:
    assert region is not None
    assert isinstance(region.shape, Mask)
    rows: list[list[int]] = decode(region.shape.encoded).astype(int).tolist()
    return rows


def test_a_grid_by_hand() -> None:
    soft = grid_map(np.array([[0.1, 0.2], [0.05, 0.4]]), (2, 4), CELLS)
    assert soft is not None
    # Divided by the highest, in steps of 1/255: 0.25 is 64/255, 0.5 is 128/255, 0.125 is 32/255.
    assert soft.values * 255 == pytest.approx(np.array([[64, 128], [32, 255]]))
    assert mask_of(region_of(soft, (2, 4), CELLS)) == [[0, 0, 1, 1], [0, 0, 1, 1]]


def test_the_range_takes_the_lowest_away() -> None:
    soft = grid_map(np.array([[0.2, 0.3, 0.45]]), (1, 3), AttentionRule("cells", "range"))
    assert soft is not None
    assert soft.values * 255 == pytest.approx(np.array([[0, 102, 255]]))


def test_left_as_it_is_it_may_reach_no_threshold() -> None:
    rule = AttentionRule("cells", "none")
    soft = grid_map(np.array([[0.2, 0.4]]), (1, 2), rule)
    assert soft is not None
    assert float(soft.values.max()) == pytest.approx(0.4)
    assert region_of(soft, (1, 2), rule) is None


@pytest.mark.parametrize("value", [0.0, 1 / 196, 1.0])
def test_attention_that_is_the_same_everywhere_points_nowhere(value: float) -> None:
    grid = np.full((14, 14), value)
    assert grid_map(grid, (320, 480), AttentionRule()) is None
    # The noise of a softmax's sums is no attention.
    assert grid_map(grid * (1 + 1e-9 * np.arange(196).reshape(14, 14)), (320, 480), AttentionRule()) is None
    assert box_map(np.array([[0, 0, 2, 2], [2, 2, 4, 4.0]]), np.full(2, value), (4, 4), AttentionRule()) is None
    assert region_of(None, (320, 480), AttentionRule()) is None


@pytest.mark.parametrize("bad", [-0.1, np.nan, np.inf])
def test_what_is_no_attention_is_refused(bad: float) -> None:
    with pytest.raises(ValueError, match="below 0"):
        grid_map(np.array([[0.5, bad]]), (2, 2), AttentionRule())
    for values in ([0.5, bad], [bad]):
        with pytest.raises(ValueError, match="below 0"):
            box_map(np.zeros((len(values), 4)), np.array(values), (2, 2), AttentionRule())


BOXES = np.array([[0, 0, 3, 1], [2, 0, 5, 1.0]])


@pytest.mark.parametrize(
    ("paint", "expected"),
    [("max", [64, 64, 255, 255, 255, 0]), ("mean", [64, 64, 159, 255, 255, 0]), ("sum", [51, 51, 255, 204, 204, 0])],
)
def test_boxes_are_painted(paint: str, expected: list[int]) -> None:
    # 0.1 and 0.4, by the highest 0.25 and 1; together 1.25, by which the sum is divided.
    soft = box_map(BOXES, np.array([0.1, 0.4]), (1, 6), AttentionRule(paint=paint))  # type: ignore[arg-type]
    assert soft is not None
    assert soft.reading == "cells"
    assert np.rint(soft.values[0] * 255).tolist() == expected


def test_a_pixel_is_in_a_box_when_its_middle_is() -> None:
    soft = box_map(np.array([[0.4, 0.6, 2.5, 2.4], [3, 3, 4, 4.0]]), np.array([1.0, 0.2]), (4, 4), AttentionRule())
    assert mask_of(region_of(soft, (4, 4), AttentionRule())) == [[0] * 4, [1, 1, 0, 0], [0] * 4, [0] * 4]


def test_a_single_box_is_pointed_at() -> None:
    found = region_of(box_map(np.array([[1, 0, 3, 1.0]]), np.array([1.0]), (1, 4), AttentionRule()), (1, 4), CELLS)
    assert mask_of(found) == [[0, 1, 1, 0]]
    assert box_map(np.array([[1, 0, 3, 1.0]]), np.array([0.0]), (1, 4), AttentionRule()) is None


def test_no_box_or_none_with_a_pixel_points_nowhere() -> None:
    assert box_map(np.zeros((0, 4)), np.zeros(0), (4, 4), AttentionRule()) is None
    thin = np.array([[0.6, 0, 1.4, 4], [2.6, 0, 3.4, 4.0]])
    assert box_map(thin, np.array([0.7, 0.3]), (4, 4), AttentionRule()) is None


def test_each_box_needs_a_value() -> None:
    with pytest.raises(ValueError, match="2 boxes have 1 values"):
        box_map(BOXES, np.array([0.1]), (1, 6), AttentionRule())


def test_on_a_large_photo_boxes_are_painted_coarser() -> None:
    soft = box_map(np.array([[0, 0, 2000, 1000], [2000, 0, 4000, 1000.0]]), np.array([1, 0.1]), (2000, 4000), CELLS)
    assert soft is not None
    assert soft.values.shape == (512, 1024)
    found = region_of(soft, (2000, 4000), AttentionRule(region="all_box"))
    assert found is not None
    assert found.shape == Box((0, 0, 2000, 1000))


SPOTS = np.zeros((4, 6))
SPOTS[0, 0] = SPOTS[1, 1] = SPOTS[3, 4] = SPOTS[3, 5] = SPOTS[2, 5] = 1.0


def test_boxes_of_the_largest_part_and_of_all() -> None:
    soft = grid_map(SPOTS, (4, 6), CELLS)
    largest, everything = (
        region_of(soft, (4, 6), AttentionRule("cells", region=cut)) for cut in ("largest_box", "all_box")
    )
    assert largest is not None
    assert everything is not None
    # By corners, too, two cells hang together; the part of three is larger.
    assert largest.shape == Box((4, 2, 6, 4))
    assert everything.shape == Box((0, 0, 6, 4))


@given(st.integers(0, 2**32 - 1), st.sampled_from(["bilinear", "bicubic", "cells"]))
def test_the_highest_place_is_in_the_region_and_a_higher_threshold_takes_less(seed: int, reading: str) -> None:
    grid = np.random.default_rng(seed).random((5, 4))
    size = (50, 40)
    before = None
    for threshold in (0.3, 0.6, 1.0):
        rule = AttentionRule(reading, threshold=threshold)  # type: ignore[arg-type]
        soft = grid_map(grid, size, rule)
        assert soft is not None
        mask = soft.on(size) >= threshold
        if reading == "cells":
            assert mask.any()
        assert before is None or not (mask & ~before).any()
        before = mask


@pytest.mark.parametrize("reading", ["bilinear", "bicubic", "cells"])
def test_what_is_cut_is_what_a_run_keeps(reading: str, tmp_path: Path) -> None:
    rule = AttentionRule(reading)  # type: ignore[arg-type]
    soft = grid_map(np.random.default_rng(5).random((14, 14)), (320, 480), rule)
    assert soft is not None
    with closing(MapWriter(tmp_path, [])) as writer:
        kept = writer.append(soft)
    assert kept.load() == soft
    assert stored_map(kept.as_object(), tmp_path).load() == soft


@pytest.mark.parametrize("option", ["reading", "normalise", "region", "paint"])
def test_an_unknown_option_is_refused(option: str) -> None:
    with pytest.raises(UsageError, match=option):
        AttentionRule(**{option: "other"})  # type: ignore[arg-type]


@pytest.mark.parametrize("threshold", [0.0, 1.1, -1.0, float("nan")])
def test_a_threshold_is_from_0_to_1(threshold: float) -> None:
    with pytest.raises(UsageError, match="above 0"):
        AttentionRule(threshold=threshold)
