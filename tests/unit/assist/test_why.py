"""Why, in sentences: what an answer rests on, how sure that is, what else was considered."""

from __future__ import annotations

import numpy as np
import pytest

from foveate.assist import certainty
from foveate.assist.answers import Answered
from foveate.assist.asking import Asker
from foveate.assist.certainty import Bin, Table
from foveate.assist.photos import Photo
from foveate.assist.why import MOST_TOLD, reasons, why
from foveate.core.explanations import Evidence, Explanation, Refusal
from foveate.core.predictions import Prediction
from foveate.core.regions import Box, Region
from foveate.perception.photo_quality import photo_quality

SIZE = (200, 300)
LEFT = Region(Box((0.0, 60.0, 60.0, 140.0)), 0.8, "cup")
RIGHT = Region(Box((240.0, 60.0, 290.0, 140.0)), 0.3, "jug")
# Sharp and light, so that nothing is said of the photo itself.
QUALITY = photo_quality(
    np.kron(np.indices((20, 30)).sum(0) % 2, np.ones((10, 10)))[..., None].repeat(3, 2).astype("u1") * 255
)


def answered(said: Prediction, explanation: Explanation) -> Answered:
    return Answered("Where is my cup?", "pocket", said, explanation, QUALITY)


def found(*rests_on: Evidence, others: tuple[Evidence, ...] = ()) -> Answered:
    return answered(Prediction("", "ok", "cup", None, LEFT, (LEFT,), SIZE), Explanation(rests_on, others))


def test_a_measured_score_is_told_as_what_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table("it is the one", "made up", (Bin(0.0, 40, 10, 0.1), Bin(0.7, 50, 45, 0.8)))
    monkeypatch.setattr(certainty, "table", lambda name: table)
    thing = Evidence("thing", "cup", 0.8, LEFT, "pocket.thing")
    other = Evidence("thing", "jug", 0.3, RIGHT)
    method, rests_on, *others = why(found(thing, others=(other,)))
    assert method == "The method that was asked is pocket."
    assert rests_on == "It found: cup. Of 50 such answers, when it was measured, 45 were right."
    assert others[0] == "It also considered:"
    assert others[1].startswith("Jug. Right")
    apart = reasons(found(thing, others=(other,)))
    assert (apart.rests_on, apart.before_others, *apart.others) == ((method, rests_on), *others)
    assert reasons(found(thing)).sentences == (method, rests_on)


def test_another_box_of_the_same_thing_is_no_other_thing() -> None:
    again = Region(Box((2.0, 62.0, 60.0, 140.0)), 0.4, "cup")
    others = tuple(
        Evidence("thing", name, 0.3, where) for name, where in (("cup", again), ("cup", RIGHT), ("jug", again))
    )
    told = why(found(Evidence("thing", "cup", 0.8, LEFT), others=others))[2:]
    assert [each.split(".")[0] for each in told] == ["It also considered:", "Cup", "Jug"]
    assert why(found(Evidence("thing", "cup", 0.8, LEFT), others=others[:1]))[2:] == ()


def test_what_was_not_measured_says_so_and_places_are_told_once() -> None:
    colour = Evidence("colour", "red, 62% of it", None, LEFT)
    thing = Evidence("thing", "cup", 0.8, LEFT)
    text = Evidence("text", "TEA", 0.93, RIGHT)
    said = why(found(colour, thing, text))[1:]
    assert said[0] == "A colour of it: red, 62% of it."
    assert (
        said[1] == "It found: cup. The method is sure of it by 80 of 100; how often that is right was never measured."
    )
    # The place of the answer was told with it; the text stands elsewhere.
    assert said[2].startswith('It read: "TEA". Right side of the photo')
    assert said[2].endswith("The reader is sure of its letters by 93 of 100.")


def test_a_refusal_tells_what_to_do_the_reason_and_what_is_there_instead() -> None:
    nothing = Prediction("", "no_region", size_hw=SIZE, reason="pocket looked for a cup and did not find one.")
    instead = (Evidence("thing", "jug", 0.6, RIGHT),)
    said = why(answered(nothing, Explanation(others=instead, refusal=Refusal("nothing_found", "cup"))))
    assert "did not find it: cup" in said[1]
    assert said[2] == "In its own words: pocket looked for a cup and did not find one."
    assert said[3] == "It sees this instead:"
    assert said[4].startswith("Jug. Right")


def test_a_long_list_ends_and_says_how_much_is_left() -> None:
    many = tuple(Evidence("thing", f"cup {n}", None, RIGHT) for n in range(MOST_TOLD + 1))
    others = tuple(Evidence("thing", f"jug {n}", None, RIGHT) for n in range(2 * MOST_TOLD + 2))
    said = why(found(*many, others=others))
    assert len(said) == 1 + MOST_TOLD + 1 + 1 + MOST_TOLD + 1
    assert said[1 + MOST_TOLD] == "There is 1 more."
    assert said[-1] == f"There are {MOST_TOLD + 2} more."


def test_a_prior_says_that_it_looked_at_nothing() -> None:
    asker = Asker("centre_box")
    asker.look(Photo("a", np.zeros((40, 60, 3), dtype=np.uint8)))
    assert why(asker.ask("What is this?")) == (
        "The method that was asked is centre_box.",
        "It looked at this: nothing in the photo; it is always the middle half of its width and height.",
    )


def test_pocket_refuses_four_real_questions_each_in_its_own_way() -> None:
    """With the real networks: no question, none about a photo, nothing like it in the photo, nothing to see."""
    ramp = np.linspace(60, 200, 320 * 240).reshape(240, 320, 1).repeat(3, 2).astype(np.uint8)
    square = ramp.copy()
    square[80:160, 120:200] = (200, 30, 30)
    asker = Asker()
    asker.look(Photo("a square", square))
    kinds = {
        question: asker.ask(question).explanation.refusal
        for question in ("Where is the zebra?", "How are you feeling today?", "¿Dónde está mi taza? 这是什么")
    }
    asker.look(Photo("the lens was covered", np.zeros((240, 320, 3), dtype=np.uint8)))
    kinds["Where is my cup?"] = asker.ask("Where is my cup?").explanation.refusal
    assert [refusal and (refusal.kind, refusal.looked_for) for refusal in kinds.values()] == [
        ("nothing_found", "zebra"), ("not_about_photo", ""), ("not_understood", ""), ("nothing_to_see", ""),
    ]  # fmt: skip
