from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.errors import InputError
from foveate.grounders import pocket
from foveate.grounders._pocket.things import MOST_CANDIDATES
from tests.unit.grounders.eyes import SIZE, Eyes, Photo, ask, line, open_eyes


def test_a_thing_is_found_by_its_use(eyes: Eyes) -> None:
    eyes.things = [("person", 0.9, (0, 0, 90, 190)), ("oven", 0.3, (100, 50, 200, 150))]
    found = ask("What do we bake bread in?")
    assert (found.status, found.answer) == ("ok", "oven")
    assert found.final is not None
    assert found.final.shape.xyxy == (100.0, 50.0, 200.0, 150.0)
    assert found.final.label == "oven"
    assert found.answer_score == found.final.score
    assert found.final.score is not None
    assert 0 < found.final.score <= 0.3
    assert found.size_hw == SIZE


def test_the_five_best_boxes_are_candidates_best_first(eyes: Eyes) -> None:
    eyes.things = [("dog", 0.1 * n, (n, 0, n + 20, 20)) for n in range(1, 9)]
    found = ask("Where is the dog?")
    assert [c.score for c in found.candidates] == pytest.approx([0.8, 0.7, 0.6, 0.5, 0.4])
    assert found.final == found.candidates[0]


def test_the_answer_is_the_name_that_people_use(eyes: Eyes) -> None:
    eyes.things = [("motorbike", 0.5, (0, 0, 50, 50))]
    assert ask("Where is the motorbike?").answer == "motorcycle"


def test_a_kind_that_fits_better_outweighs_a_surer_detection_of_another(eyes: Eyes) -> None:
    eyes.things = [("sports ball", 0.9, (0, 0, 20, 20)), ("tennis racket", 0.2, (30, 0, 90, 90))]
    assert ask("What do we hit the tennis ball with?").answer == "tennis racket"


def test_an_absent_thing_is_named_in_the_reason(eyes: Eyes) -> None:
    eyes.things = [("dog", 0.9, (0, 0, 50, 50)), ("oven", 0.001, (0, 0, 9, 9))]
    found = ask("Where is the oven?")
    assert (found.status, found.final, found.answer) == ("no_region", None, None)
    assert found.reason == "pocket looked for oven and did not find one."


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("Is the cat on the bed?", "pocket looked for cat and did not find one."),
        ("What do we stir the coffee with?", "pocket looked for spoon and did not find one."),
        ("Which pet meows?", "pocket looked for cat and did not find one."),
        ("Where can several people sit outdoors?", "pocket looked for chair and bench and did not find any."),
    ],
)
def test_kinds_that_fit_much_worse_than_the_best_are_not_named(eyes: Eyes, question: str, reason: str) -> None:
    assert ask(question).reason == reason


def test_kinds_that_are_not_named_in_the_reason_are_searched_all_the_same(eyes: Eyes) -> None:
    eyes.things = [("bed", 0.9, (0, 0, 50, 50))]
    found = ask("Is the cat on the bed?")
    assert found.final is not None
    assert found.final.label == "bed"


def test_a_group_that_is_absent_is_summed_up(eyes: Eyes) -> None:
    found = ask("Which animal is it?")
    assert found.reason == "pocket looked for bird, cat, dog and 7 other kinds of thing and did not find any."


def test_a_question_that_fits_no_kind_says_so(eyes: Eyes) -> None:
    eyes.things = [("dog", 0.9, (0, 0, 50, 50))]
    reason = "None of the 80 kinds of thing that pocket knows fits this question; it understands English."
    for question in ("Where is the lighthouse?", "¿Dónde está el perro?", "Wo ist der Hund?", "犬はどこですか"):
        found = ask(question)
        assert (found.status, found.reason) == ("no_region", reason)


def test_words_that_stand_in_the_photo_are_found(eyes: Eyes) -> None:
    eyes.lines = [line("Welcome", (0, 0, 80, 20)), line("LIGHTHOUSE TOURS", (0, 30, 120, 50))]
    found = ask("Where is the lighthouse?")
    assert found.answer == "LIGHTHOUSE TOURS"
    assert found.final is not None
    assert found.final.shape.xyxy == (0.0, 30.0, 120.0, 50.0)


