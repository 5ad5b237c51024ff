"""Pairs of regions: what they share, and why two differ."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.core.regions import Box
from foveate.errors import InputError
from foveate.quality.pairs import Limits, compared, edges, histogram, pairs_of
from foveate.quality.regions import regions_of
from tests.unit.quality.made import boxed, corners, crowd, judged, mask


def test_three_people_are_three_pairs_and_tasks_are_apart() -> None:
    found = pairs_of(
        [
            boxed("t", "a", 0, 0, 10, 10),
            boxed("u", "a", 0, 0, 10, 10),
            boxed("t", "b", 0, 0, 10, 20),
            boxed("t", "c", 5, 0, 15, 10),
            boxed("u", "c", 20, 20, 30, 30),
        ]
    )
    names = [tuple(found.regions.annotators[n] for n in two) for two in found.annotators.tolist()]
    assert names == [("a", "b"), ("a", "c"), ("b", "c"), ("a", "c")]
    assert [found.regions.tasks[n] for n in found.task.tolist()] == ["t", "t", "t", "u"]
    assert found.iou.tolist() == pytest.approx([100 / 200, 50 / 150, 50 / 250, 0.0])
    assert found.smaller.tolist() == pytest.approx([1.0, 0.5, 0.5, 0.0])
    assert found.coverage[0].tolist() == pytest.approx([100 / 2400, 200 / 2400])
    assert found.relation.tolist() == ["inside", "partial", "partial", "disjoint"]
    assert found.relations() == {"same": 0, "contains": 1, "partial": 2, "disjoint": 1}
    assert found.relations(np.array([3])) == {"same": 0, "contains": 0, "partial": 0, "disjoint": 1}


def test_the_larger_one_contains_and_the_limits_are_kept_unrounded() -> None:
    # 80 of 100: exactly the limit is not yet the same; it lies inside.
    found = pairs_of([boxed("t", "a", 0, 0, 10, 10), boxed("t", "b", 0, 0, 8, 10)])
    assert (found.iou.tolist(), found.relation.tolist()) == ([0.8], ["contains"])
    more = pairs_of([boxed("t", "a", 0, 0, 10, 10), boxed("t", "b", 0, 0, 8.001, 10)])
    assert more.relation.tolist() == ["same"]
    # 19 of the smaller one's 20: just enough. The other way round of 0.96 it is not.
    two = [boxed("t", "a", 0, 0, 20, 20), boxed("t", "b", 1, 15, 2, 35)]
    assert pairs_of(two).smaller.tolist() == [0.25]
    inside = [boxed("t", "a", 0, 0, 20, 20), boxed("t", "b", 1, 1, 2, 21)]
    assert pairs_of(inside).relation.tolist() == ["contains"]
    assert pairs_of(inside, Limits(inside=0.96)).relation.tolist() == ["partial"]


def test_what_is_no_box_is_compared_pixel_by_pixel_and_a_box_beside_it_too() -> None:
    # The box covers the centres of 9 x 10 pixels, though 9.4 x 10 of the plane.
    found = pairs_of([boxed("t", "a", 0, 0, 9.4, 10), judged("t", "b", corners(0, 0, 10, 10))])
    assert found.iou.tolist() == [0.9]
    assert found.coverage.tolist() == [[90 / 2400, 100 / 2400]]
    alone = pairs_of([boxed("t", "a", 0, 0, 9.4, 10), boxed("t", "b", 0, 0, 10, 10)])
    assert alone.iou.tolist() == [0.94]
    masks = pairs_of([judged("t", "a", mask(0, 0, 4, 4)), judged("t", "b", corners(2, 0, 6, 4))])
    assert masks.iou.tolist() == [8 / 24]


def test_two_so_thin_that_they_cover_no_pixel_are_alike() -> None:
    thin = corners(3.1, 2, 3.2, 30)
    found = pairs_of([judged("t", "a", thin), judged("t", "b", thin), judged("t", "c", mask(0, 0, 4, 4))])
    assert found.iou.tolist() == [1.0, 0.0, 0.0]
    assert found.relation.tolist() == ["same", "disjoint", "disjoint"]


def test_who_did_not_draw_makes_no_pair_but_is_counted() -> None:
    sent = [boxed("t", "a", 0, 0, 5, 5), boxed("t", "b", 0, 0, 5, 5)]
    sent += [judged("t", name, None) for name in ("c", "d", "e")]
    found = pairs_of([*sent, judged("u", "a", None)])
    assert (len(found.iou), found.one_drew, found.neither_drew) == (1, 6, 3)
    nothing = pairs_of([judged("t", "a", None)])
    assert (len(nothing.iou), nothing.one_drew, nothing.coverage.shape) == (0, 0, (0, 2))
    assert pairs_of([]).relations() == {"same": 0, "contains": 0, "partial": 0, "disjoint": 0}


def test_ranges_have_their_lower_edge_and_the_last_has_both() -> None:
    assert edges(5) == [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    values = np.array([0.0, 0.1999, 0.2, 0.4, 0.6, 0.7999, 0.8, 1.0])
    assert histogram(values).tolist() == [2, 1, 1, 2, 2]
    assert histogram(values, 1).tolist() == [8]


@given(st.integers(0, 10**6))
def test_a_pair_is_the_same_from_either_end(seed: int) -> None:
    sent = crowd(seed, 4)
    one, other = pairs_of(sent), pairs_of(sent[::-1])
    assert sorted(one.iou.tolist()) == sorted(other.iou.tolist())
    assert one.relations() == other.relations()
    assert (one.iou <= one.smaller + 1e-12).all()
    assert histogram(one.iou, 7).sum() == len(one.iou)


def test_what_contradicts_itself_is_refused() -> None:
    first = boxed("t", "a", 0, 0, 5, 5)
    with pytest.raises(InputError, match="a judged it twice"):
        regions_of([first, judged("t", "a", None)])
    with pytest.raises(InputError, match="the photo is 40 wide and 60 high"):
        regions_of([first, boxed("t", "b", 0, 0, 5, 5, size_hw=(60, 40))])
    with pytest.raises(InputError, match="the box of a is too small"):
        regions_of([judged("t", "a", Box((0, 0, 1e-200, 1e-200)))])


def test_two_regions_alone_are_compared_as_a_pair_is_and_the_relation_is_the_firsts() -> None:
    small, large = Box((0, 0, 10, 10)), Box((0, 0, 10, 20))
    assert compared(small, large, (40, 60)) == (0.5, "inside")
    assert compared(large, small, (40, 60)) == (0.5, "contains")
    assert compared(small, large, (40, 60), Limits(same=0.4)) == (0.5, "same")
    assert compared(small, Box((20, 20, 30, 30)), (40, 60)) == (0.0, "disjoint")
    # 2 x 4 of 24 pixels, and half of the smaller one.
    assert compared(mask(0, 0, 4, 4), corners(2, 0, 6, 4), (40, 60)) == (8 / 24, "partial")
