from __future__ import annotations

import pytest

from foveate.annotation.flow import Step, next_step
from foveate.annotation.kinds import ProjectSettings, first_stage
from foveate.annotation.work import AskWork, BoxWork, PolygonWork, VerifyWork, Work
from tests.submissions import boxed, drawn

TWO = ProjectSettings()
ASKED = AskWork(outcome="asked", question="Where is the cup?", answer="on the table")
NOTHING = AskWork(outcome="nothing")
BOX = boxed(0, 0, 5, 5)
WRONG, RIGHT = VerifyWork(outcome="box_wrong"), VerifyWork(outcome="right")


def collected(*sent: Work, settings: ProjectSettings = TWO) -> Step:
    return next_step("box_collection", settings, sent)


def test_a_grounding_is_done_by_as_many_people_as_are_wanted() -> None:
    one = drawn()
    assert next_step("grounding", TWO, []) == Step("open", "grounding", 2)
    assert next_step("grounding", TWO, [one]) == Step("open", "grounding", 2)
    assert next_step("grounding", TWO, [one, one]) == Step("done", "grounding", 2)
    assert next_step("grounding", TWO, [one] * 3) == Step("done", "grounding", 3)


def test_a_reannotation_is_of_the_shape_that_is_set() -> None:
    polygons = ProjectSettings(submissions=1, shape="polygon")
    assert next_step("reannotation", ProjectSettings(submissions=1), [BOX]).state == "done"
    assert next_step("reannotation", polygons, [BOX]) == Step("open", "polygon", 1)
    assert next_step("reannotation", polygons, [BOX, PolygonWork()]).state == "done"
    assert [first_stage("reannotation", s) for s in (TWO, polygons)] == ["box", "polygon"]


def test_a_photo_is_asked_about_drawn_and_verified_by_three() -> None:
    said = {"question": "Where is the cup?", "answer": "on the table"}
    assert collected() == Step("open", "ask", 1)
    assert collected(ASKED) == Step("open", "box", 1, **said)
    assert collected(ASKED, BOX) == Step("open", "verify", 1, **said)
    assert collected(ASKED, BOX, RIGHT) == Step("done", "verify", 1, **said)
    assert collected(ASKED, BoxWork(outcome="whole_image"), RIGHT).state == "done"


def test_nothing_to_ask_about_needs_as_many_people_as_are_wanted() -> None:
    assert collected(NOTHING) == Step("open", "ask", 2)
    assert collected(NOTHING, NOTHING) == Step("set_aside", "ask", 2, "nothing")
    assert collected(NOTHING, ASKED).stage == "box"


def test_a_wrong_box_is_drawn_again_so_often() -> None:
    once = ProjectSettings(most_redraws=1)
    assert collected(ASKED, BOX, WRONG, settings=once).stage == "box"
    assert collected(ASKED, BOX, WRONG, settings=once).wanted == 2
    again = collected(ASKED, BOX, WRONG, BOX, WRONG, settings=once)
    assert (again.state, again.why, again.stage, again.wanted) == ("set_aside", "box_wrong", "verify", 2)
    assert collected(ASKED, BOX, WRONG, BOX, RIGHT, settings=once).state == "done"
    assert collected(ASKED, BOX, WRONG, settings=ProjectSettings(most_redraws=0)).state == "set_aside"


@pytest.mark.parametrize("outcome", ["several_answers", "no_answer", "question_wrong"])
def test_other_verdicts_set_a_photo_aside(outcome: str) -> None:
    verdict = VerifyWork.model_validate({"outcome": outcome})
    assert collected(ASKED, BOX, verdict).why == outcome


def test_what_cannot_be_drawn_sets_a_photo_aside() -> None:
    assert collected(ASKED, BoxWork(outcome="cannot_draw", reason="blurred")).why == "cannot_draw"
    assert collected(ASKED, BOX, VerifyWork()).why == "not_verified"


def test_what_comes_late_or_for_another_stage_changes_nothing() -> None:
    assert collected(BOX, RIGHT, drawn()) == Step("open", "ask", 1)
    done = collected(ASKED, BOX, RIGHT, WRONG)
    assert (done.state, done.wanted) == ("done", 2)
    # It counts for how many are wanted nevertheless, since it is there.
    assert collected(BOX, ASKED).wanted == 2