def test_what_is_this_is_the_main_thing_then_text_then_nothing(eyes: Eyes) -> None:
    small, large = (0.0, 0.0, 6.0, 6.0), (50.0, 0.0, 250.0, 190.0)
    eyes.things = [("bottle", 0.6, small), ("tvmonitor", 0.5, large), ("cat", 0.1, large)]
    found = ask("What is this?")
    assert found.answer == "television"
    assert [c.label for c in found.candidates] == ["television", "bottle"]
    eyes.things = [("cat", 0.1, large)]
    eyes.lines = [line("Ground coffee", (20, 10, 120, 40))]
    assert ask("What is this?").answer == "Ground coffee"
    eyes.lines = []
    reason = "pocket is not sure of any thing in this photo, and there is no text that it can read."
    assert ask("What is this?").reason == reason


def test_a_colour_or_a_number_is_pointed_at_but_not_answered(eyes: Eyes) -> None:
    eyes.things = [("car", 0.5, (0, 0, 50, 50)), ("cat", 0.9, (60, 60, 90, 90))]
    for question in ("What colour is the car?", "How many cars are there?", "Is there a car?"):
        found = ask(question)
        assert (found.status, found.answer, found.answer_score) == ("ok", None, None)
        assert found.final is not None
        assert found.final.label == "car"
    assert [c.label for c in ask("What colour is this?").candidates] == ["cat", "car"]
    assert ask("What colour is the dog?").reason == "pocket looked for dog and did not find one."
    assert "fits this question" in (ask("Why so late?").reason or "")
    eyes.things = []
    assert ask("What colour is this?").reason == "pocket is not sure of any thing in this photo."


def test_a_photo_is_looked_at_once_and_only_when_needed(eyes: Eyes) -> None:
    eyes.things = [("dog", 0.9, (0, 0, 50, 50))]
    photo, grounder = Photo(), pocket.Grounder()
    grounder.prepare(photo, SIZE)
    assert (photo.loads, eyes.looks, eyes.reads) == (0, 0, 0)
    grounder.ground("Where is the dog?")
    assert (photo.loads, eyes.looks, eyes.reads) == (1, 1, 0)
    for _ in range(2):
        grounder.ground("Where is the dog?")
        grounder.ground("What does it say?")
    assert (photo.loads, eyes.looks, eyes.reads) == (1, 1, 1)
    grounder.prepare(Photo(), SIZE)
    eyes.things = []
    assert grounder.ground("Where is the dog?").status == "no_region"
    assert eyes.looks == 2


def test_a_photo_of_another_size_than_announced_is_refused(eyes: Eyes) -> None:
    grounder = pocket.Grounder()
    grounder.prepare(Photo(), (300, 200))
    with pytest.raises(InputError, match="photo.jpg: the photo is 300 wide and 200 high, not 200 wide and 300 high"):
        grounder.ground("Where is the dog?")


def test_no_photo_is_refused() -> None:
    with pytest.raises(InputError, match="no photo to look at"):
        pocket.Grounder().prepare(None, SIZE)
    with pytest.raises(InputError, match="no photo was prepared"):
        pocket.Grounder().ground("Where is the dog?")


def test_the_card_says_what_it_cannot_do() -> None:
    assert pocket.CARD.weights == ("yolov3_tiny",)
    assert "80 kinds" in pocket.CARD.limits
    assert "different scales, and neither is calibrated" in pocket.CARD.limits


QUESTIONS = st.one_of(
    st.text(min_size=1, max_size=200),
    st.lists(
        st.sampled_from(
            ["what", "is", "this", "the", "price", "where", "dog", "bake", "say", "read", "how", "many", "1"]
        ),
        min_size=1,
        max_size=9,
    ).map(" ".join),
).filter(str.strip)


@given(QUESTIONS)
def test_any_question_gives_a_valid_prediction(question: str) -> None:
    eyes = Eyes(
        things=[("dog", 0.9, (0, 0, 50, 50)), ("oven", 0.4, (9, 9, 80, 80)), ("car", 0.004, (0, 0, 300, 200))],
        lines=[line("price $4.99", (0, 0, 90, 20)), line("1 dog", (0, 30, 40, 50), 1.0)],
    )
    with pytest.MonkeyPatch.context() as patch:
        open_eyes(eyes, patch)
        first, again = ask(question), ask(question)
    # Prediction and Region check themselves when they are built.
    assert first == again
    assert first.status in {"ok", "no_region"}
    assert len(first.candidates) <= MOST_CANDIDATES
