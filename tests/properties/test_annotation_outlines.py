"""Outlines that people may send, judged beside shapely, which knows nothing of ours."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import example, given, settings
from hypothesis import strategies as st

from foveate.annotation import outlines
from foveate.annotation.clipped import clipped
from foveate.annotation.outlines import first_meeting, plain
from foveate.annotation.problems import problems
from foveate.annotation.work import GroundingWork
from tests.submissions import drawn

SIZE = (40, 40)
# A coarse grid makes points that lie on sides and sides that lie on each other; halves of thirds are no doubles.
coarse = st.integers(0, 5).map(float)
fine = st.floats(0, 40, allow_subnormal=False)
thirds = st.integers(0, 120).map(lambda n: n / 3)
points = st.one_of(*(st.lists(st.tuples(one, one), min_size=3, max_size=12) for one in (coarse, fine, thirds)))
Outline = list[tuple[float, float]]


@settings(max_examples=600, deadline=None)
@given(points)
@example([(0.0, 0.0), (3.0, 3.0), (0.1, 0.1), (0.0, 3.0)])
@example([(0.1, 0.1), (0.3, 0.3), (0.2, 0.2), (5.0, 0.0)])
def test_an_outline_is_simple_exactly_where_shapely_says_so(outline: Outline) -> None:
    corners = plain(outline, SIZE)
    if len(corners) < 3:
        return
    assert (first_meeting(corners) is None) == shapely.LinearRing(corners).is_simple


@settings(max_examples=300, deadline=None)
@given(points)
def test_the_two_sides_that_are_told_do_meet(outline: Outline) -> None:
    corners = plain(outline, SIZE)
    meeting = first_meeting(corners) if len(corners) >= 3 else None
    if meeting is None:
        return
    ends = np.roll(corners, -1, axis=0)
    one, other = (shapely.LineString([corners[side - 1], ends[side - 1]]) for side in (meeting.first, meeting.second))
    assert 1 <= meeting.first < meeting.second <= len(corners)
    assert one.intersects(other)


@settings(max_examples=150, deadline=None)
@given(points, st.integers(1, 9))
def test_how_many_sides_are_compared_at_once_changes_nothing(outline: Outline, at_once: int) -> None:
    corners = plain(outline, SIZE)
    if len(corners) < 3:
        return
    expected = first_meeting(corners)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(outlines, "_AT_ONCE", at_once)
        assert (first_meeting(corners) is None) == (expected is None)


@settings(max_examples=150, deadline=None)
@given(points, st.integers(0, 11), st.booleans())
def test_neither_the_first_point_nor_the_direction_counts(outline: Outline, turn: int, backwards: bool) -> None:
    corners = plain(outline, SIZE)
    if len(corners) < 3:
        return
    turned = np.roll(corners[:: -1 if backwards else 1], turn, axis=0)
    assert (first_meeting(turned) is None) == (first_meeting(corners) is None)


@settings(max_examples=300, deadline=None)
@given(points)
def test_what_may_be_sent_is_a_valid_polygon_and_stored_it_may_be_sent_again(outline: Outline) -> None:
    work = drawn(outline)
    kept = clipped(work, SIZE)
    assert isinstance(kept, GroundingWork)
    assert clipped(kept, SIZE) == kept
    assert bool(problems(kept, SIZE)) == bool(problems(work, SIZE))
    if not problems(work, SIZE):
        ring = shapely.Polygon(kept.polygon)
        assert ring.is_valid
        assert ring.area > 0


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.floats(-0.5, 40.5), st.floats(-0.5, 40.5)), min_size=3, max_size=9))
def test_half_a_pixel_outside_is_moved_onto_the_photo(outline: Outline) -> None:
    kept = clipped(drawn(outline), SIZE)
    assert isinstance(kept, GroundingWork)
    assert all(0 <= side <= 40 for point in kept.polygon for side in point)
    assert not any("outside" in problem.problem for problem in problems(drawn(outline), SIZE))
    moved = {min(max(x, 0.0), 40.0) for point in outline for x in point}
    assert {side for point in kept.polygon for side in point} <= moved


def test_five_thousand_points_are_judged() -> None:
    angle = np.linspace(0, 2 * np.pi, 5_000, endpoint=False)
    radius = 900 + 90 * np.sin(angle * 40)
    star = np.stack([1_000 + radius * np.cos(angle), 1_000 + radius * np.sin(angle)], axis=1)
    assert first_meeting(star) is None
    star[[10, 4_000]] = star[[4_000, 10]]
    assert first_meeting(star) is not None


def test_thousands_of_outlines_as_shapely_says() -> None:
    rng = np.random.default_rng(5)
    simple = 0
    for _ in range(4_000):
        corners = plain(rng.integers(0, rng.choice([4, 9, 40]), (rng.integers(3, 9), 2)), SIZE)
        if len(corners) >= 3:
            found = first_meeting(corners) is None
            assert found == shapely.LinearRing(corners).is_simple
            simple += found
    assert simple > 500
