"""Each class by a case that a person can check, and that the classes are a partition whose losses add up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Mask, Polygon, Shape
from foveate.core.rle import encode
from foveate.core.truths import Truth
from foveate.evaluation.anatomy import CLASSES, Anatomy, ErrorClass, Tree, anatomy, classes_of
from foveate.evaluation.estimates import Draws
from tests.unit.evaluation.made import SIZE, asked, failed, results, said

TARGET = Box((40, 40, 60, 60))
FEW = Draws(50)


def squares(*corners: tuple[int, int, int, int]) -> Mask:
    plane = np.zeros(SIZE, dtype=bool)
    for x0, y0, x1, y1 in corners:
        plane[y0:y1, x0:x1] = True
    return Mask(encode(plane))


def class_of(prediction: Prediction | None, truth: Truth) -> str | None:
    return classes_of(results([(prediction, truth)]))[0]


def of(found: Anatomy, name: str) -> ErrorClass:
    return next(one for one in found.classes if one.name == name)


@pytest.mark.parametrize(
    ("shape", "wanted"),
    [
        (None, "no_region"),
        (Box((40, 40, 60, 60)), "hit"),
        (Box((40, 40, 60, 80)), "hit"),  # 400 of 800: just one half.
        (Box((40, 40, 60, 80.1)), "too_big"),
        (Box((0, 0, 100, 95.5)), "whole_image"),
        (Box((0, 0, 100, 95)), "too_big"),  # 0.95 of the photo is not over it.
        (Box((0, 0, 10, 10)), "elsewhere"),
        (Box((60, 40, 80, 60)), "elsewhere"),  # They touch, and share nothing.
        (Box((58.1, 40, 78.1, 60)), "elsewhere"),  # 38 of 400 each.
        (Box((57.9, 40, 77.9, 60)), "part"),  # 42 of 400 each.
        (Box((45, 45, 50, 50)), "too_small"),
        (Box((35, 50, 45, 60)), "part"),  # Half of it inside.
        (Box((0, 42, 100, 90)), "too_big"),  # 360 of 400: nine tenths held.
        (Box((0, 42.1, 100, 90)), "part"),
        (Box((58, 58, 60.2, 60.2)), "part"),  # 4 of 4.84 inside.
        (Box((58, 58, 60.1, 60.1)), "too_small"),  # 4 of 4.41.
    ],
)
def test_each_class_by_hand(shape: Shape | None, wanted: str) -> None:
    assert class_of(said("a", shape), asked("a", TARGET)) == wanted


def test_failures_and_what_is_missing_are_one_class() -> None:
    assert class_of(failed("a"), asked("a", TARGET)) == "failed"
    assert class_of(None, asked("a", TARGET)) == "failed"


def test_the_whole_photo_is_right_where_the_target_is() -> None:
    everything = Box((0, 0, 100, 100))
    assert class_of(said("a", everything), asked("a", Box((0, 0, 100, 70)))) == "hit"
    # Of two that both cover the photo none is a hit only where the threshold is very high.
    both = results([(said("a", everything), asked("a", Box((0, 0, 100, 96))))])
    assert classes_of(both, Tree(hit=0.99)) == ["too_big"]


def test_without_a_target_there_is_no_class() -> None:
    assert class_of(said("a", TARGET), asked("a")) is None
    samples = [
        (said("a", None), asked("a")),
        (said("b", TARGET), asked("b")),
        (failed("c"), asked("c")),
        (None, asked("d")),
    ]
    found = anatomy(results(samples), draws=FEW)
    assert found.without_target == {"right": 1, "needless_region": 1, "failed": 2}
    assert found.n == 0
    assert found.mean_iou.value is None


def test_several_parts_of_which_one_alone_would_hit_are_merged() -> None:
    target = squares((10, 10, 30, 30))
    joined = squares((10, 10, 30, 30), (50, 50, 90, 90))
    assert class_of(said("a", joined), asked("a", target)) == "merged"
    # In one piece it is just too big.
    assert class_of(said("a", squares((10, 10, 30, 90))), asked("a", target)) == "too_big"
    # Two parts, neither of which would hit alone: 100 of 400 each.
    assert class_of(said("a", squares((10, 10, 20, 20), (60, 10, 100, 50))), asked("a", target)) == "part"


def test_parts_are_those_of_polygons_too_and_of_boxes_as_they_are_compared() -> None:
    parts = Polygon((((10, 10), (30, 10), (30, 30), (10, 30)), ((50, 50), (90, 50), (90, 90), (50, 90))))
    assert class_of(said("a", parts), asked("a", squares((10, 10, 30, 30)))) == "merged"
    # With a box as the target the region is the box around both; the first part's own box would be a hit.
    assert class_of(said("a", parts), asked("a", Box((10, 10, 30, 30)))) == "merged"


def test_a_region_that_holds_several_accepted_targets_is_merged() -> None:
    two = asked("a", Box((0, 0, 10, 10)), Box((30, 0, 40, 10)), match="any")
    assert class_of(said("a", Box((0, 0, 40, 10))), two) == "merged"
    # 8 of 10 columns of the second: less than nine tenths.
    assert class_of(said("a", Box((0, 0, 38, 10))), two) == "too_big"
    assert class_of(said("a", Box((0, 0, 10, 10))), two) == "hit"


def test_of_several_targets_the_best_counts() -> None:
    two = asked("a", Box((0, 0, 10, 10)), Box((50, 50, 90, 90)), match="any")
    assert class_of(said("a", Box((0, 0, 4, 4))), two) == "too_small"
    assert class_of(said("a", Box((50, 50, 60, 60))), two) == "too_small"


def test_areas_are_those_of_the_comparison_with_the_target_that_counts() -> None:
    # Two boxes together are a mask of 5,000 pixels; two squares of 900 lie in it. The box around them is the photo.
    both = asked("a", Box((0, 0, 50, 50)), Box((50, 50, 100, 100)), match="union")
    assert class_of(said("a", squares((0, 0, 30, 30), (70, 70, 100, 100))), both) == "too_small"
    # A triangle of 1,800 pixels: its box of 3,600 holds the first target, of 1,600.
    mixed = asked("a", Box((0, 0, 40, 40)), squares((90, 90, 99, 99)), match="any")
    triangle = Polygon((((0, 0), (60, 0), (60, 60)),))
    assert class_of(said("a", triangle), mixed) == "too_big"
    # The second counts, and is compared pixel by pixel: of 1,800 pixels 1,200 lie in it, the box around them holds it.
    mixed = asked("a", Box((0, 90, 9, 99)), squares((20, 0, 60, 100)), match="any")
    assert class_of(said("a", triangle), mixed) == "part"


def test_shares_and_losses_by_hand() -> None:
    samples = [
        (said("hit", Box((40, 40, 60, 55)), score=0.5), asked("hit", TARGET)),  # IoU 3/4.
        (said("big", Box((40, 40, 80, 80)), score=0.4), asked("big", TARGET)),  # 1/4.
        (said("bigger", Box((20, 40, 100, 90)), score=0.9), asked("bigger", TARGET)),  # 1/10.
        (said("none", None), asked("none", TARGET)),
    ]
    found = anatomy(results(samples), draws=FEW)
    assert found.mean_iou.value == pytest.approx((0.75 + 0.25 + 0.1) / 4)
    big = of(found, "too_big")
    assert (big.n, big.share.value) == (2, 0.5)
    assert big.mean_iou == pytest.approx(0.175)
    assert big.loss.value == pytest.approx((0.75 + 0.9) / 4)
    assert big.share_of_loss.value == pytest.approx((0.75 + 0.9) / (0.25 + 0.75 + 0.9 + 1))
    assert list(big.examples) == ["bigger", "big"]  # The surest first.
    assert of(found, "part").mean_iou is None


def test_nothing_lost_has_no_parts() -> None:
    found = anatomy(results([(said("a", TARGET), asked("a", TARGET))]), draws=FEW)
    assert of(found, "hit").share_of_loss.value is None
    assert of(found, "hit").loss.value == 0


def test_without_the_photos_size_the_whole_photo_is_not_told() -> None:
    unsized = replace(asked("a", TARGET), size_hw=None)
    region = replace(said("a", Box((0, 0, 100, 100))), size_hw=None)
    found = anatomy(results([(region, unsized)]), draws=FEW)
    assert of(found, "too_big").n == 1
    assert found.unsized == 1


# Whole numbers, so that both ways of counting are exact.
edges = st.lists(st.integers(0, 20).map(lambda n: 5.0 * n), min_size=2, max_size=2, unique=True).map(sorted)
sides = st.tuples(edges, edges).map(lambda s: Box((s[0][0], s[1][0], s[0][1], s[1][1])))
drawn = st.lists(st.tuples(st.none() | sides, sides, st.booleans()), min_size=1, max_size=8)


@given(drawn)
def test_the_classes_are_a_partition_and_their_losses_add_up(found: list[tuple[Box | None, Box, bool]]) -> None:
    samples = [
        (failed(str(n)) if broken else said(str(n), region), asked(str(n), target))
        for n, (region, target, broken) in enumerate(found)
    ]
    told = anatomy(results(samples), draws=Draws(0))
    assert sum(one.n for one in told.classes) == told.n == len(samples)
    assert sum(one.share.value or 0 for one in told.classes) == pytest.approx(1)
    assert told.mean_iou.value is not None
    assert sum(one.loss.value or 0 for one in told.classes) == pytest.approx(1 - told.mean_iou.value)
    if told.mean_iou.value < 1:
        assert sum(one.share_of_loss.value or 0 for one in told.classes) == pytest.approx(1)
    assert all(one.share.low is None for one in told.classes)


@given(drawn)
def test_the_tree_by_the_geometry_of_boxes(found: list[tuple[Box | None, Box, bool]]) -> None:
    """Every class again from the corners alone, without the columns of a run."""
    for region, target, _ in found:
        if region is not None:
            assert class_of(said("a", region), asked("a", target)) == by_corners(region, target)


def by_corners(region: Box, target: Box) -> str:
    (a0, b0, a1, b1), (c0, d0, c1, d1) = region.xyxy, target.xyxy
    shared = max(0.0, min(a1, c1) - max(a0, c0)) * max(0.0, min(b1, d1) - max(b0, d0))
    mine, theirs = (a1 - a0) * (b1 - b0), (c1 - c0) * (d1 - d0)
    if shared >= 0.5 * (mine + theirs - shared):
        return "hit"
    if mine > 9500 >= theirs:
        return "whole_image"
    if shared == 0 or (shared < 0.1 * mine and shared < 0.1 * theirs):
        return "elsewhere"
    if shared >= 0.9 * theirs:
        return "too_big"
    return "too_small" if shared >= 0.9 * mine else "part"


@pytest.mark.parametrize("wrong", [{"hit": 0.0}, {"whole": 1.5}, {"apart": -1.0}, {"inside": float("nan")}])
def test_thresholds_that_are_none_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="above 0 and at most 1"):
        Tree(**wrong)


def test_the_words_name_the_thresholds() -> None:
    found = anatomy(results([(said("a", TARGET), asked("a", TARGET))]), Tree(hit=0.25, whole=0.8), draws=FEW)
    assert of(found, "hit").meaning == "IoU of at least 0.25"
    assert of(found, "whole_image").meaning.startswith("over 80 %")
    assert [one.name for one in found.classes] == list(CLASSES)
