"""What regions of all tasks share with one another, beside the plain double loop."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.core.masks import box_to_rle
from foveate.core.overlap import box_iou
from foveate.core.rle import Rle, encode
from foveate.quality.expected import NearBoxes, PackedMasks, expected
from foveate.quality.grids import packed
from tests.unit.quality.made import random_boxes


def table_of(masks: np.ndarray) -> np.ndarray:
    """Returns intersections over unions of bool masks ``(N, cells)``, all with all, by the schoolbook."""
    shared = (masks[:, None] & masks[None]).sum(axis=-1)
    union = (masks[:, None] | masks[None]).sum(axis=-1)
    return np.where(union > 0, shared / np.maximum(union, 1), 1.0)


@given(st.integers(0, 10**6), st.integers(2, 40))
def test_sums_of_boxes_are_those_of_the_whole_table(seed: int, count: int) -> None:
    xyxy = np.array(random_boxes(np.random.default_rng(seed), count))
    whole = box_iou(xyxy[:, None], xyxy[None], empty=1.0)
    assert NearBoxes(xyxy).sums(1) == pytest.approx(whole.sum(axis=1) - 1, abs=1e-12)


def test_many_blocks_give_the_same_by_any_number_of_threads() -> None:
    xyxy = np.array(random_boxes(np.random.default_rng(1), 2500))
    found = NearBoxes(xyxy)
    whole = box_iou(xyxy[:, None], xyxy[None], empty=1.0)
    assert found.sums(1) == pytest.approx(whole.sum(axis=1) - 1, abs=1e-10)
    assert np.array_equal(found.sums(1), found.sums(3))
    exact = expected(found, None, 0, 2)
    away = 1 - whole[~np.eye(len(xyxy), dtype=bool)]
    assert (exact.pairs, exact.error) == (2500 * 2499 // 2, None)
    assert exact.mean == pytest.approx(away.mean(), abs=1e-12)


def test_a_sample_is_within_its_error_and_drawn_by_its_seed() -> None:
    found = NearBoxes(np.array(random_boxes(np.random.default_rng(2), 300)))
    exact = expected(found, None, 0, 1)
    errors = []
    for seed in range(40):
        drawn = expected(found, 5_000, seed, 1)
        assert drawn.error is not None
        assert drawn.sums.sum() == pytest.approx(drawn.mean * 300 * 299)
        errors.append((drawn.mean - exact.mean) / drawn.error)
    # Of 40 standard normal values, within five of their own standard errors.
    assert abs(np.mean(errors)) < 5 / 40**0.5
    assert 0.5 < np.std(errors) < 1.6
    again = expected(found, 5_000, 7, 1)
    assert again.mean == expected(found, 5_000, 7, 1).mean != expected(found, 5_000, 8, 1).mean


def test_no_more_pairs_than_asked_for_are_looked_at_one_by_one_not_sampled() -> None:
    found = NearBoxes(np.array(random_boxes(np.random.default_rng(3), 20)))
    assert expected(found, 190, 0, 1).error is None
    assert expected(found, 189, 0, 1).error is not None


def test_a_region_that_no_drawn_pair_has_counts_as_the_mean() -> None:
    found = NearBoxes(np.array(random_boxes(np.random.default_rng(4), 60)))
    drawn = expected(found, 3, 0, 1)
    assert drawn.sums.sum() == pytest.approx(drawn.mean * 60 * 59)
    assert len(set(drawn.sums.tolist())) <= 7


@pytest.mark.parametrize("frame", ["unit", "pixels"])
def test_packed_masks_are_compared_as_unpacked_ones(frame: str) -> None:
    rng = np.random.default_rng(5)
    planes = rng.uniform(size=(12, 16, 16)) < rng.uniform(0.05, 0.9, (12, 1, 1))
    # A photo as large as the grid: a cell is a pixel.
    found = PackedMasks(packed([encode(plane) for plane in planes], "unit" if frame == "unit" else "pixels", 16))
    whole = table_of(planes.reshape(12, -1))
    assert found.sums(2) == pytest.approx(whole.sum(axis=1) - 1)
    first, second = np.array([0, 3, 5]), np.array([1, 2, 11])
    assert found.alike(first, second) == pytest.approx(whole[first, second])


def test_a_grid_lies_over_each_photo_or_at_its_corner() -> None:
    # The left half of a photo of 8 x 16, and of one of 16 x 32.
    halves = [box_to_rle((0, 0, 8, 8), (8, 16)), box_to_rle((0, 0, 16, 16), (16, 32))]
    unit, pixels = (np.unpackbits(packed(halves, frame, 16).view(np.uint8), axis=1) for frame in ("unit", "pixels"))
    assert unit.sum(axis=1).tolist() == [128, 128]
    # A cell is two pixels wide; the longest side of all is 32.
    assert pixels.sum(axis=1).tolist() == [16, 64]
    assert pixels.reshape(2, 16, 16)[0, :4, :4].all()


def test_what_is_under_no_centre_has_one_cell_and_nothing_has_none() -> None:
    thin = np.zeros((64, 64), dtype=bool)
    thin[1, 2] = True
    masks: list[Rle] = [encode(thin), encode(np.zeros((64, 64), dtype=bool)), encode(thin[:2, :3])]
    assert np.unpackbits(packed(masks, "unit", 16).view(np.uint8), axis=1).sum(axis=1).tolist() == [1, 0, 40]
    found = PackedMasks(packed(masks, "pixels", 16))
    assert found.alike(np.array([1, 0]), np.array([1, 1])).tolist() == [1.0, 0.0]
    assert packed([], "pixels").shape == (0, 256)
