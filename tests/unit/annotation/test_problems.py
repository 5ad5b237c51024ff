from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from foveate.annotation.clipped import clipped
from foveate.annotation.problems import LONGEST_QUESTION, problems
from foveate.annotation.reasons import OTHER, REASONS, WITH_TEXT
from foveate.annotation.work import WORK, AskWork, BoxWork, GroundingWork, PolygonWork, VerifyWork, Work
from tests.submissions import SQUARE, boxed, drawn

SIZE = (20, 30)


def told(work: Work) -> list[tuple[str, str]]:
    return [(problem.field, problem.problem) for problem in problems(work, SIZE)]


def steps(**values: Any) -> list[tuple[str, str]]:
    return told(GroundingWork.model_validate(values))


def polygon(*points: tuple[float, float], closed: bool = True) -> list[str]:
    return [problem for _, problem in told(drawn(points, closed=closed))]


@pytest.mark.parametrize(
    "work",
    [
        drawn(),
        GroundingWork(several_questions=True, comment="two"),
        GroundingWork(several_questions=False, several_regions=True),
        GroundingWork(several_questions=False, several_regions=False, outcome="whole_image"),
        PolygonWork(outcome="cannot_draw", reason="blurred"),
        PolygonWork(outcome="cannot_draw", reason=OTHER, reason_text="why"),
        PolygonWork(outcome="polygon", polygon=SQUARE, closed=True),
        boxed(0, 0, 30, 20),
        BoxWork(outcome="whole_image"),
        AskWork(outcome="asked", question="Where is the cup?"),
        AskWork(outcome="nothing"),
        VerifyWork(outcome="right"),
    ],
)
def test_what_may_be_sent(work: Work) -> None:
    assert problems(work, SIZE) == []


def test_steps_are_answered_in_their_order() -> None:
    assert steps() == [("several_questions", "step 1 is not answered: whether more than one question is asked")]
    assert steps(several_questions=False) == [
        ("several_regions", "step 2 is not answered: whether more than one region is needed")
    ]
    assert steps(several_regions=False)[1] == ("several_regions", "step 2 is answered, but step 1 is not answered")
    assert steps(several_questions=False, several_regions=False) == [("outcome", "nothing is drawn or chosen")]


def test_yes_ends_the_sample() -> None:
    after = {"outcome": "polygon", "polygon": SQUARE, "closed": True, "reason": "blurred", "reason_text": "x"}
    fields = ["outcome", "polygon", "closed", "reason", "reason_text"]
    first = problems(GroundingWork.model_validate({"several_questions": True, "several_regions": False, **after}), SIZE)
    assert [problem.field for problem in first] == ["several_regions", *fields]
    assert first[0].problem == "step 2 is answered, but step 1 is answered yes, which ends the sample"
    assert first[0].remedy == "Clear it, or answer no in step 1."
    second = steps(several_questions=False, several_regions=True, **after)
    assert [field for field, _ in second] == fields


@pytest.mark.parametrize(
    ("values", "fields"),
    [
        ({"outcome": "whole_image", "polygon": SQUARE, "closed": True}, ["polygon", "closed"]),
        ({"outcome": "whole_image", "reason": "blurred"}, ["reason"]),
        ({"outcome": "cannot_draw", "reason": "blurred", "polygon": SQUARE}, ["polygon"]),
        ({"outcome": "cannot_draw"}, ["reason"]),
        ({"outcome": "cannot_draw", "reason": "none"}, ["reason"]),
        ({"outcome": "cannot_draw", "reason": OTHER, "reason_text": " "}, ["reason_text"]),
        ({"outcome": "polygon", "polygon": SQUARE, "closed": True, "reason_text": "x"}, ["reason_text"]),
    ],
)
def test_a_choice_excludes_the_others(values: dict[str, Any], fields: list[str]) -> None:
    assert [field for field, _ in told(PolygonWork.model_validate(values))] == fields


def test_a_box_excludes_the_others() -> None:
    whole = BoxWork(outcome="whole_image", box=(0, 0, 5, 5))
    assert told(whole) == [("box", "a box is drawn, but the choice is whole image")]


