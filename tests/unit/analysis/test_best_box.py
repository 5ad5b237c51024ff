from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from foveate.analysis.best_box import COARSE, best_box, means_of_boxes, means_of_grids, searched
from foveate.core.masks import box_to_rle
from foveate.core.overlap import mask_iou
from foveate.core.regions import Box
from foveate.core.rle import decode, encode
from foveate.core.truths import Target
from tests.helpers import Sides
from tests.unit.analysis.looked import Sample, analysed, dataset

SIZE = (64, 128)


def middle(box: Sides) -> float:
    return (box[1] + box[3]) / 2


def found(boxes: list[Sides], as_masks: bool) -> tuple[Sides, float]:
    # As masks: two targets that are one box together, so that no sample has a single box.
    parts = [(box[:3] + (middle(box),), (box[0], middle(box), *box[2:])) if as_masks else (box,) for box in boxes]
    samples = [Sample([Target(Box(part)) for part in several]) for several in parts]
    cells = np.stack([255 * decode(box_to_rle(box, SIZE))[:, ::2] for box in boxes]).astype(np.uint8)
    one = best_box(dataset(samples, SIZE), analysed(samples, SIZE).columns, cells)
    return one.xyxy, one.value


@pytest.mark.parametrize("as_masks", [False, True])
def test_of_one_target_the_best_box_is_the_target(as_masks: bool) -> None:
    assert found([(26.0, 10.0, 100.0, 38.0)], as_masks) == ((26 / 128, 10 / 64, 100 / 128, 38 / 64), 1.0)


@pytest.mark.parametrize("as_masks", [False, True])
def test_of_three_targets_two_alike_win(as_masks: bool) -> None:
    left, right = (0.0, 0.0, 64.0, 64.0), (64.0, 0.0, 128.0, 64.0)
    # The half that two of three have: 2/3. The whole photo would have one half of each.
    box, value = found([left, right, left], as_masks)
    assert box == (0.0, 0.0, 0.5, 1.0)
    assert value == pytest.approx(2 / 3)


def test_means_of_grids_is_the_overlap_of_masks() -> None:
    rng = np.random.default_rng(5)
    masks = rng.random((4, 16, 16)) < 0.4
    boxes = np.array([(0, 0, 16, 16), (3, 2, 9, 14), (5, 5, 6, 6)]) / 16
    wanted = [
        mask_iou([box_to_rle(tuple(16 * box), (16, 16))] * 4, [encode(mask) for mask in masks], empty=0.0).mean()
        for box in boxes
    ]
    np.testing.assert_allclose(means_of_grids((255 * masks).astype(np.uint8))(boxes), wanted)


@settings(max_examples=15)
@given(st.integers(0, 2**32 - 1), st.integers(1, 30))
@example(seed=360, n=5)  # Of many peaks the best is narrow: the search stays .0003 below it.
def test_no_box_of_a_fine_grid_is_much_better(seed: int, n: int) -> None:
    """The search is held against boxes that it did not try: thousands at random, and every box of another grid."""
    rng = np.random.default_rng(seed)
    centre, side = rng.normal(0.5, 0.15, (n, 2)).clip(0.1, 0.9), rng.uniform(0.05, 0.9, (n, 2))
    targets = np.clip(np.concatenate([centre - side / 2, centre + side / 2], axis=1), 0, 1)
    means = means_of_boxes(targets)
    best = searched(means, 1 / 1024)
    edges = np.linspace(0, 1, 12)
    others = [(x0, y0, x1, y1) for x0, x1, y0, y1 in product(edges, repeat=4) if x1 - x0 > 0 and y1 - y0 > 0]
    drawn = np.sort(rng.random((5000, 2, 2)), axis=1).reshape(-1, 4)
    assert best.value >= means(np.array(others)).max() - 0.001
    assert best.value >= means(drawn).max() - 0.005
    assert best.value == pytest.approx(float(means(np.array([best.xyxy]))[0]))


def test_the_grid_of_the_prior_holds_the_coarse_one() -> None:
    assert 64 % COARSE == 0
