"""What of a judgement differs from gold: by hand, and by properties; and that the person is told nothing of it."""

from __future__ import annotations

import itertools
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given
from shapely.geometry import box as rectangle

from foveate.core.overlap import mask_iou
from foveate.core.regions import Box, Polygon
from foveate.quality.gold import CODES, MESSAGE, compared, faults
from foveate.quality.judgements import Outcome, Said

SIZE_HW = (100, 100)


def square(x0: float, y0: float, x1: float, y1: float) -> Polygon:
    return Polygon((((x0, y0), (x1, y0), (x1, y1), (x0, y1)),))


def drawn(x0: float, y0: float, x1: float, y1: float, outcome: Outcome = "polygon") -> Said:
    return Said(False, False, outcome, square(x0, y0, x1, y1))


def codes(said: Said, gold: Said, threshold: float = 0.7) -> list[str]:
    return [fault.code for fault in faults(said, gold, SIZE_HW, threshold)]


GOLD = drawn(0, 0, 10, 10)
SEVERAL_QUESTIONS = Said(True)
SEVERAL_REGIONS = Said(False, True)
CANNOT = Said(False, False, "cannot_draw")


@pytest.mark.parametrize(
    ("said", "gold", "found"),
    [
        (GOLD, GOLD, []),
        (SEVERAL_QUESTIONS, SEVERAL_QUESTIONS, []),
        (SEVERAL_REGIONS, SEVERAL_REGIONS, []),
        (CANNOT, CANNOT, []),
        (SEVERAL_QUESTIONS, SEVERAL_REGIONS, ["several_questions", "several_regions"]),
        (SEVERAL_REGIONS, CANNOT, ["several_regions", "outcome"]),
        (CANNOT, GOLD, ["outcome"]),
        (GOLD, CANNOT, ["outcome"]),
        (GOLD, SEVERAL_QUESTIONS, ["several_questions", "several_regions", "outcome"]),
        (drawn(50, 50, 60, 60), GOLD, ["region"]),
        (Said(None, None, "polygon", square(0, 0, 10, 10)), GOLD, ["several_questions", "several_regions"]),
    ],
)
def test_each_step_is_compared(said: Said, gold: Said, found: list[str]) -> None:
    assert codes(said, gold) == found


def test_a_region_is_accepted_above_the_threshold_and_not_at_it() -> None:
    # Of 100 pixels 70 are shared: exactly .7; and one more row of a hundred columns: .71.
    gold = drawn(0, 0, 100, 100)
    assert compared(drawn(0, 0, 100, 70), gold, SIZE_HW).iou == 0.7
    assert codes(drawn(0, 0, 100, 70), gold) == ["region"]
    assert codes(drawn(0, 0, 100, 71), gold) == []
    # Not rounded: .6999 is not .7, and 7001 pixels of 10,000 are more.
    assert codes(drawn(0, 0, 100, 70), gold, 0.6999) == []


def test_the_whole_photo_is_a_region_like_any_other() -> None:
    whole = drawn(0, 0, 100, 100, "whole_image")
    assert codes(whole, drawn(0, 0, 100, 95)) == []
    assert codes(drawn(0, 0, 100, 95), whole) == []
    assert codes(whole, drawn(0, 0, 100, 50)) == ["region"]


def test_boxes_are_compared_as_boxes_and_with_polygons_as_masks() -> None:
    # Continuous: (10.4 * 10) / (10.8 * 10) = .963; as masks both would be of ten columns.
    one, other = (Said(outcome="box", shape=Box(sides)) for sides in ((0, 0, 10.4, 10), (0, 0, 10.8, 10)))
    assert compared(one, other, SIZE_HW).iou == pytest.approx(10.4 / 10.8)
    assert compared(one, Said(outcome="polygon", shape=square(0, 0, 10.8, 10)), SIZE_HW).iou == pytest.approx(10 / 11)
    assert codes(Said(outcome="cannot_draw"), one) == ["outcome"]
    assert codes(one, Said(outcome="cannot_draw")) == ["outcome"]


Four = tuple[int, int, int, int]
corner = st.integers(0, 90)
sides = st.tuples(corner, corner, st.integers(1, 10), st.integers(1, 10)).map(
    lambda one: (one[0], one[1], one[0] + one[2], one[1] + one[3])
)


@given(sides, sides, st.floats(0, 0.99))
def test_the_region_agrees_with_shapely(a: Four, b: Four, threshold: float) -> None:
    one, two = rectangle(*a), rectangle(*b)
    witness = one.intersection(two).area / one.union(two).area
    found = compared(drawn(*a), drawn(*b), SIZE_HW, threshold)
    assert found.iou == pytest.approx(witness, abs=1e-12)
    if abs(witness - threshold) > 1e-9:
        assert found.accepted == (witness > threshold)


kinds = [SEVERAL_QUESTIONS, SEVERAL_REGIONS, CANNOT, GOLD, drawn(40, 40, 60, 60)]


def test_what_the_person_is_told_depends_on_nothing() -> None:
    told = {fault.message for said, gold in itertools.product(kinds, kinds) for fault in faults(said, gold, SIZE_HW)}
    assert told == {MESSAGE}
    assert not any(word in MESSAGE for word in ("step", "region", "IoU", "nearly", "question", *CODES))


def test_all_is_computed_whatever_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[Any] = []

    def counting(*masks: Any, empty: float) -> Any:
        counted.append(masks)
        return mask_iou(*masks, empty=empty)

    monkeypatch.setattr("foveate.quality.gold.mask_iou", counting)
    for said, gold in itertools.product(kinds, kinds):
        faults(said, gold, SIZE_HW)
    assert len(counted) == len(kinds) ** 2
