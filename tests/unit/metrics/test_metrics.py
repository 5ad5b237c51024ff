from __future__ import annotations

import numpy as np
import pytest

from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Mask, Polygon, Region
from foveate.core.rle import encode
from foveate.core.truths import Match, Target, Truth
from foveate.metrics import accuracy, mean_iou
from foveate.metrics._overlaps import measure
from tests.helpers import predicted

TWO = (Target(Box((0, 0, 10, 10))), Target(Box((20, 20, 30, 30))))


def test_of_several_accepted_boxes_the_best_counts() -> None:
    columns = measure([predicted("a", (20, 20, 30, 30))], [Truth("a", targets=TWO, match="any")])
    assert columns["iou"].tolist() == [1.0]
    assert columns["scored"].tolist() == [1.0]


@pytest.mark.parametrize(("match", "size_hw"), [("union", None), ("per_answer", (40, 40))])
def test_a_match_that_cannot_be_measured_is_refused(match: Match, size_hw: tuple[int, int] | None) -> None:
    with pytest.raises(ValueError, match=f"match={match} cannot be measured"):
        measure([predicted("a", (0, 0, 1, 1))], [Truth("a", targets=TWO, match=match, size_hw=size_hw)])


def test_with_union_all_targets_together_count() -> None:
    columns = measure([predicted("a", (0, 0, 10, 10))], [Truth("a", targets=TWO, match="union", size_hw=(40, 40))])
    assert columns["iou"].tolist() == [0.5]


def test_a_box_is_compared_with_a_polygon_as_a_mask() -> None:
    triangle = Target(Polygon((((0, 0), (10, 0), (0, 10)),)))
    columns = measure([predicted("a", (0, 0, 10, 10))], [Truth("a", targets=(triangle,), size_hw=(10, 10))])
    assert columns["iou"].tolist() == [45 / 100]  # 45 pixels have their centre inside the triangle.


def test_a_mask_is_compared_with_a_box_by_its_tight_box() -> None:
    ring = np.pad(np.ones((10, 10), dtype=bool), 5)
    ring[8:12, 8:12] = False
    final = Region(Mask(encode(ring)), 1.0)
    columns = measure([Prediction("a", "ok", final=final)], [Truth("a", targets=(Target(Box((5, 5, 15, 15))),))])
    assert columns["iou"].tolist() == [1.0]


def test_without_a_region_the_union_is_the_target() -> None:
    triangle = Target(Polygon((((0, 0), (10, 0), (0, 10)),)))
    columns = measure([None], [Truth("a", targets=(triangle,), size_hw=(10, 10))])
    assert (columns["intersection"].tolist(), columns["union"].tolist()) == ([0], [45])
    assert measure([None], [Truth("a", targets=TWO, match="any")])["union"].tolist() == [100]
    smaller = (TWO[0], Target(Box((0, 0, 3, 3))))
    assert measure([predicted("a", None)], [Truth("a", targets=smaller, match="any")])["union"].tolist() == [9]


def test_of_several_targets_the_one_that_counts_gives_the_areas() -> None:
    columns = measure([predicted("a", (20, 20, 30, 25))], [Truth("a", targets=TWO, match="any")])
    assert [columns[name].tolist() for name in ("iou", "intersection", "union")] == [[0.5], [50], [100]]


def test_masks_need_the_photos_size() -> None:
    triangle = Target(Polygon((((0, 0), (10, 0), (0, 10)),)))
    with pytest.raises(ValueError, match="without the photo's size"):
        measure([predicted("a", (0, 0, 10, 10))], [Truth("a", targets=(triangle,))])


def test_both_metrics_share_their_measuring() -> None:
    assert mean_iou.measure is accuracy.measure


@pytest.mark.parametrize("threshold", [0.0, -0.5, 1.5, float("nan")])
def test_a_threshold_that_is_none_is_refused(threshold: float) -> None:
    with pytest.raises(ValueError, match="threshold above 0 and at most 1"):
        accuracy.reduce(measure([], []), np.zeros((1, 0)), threshold)


def test_accuracy_at_1_needs_the_very_box() -> None:
    samples = [predicted("a", (0, 0, 10, 10)), predicted("b", (0, 0, 10, 9.999))]
    truths = [Truth(s.id, targets=(Target(Box((0, 0, 10, 10))),)) for s in samples]
    assert accuracy.reduce(measure(samples, truths), np.ones((1, 2)), 1.0)["value"].tolist() == [0.5]


@pytest.mark.parametrize("turned", [False, True])
def test_a_target_without_pixels_is_the_smallest_in_any_order(turned: bool) -> None:
    thin = Target(Polygon((((0, 0), (9, 0.1), (9, 0.2)),)))
    targets = (Target(Polygon((((0, 0), (10, 0), (0, 10)),))), thin)
    truth = Truth("a", targets=targets[::-1] if turned else targets, match="any", size_hw=(10, 10))
    assert measure([None], [truth])["union"].tolist() == [0]
