"""What checks need of a submission."""

from __future__ import annotations

import pytest

from foveate.core.regions import Box, Polygon
from foveate.quality.done import Done, alike, done_of, gold_overlap, peer_means, same_answers
from foveate.quality.judgements import Judgement, Said

SIZE = (20, 20)


def square(x: float, side: float = 10.0) -> Polygon:
    return Polygon((((x, 0.0), (x + side, 0.0), (x + side, side), (x, side)),))


def test_a_judgement_is_counted() -> None:
    drawn = Judgement("a", "ann", SIZE, Said(False, False, "polygon", square(0)), 4, 7.5)
    assert done_of(drawn) == Done("a", 7.5, points=4)
    whole = Judgement("a", "ann", SIZE, Said(False, False, "whole_image", square(0, 20)), 0, 1.0)
    assert done_of(whole).points is None
    assert done_of(Judgement("a", "ann", SIZE, Said(True))) == Done("a", several_questions=True)
    assert done_of(Judgement("a", "ann", SIZE, Said(False, True))).several_regions
    assert done_of(Judgement("a", "ann", SIZE, Said(False, False, "cannot_draw"))).cannot_draw


def test_boxes_are_compared_as_they_are_and_all_else_pixel_by_pixel() -> None:
    # 10 × 10 moved by 2.5: 75 of 125.
    assert alike(Box((0, 0, 10, 10)), Box((2.5, 0, 12.5, 10)), SIZE) == 0.6
    # Columns whose centre lies inside: 0 to 9, and 3 to 12: 7 of 13.
    assert alike(square(0), square(2.6), SIZE) == pytest.approx(7 / 13)
    assert alike(Box((0, 0, 10, 10)), square(0), SIZE) == 1.0


def test_each_is_compared_with_the_others_who_drew() -> None:
    means = peer_means([square(0), None, square(0), square(5)], SIZE)
    assert means == [pytest.approx((1 + 1 / 3) / 2), None, pytest.approx((1 + 1 / 3) / 2), pytest.approx(1 / 3)]
    assert peer_means([square(0), None], SIZE) == [None, None]
    assert peer_means([], SIZE) == []
    assert peer_means([Box((0, 0, 10, 10)), Box((5, 0, 15, 10)), None], SIZE) == [pytest.approx(1 / 3)] * 2 + [None]


def test_answers_are_the_same_or_not() -> None:
    drawn, whole = Said(False, False, "polygon", square(0)), Said(False, False, "whole_image", square(0, 20))
    assert same_answers(drawn, whole)
    assert same_answers(Said(outcome="box", shape=Box((0, 0, 1, 1))), Said(outcome="whole_image"))
    for other in (Said(True), Said(False, True), Said(False, False, "cannot_draw")):
        assert not same_answers(drawn, other)
        assert same_answers(other, other)
        assert gold_overlap(other, drawn, SIZE) is None
        assert gold_overlap(drawn, other, SIZE) is None
    assert gold_overlap(drawn, whole, SIZE) == 0.25
