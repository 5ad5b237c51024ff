"""Submissions as judgements."""

from __future__ import annotations

from foveate.annotation.judged import judgements_of
from foveate.annotation.work import AskWork, GroundingWork
from foveate.core.regions import Box, Polygon
from foveate.quality.judgements import Judgement, Said
from tests.sample_strategies import SIZE_HW
from tests.submissions import SQUARE, START, boxed, drawn, sent


def test_a_drawing_is_a_judgement_with_its_corners_and_time() -> None:
    (found,) = judgements_of([sent(drawn(seconds=12.5))])
    said = Said(False, False, "polygon", Polygon((tuple(SQUARE),)))
    assert found == Judgement("a.jpg", "ann", SIZE_HW, said, 4, 12.5, START)


def test_a_box_and_a_yes_have_no_corners() -> None:
    yes = GroundingWork.model_validate({"several_questions": True})
    found = judgements_of([sent(boxed(1, 2, 3, 4)), sent(yes, minute=None)])
    assert [one.said for one in found] == [Said(outcome="box", shape=Box((1, 2, 3, 4))), Said(several_questions=True)]
    assert [one.points for one in found] == [0, 0]
    assert found[1].sent is None


def test_decisions_and_what_nothing_is_drawn_in_are_left_out() -> None:
    asked = AskWork.model_validate({"outcome": "nothing"})
    assert judgements_of([sent(drawn(), adjudicated=True), sent(asked)]) == []
