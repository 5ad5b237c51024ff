from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.errors import InputError
from foveate.grounders import pocket
from foveate.grounders._pocket.things import MOST_CANDIDATES
from foveate.perception.questions import understand
from foveate.sources.weights import WEIGHTS
from tests.unit.grounders.eyes import SIZE, Eyes, Photo, ask, line, open_eyes


def test_words_that_stand_in_the_photo_are_found(eyes: Eyes) -> None:
    eyes.lines = [line("Welcome", (0, 0, 80, 20)), line("LIGHTHOUSE TOURS", (0, 30, 120, 50))]
    found = ask("Where is the lighthouse?")
    assert found.answer == "LIGHTHOUSE TOURS"
    assert found.final is not None
    assert found.final.shape.xyxy == (0.0, 30.0, 120.0, 50.0)


def test_a_word_is_found_only_by_who_looks_for_a_name_and_is_a_guess(eyes: Eyes) -> None:
    eyes.lines = [line("GOOD EATS", (0, 0, 80, 20)), line("LIGHTHOUSE", (0, 30, 120, 50))]
    assert ask("What can I eat?").status == "no_region"
    assert ask("What is like a lighthouse?").status == "no_region"
    assert ask("Where can I eat?").status == "no_region"
    found = ask("Where is the lighthouse?")
    assert found.final is not None
    assert found.final.score == pytest.approx(0.9 / 3)


@pytest.mark.parametrize("question", ["What is this?", "Where is the dog?", "Is there a dog?", "What does it say?"])
def test_in_a_blank_photo_there_is_nothing_to_see(question: str) -> None:
    found = ask(question)
    assert (found.status, found.answer) == ("no_region", None)
    assert found.reason == "There is nothing to see in this photo."


def test_that_a_blank_photo_is_dark_is_told() -> None:
    assert ask("Is the photo dark?").answer == "yes"


@pytest.mark.parametrize("question", ["Wo ist die Katze?", "1234567890", "the the", "yes", "../../etc/passwd", "\x00"])
def test_what_is_no_english_question_is_refused(eyes: Eyes, question: str) -> None:
    eyes.things = [("cat", 0.9, (0, 0, 150, 150))]
    assert ask(question).reason == "pocket understands English, and finds no question in this."


@pytest.mark.parametrize("question", ["Where is the \x1b[31mcat?", "Where is the c\x00at?", "Where is the\tcat?"])
def test_characters_that_nobody_sees_change_nothing(eyes: Eyes, question: str) -> None:
    eyes.things = [("cat", 0.9, (0, 0, 150, 150))]
    assert ask(question) == ask("Where is the cat?")


@pytest.mark.parametrize("question", ["", "  ", "\n"])
def test_an_empty_question_is_refused(eyes: Eyes, question: str) -> None:
    with pytest.raises(InputError, match="the question: it is empty"):
        ask(question)


def test_what_is_this_is_the_main_thing_then_text_then_nothing(eyes: Eyes) -> None:
    small, large = (0.0, 0.0, 40.0, 40.0), (50.0, 0.0, 250.0, 190.0)
    eyes.things = [("bottle", 0.6, small), ("tvmonitor", 0.5, large), ("cat", 0.02, large)]
    found = ask("What is this?")
    assert found.answer == "television"
    assert [c.label for c in found.candidates] == ["television", "bottle"]
    eyes.things = [("cat", 0.02, large)]
    eyes.lines = [line("Ground coffee", (20, 10, 120, 40))]
    assert ask("What is this?").answer == "Ground coffee"
    eyes.lines = []
    reason = "pocket is not sure of any thing in this photo, and there is no text that it can read."
    assert ask("What is this?").reason == reason


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
    # All but what looks for faces in releases.
    assert set(pocket.CARD.weights) == set(WEIGHTS) - {"centerface"}
    assert "80 kinds" in pocket.CARD.limits


# Things that are there, that are not, that the detector does not know, and none; with colours that are there or not.
OF_THINGS = (
    "What color is {}?", "Is {} {} or {}?", "Is there {}?", "Is {} {}?", "Is this {} or {}?", "How many {} are there?",
    "Are there two {}?", "Is there more than one {}?", "Where is {}?", "Show me {}.", "What does {} say?",
    "Is {} on the {}?", "How old is {}?", "Does it say {}?", "Point to {} and read it.", "Which {} is it?",
)  # fmt: skip
OF_ALL = (
    "What is this?", "What animal is this?", "What do you see?", "Describe it.", "Where am I?", "Is it dark in here?",
    "Is the photo blurry?", "Are the lights on?", "Is it day or night?", "How many are there?", "What color is it?",
    "What is the date?", "Tell me a joke.", "Why so late, and where is it?", "Is this cooked?", "Is she smiling?",
)  # fmt: skip
WORDS = (
    "dog", "the red car", "a cat", "ovens", "animals", "my shirt", "helmet", "puppy", "red", "dark blue", "orange",
    "light", "anyone", "price", "dog bowl", "",
)  # fmt: skip
ASKED = st.one_of(
    st.sampled_from(OF_ALL),
    st.builds(
        lambda form, words: form.format(*words),
        st.sampled_from(OF_THINGS),
        st.lists(st.sampled_from(WORDS), min_size=3, max_size=3),
    ),
)
QUESTIONS = st.one_of(
    st.text(min_size=1, max_size=200),
    st.lists(
        st.sampled_from(
            ["what", "is", "this", "the", "price", "where", "dog", "bake", "say", "read", "how", "many", "1"]
        ),
        min_size=1,
        max_size=9,
    ).map(" ".join),
    st.lists(ASKED, min_size=1, max_size=3).map(" ".join),
).filter(str.strip)


@given(QUESTIONS)
def test_any_question_gives_a_valid_prediction(question: str) -> None:
    eyes = Eyes(
        things=[
            ("dog", 0.9, (0, 0, 50, 50)),
            ("dog", 0.5, (100, 100, 150, 150)),
            ("oven", 0.4, (9, 9, 80, 80)),
            ("car", 0.004, (0, 0, 300, 200)),
        ],
        names=[("beagle", 0.5), ("daisy", 0.3)],
        spots={"crash helmet": ((1, 2), 0.8)},
        lines=[line("price $4.99", (0, 0, 90, 20)), line("1 dog", (0, 30, 40, 50), 1.0)],
    )
    with pytest.MonkeyPatch.context() as patch:
        open_eyes(eyes, patch)
        first, again = ask(question), ask(question)
    # Prediction and Region check themselves when they are built.
    assert first == again
    assert [(each.label, each.shape) for each in first.candidates] == list(
        dict.fromkeys((each.label, each.shape) for each in first.candidates)
    )
    assert first.status in {"ok", "no_region"}
    # For each of several questions.
    assert len(first.candidates) <= MOST_CANDIDATES * len(understand(question))