@pytest.mark.parametrize(
    ("points", "problem"),
    [
        ([], "the polygon has 0 different points, it needs 3"),
        ([(1, 1), (5, 5), (1, 1), (1, 1)], "the polygon has 2 different points, it needs 3"),
        ([(1, 1), (9, 1), (9, 9), (30.75, 9)], "point 4 (30.75, 9) lies 0.75 pixels outside the photo, 30 x 20"),
        ([(1, 1), (9, 1), (9, -2)], "point 3 (9, -2) lies 2 pixels outside the photo, 30 x 20"),
        ([(1, 1), (9, 9), (9, 1), (1, 9)], "side 1 crosses side 3 (side 1 goes from point 1 to point 2)"),
        # In a point; on a side; back on itself; all on one line.
        ([(1, 1), (5, 5), (9, 1), (9, 9), (5, 5), (1, 9)], "side 1 touches side 4"),
        ([(1, 1), (9, 1), (9, 9), (5, 1), (1, 9)], "side 1 touches side 3"),
        ([(1, 1), (9, 1), (5, 1), (5, 9)], "side 1 touches side 2"),
        ([(1, 1), (5, 5), (9, 9)], "side 1 touches side 3"),
        ([(1.1, 1.1), (1.4, 1.1), (1.4, 1.4)], "the polygon covers the middle of no pixel"),
    ],
)
def test_polygons_that_are_no_region(points: list[tuple[float, float]], problem: str) -> None:
    (found,) = polygon(*points)
    assert found.startswith(problem)


def test_every_point_outside_is_named() -> None:
    assert len(polygon((-1, 1), (9, 1), (9, 21), (40, 9))) == 3


def test_an_open_polygon_is_closed_first() -> None:
    assert polygon(*SQUARE, closed=False) == ["the polygon is not closed"]


def test_holes_are_refused_with_a_word_why() -> None:
    rings = [[[1, 1], [9, 1], [9, 9]], [[3, 2], [5, 2], [5, 4]]]
    with pytest.raises(ValidationError, match="one outer boundary, as in the official targets, and neither holes"):
        WORK.validate_python({"stage": "polygon", "outcome": "polygon", "polygon": rings})
    # A hole by a cut is one ring that touches itself.
    cut = [(1, 1), (19, 1), (19, 19), (1, 19), (1, 1), (5, 5), (5, 9), (9, 9), (9, 5), (5, 5)]
    (problem,) = problems(drawn(cut), SIZE)
    assert "touches" in problem.problem
    assert "holes are not cut out" in problem.remedy


@pytest.mark.parametrize(
    ("box", "problem"),
    [
        ((5, 5, 3, 9), "the box 5, 5, 3, 9 has no area"),
        ((5, 5, 9, 5), "the box 5, 5, 9, 5 has no area"),
        ((5, 5, 5.9, 9), "the box is 0.9 x 4 pixels, the least is 1 x 1"),
        ((5, 5, 31, 9), "the box 5, 5, 31, 9 reaches 1 pixel outside the photo, 30 x 20"),
        # Half a pixel may lie outside, but it is cut off.
        ((-0.5, 5, 0.9, 9), "the box is 0.9 x 4 pixels, the least is 1 x 1"),
    ],
)
def test_boxes_that_are_no_region(box: tuple[float, float, float, float], problem: str) -> None:
    assert told(boxed(*box)) == [("box", problem)]


def test_a_box_is_drawn() -> None:
    assert told(BoxWork(outcome="box")) == [("box", "no box is drawn")]
    assert told(BoxWork()) == [("outcome", "nothing is drawn or chosen")]


def test_questions() -> None:
    assert told(AskWork()) == [("outcome", "nothing is asked")]
    assert told(AskWork(outcome="asked", question=" ")) == [("question", "the question is empty")]
    long = AskWork(outcome="asked", question="a" * (LONGEST_QUESTION + 1))
    assert told(long) == [("question", "the question has 301 letters, 300 are the most")]
    both = AskWork(outcome="nothing", question="What?", answer="a")
    assert [field for field, _ in told(both)] == ["question", "answer"]


def test_a_verdict_is_chosen() -> None:
    assert told(VerifyWork()) == [("outcome", "nothing is chosen")]


def test_ten_reasons_the_last_with_a_text() -> None:
    assert len(REASONS) == 10
    assert list(REASONS)[-1] == OTHER
    assert set(REASONS) > WITH_TEXT
    assert all(len(code) <= 40 for code in REASONS)


def test_what_is_stored() -> None:
    work = drawn([(-0.4, -0.0), (-0.4, -0.0), (30.5, 0), (30, 20.2), (30, 20), (0, 0)])
    kept = clipped(work, SIZE)
    assert isinstance(kept, GroundingWork)
    # As text, in which -0.0 would show.
    assert str(kept.polygon) == "[(0.0, 0.0), (30.0, 0.0), (30.0, 20.0)]"
    box = clipped(boxed(-0.25, 2, 30.5, 4.5), SIZE)
    assert isinstance(box, BoxWork)
    assert str(box.box) == "(0.0, 2.0, 30.0, 4.5)"
    for same in (BoxWork(outcome="whole_image"), VerifyWork(outcome="right"), AskWork(outcome="nothing")):
        assert clipped(same, SIZE) is same
