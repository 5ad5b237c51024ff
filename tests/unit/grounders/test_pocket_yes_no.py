from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from foveate.grounders._pocket.claims import claim_of
from foveate.grounders._pocket.seen import THRESHOLD
from foveate.grounders._pocket.yes_no import PRESENT
from foveate.perception.phrase_book import phrase_book
from foveate.perception.questions import understand
from tests.unit.grounders.eyes import Eyes, ask, chance_of, line, score_of
from tests.unit.grounders.painted import BLUE, Painted, stands_out
from tests.unit.grounders.painted import ask as ask_about


@dataclass
class Turned(Painted):
    """A painted photo, turned by ten degrees, without corners that nobody saw."""

    def load(self) -> NDArray[np.uint8]:
        height, width = self.size_hw
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), 10, 1.3)
        return np.asarray(cv2.warpAffine(super().load(), matrix, (width, height)), dtype=np.uint8)


DOG = (0.0, 0.0, 50.0, 50.0)


@pytest.fixture
def dog(eyes: Eyes) -> Eyes:
    eyes.things = [("dog", 0.5, DOG), ("person", 0.4, (100, 0, 150, 150)), ("person", 0.3, (200, 0, 250, 150))]
    return eyes


@pytest.mark.parametrize(
    "question",
    [
        "Is there a dog?",
        "Are there any dogs in this picture?",
        "Do you see a dog?",
        "Is this a dog?",
        "Is it a dog?",
        "Is my dog here?",
        "Does this photo show a dog?",
        "Can you tell me if there is a dog in front of me?",
        "Is there an animal?",
    ],
)
def test_a_thing_that_is_there(dog: Eyes, question: str) -> None:
    found = ask(question)
    assert (found.answer, found.status) == ("yes", "ok")
    assert found.answer_score == pytest.approx(score_of(chance_of(dog, "dog")))
    assert found.final is not None
    assert found.final.shape.xyxy == DOG


@pytest.mark.parametrize("question", ["Is there a cat?", "Do you see any cats?", "Is this a cat?", "Any cats here?"])
def test_a_thing_that_is_not_there(dog: Eyes, question: str) -> None:
    found = ask(question)
    assert (found.answer, found.status) == ("no", "no_region")
    assert found.reason == "pocket looked for a cat and did not find one."


def test_who_asks_where_a_thing_is_takes_it_to_be_there_and_who_asks_whether_does_not(eyes: Eyes) -> None:
    for least, question in ((PRESENT, "Is there a cat?"), (THRESHOLD, "Where is the cat?")):
        eyes.things = [("cat", least, DOG)]
        assert ask(question).answer in {"yes", "cat"}
        eyes.things = [("cat", least - 1e-6, DOG)]
        assert (ask(question).answer or "no", ask(question).status) == ("no", "no_region")
    eyes.things = [("cat", THRESHOLD, DOG)]
    assert ask("Is there a cat?").reason == "pocket looked for cat and is not sure of any."


def test_people_under_other_words(dog: Eyes) -> None:
    for word in ("anyone", "somebody", "a person", "people"):
        assert ask(f"Is there {word} in the photo?").answer == "yes"


@pytest.mark.parametrize("question", ["Is there a woman?", "Is there a puppy?"])
def test_one_sort_of_a_kind_is_seen_but_not_told(dog: Eyes, question: str) -> None:
    found = ask(question)
    assert (found.answer, found.status) == (None, "ok")
    assert found.reason is not None
    assert f"cannot tell whether it is {question[9:-1]}." in found.reason


def test_a_group_or_one_sort_that_is_not_found_may_still_be_there(eyes: Eyes) -> None:
    for question in ("Are there any animals?", "Is there a woman?"):
        assert (ask(question).answer, ask(question).status) == (None, "no_region")


def test_a_thing_that_is_not_known(dog: Eyes) -> None:
    found = ask("Is there a zeppelin?")
    assert (found.answer, found.status) == (None, "no_region")
    assert found.reason == '"zeppelin" is none of the 80 kinds of thing that pocket finds.'


def test_a_thing_that_only_imagenet_names_is_there_or_not_known_to_be(dog: Eyes) -> None:
    found = ask("Is there a lake?")
    assert (found.answer, found.status) == (None, "no_region")
    assert found.reason == "pocket looked for lake and did not find one."
    dog.spots = {"lakeside": ((1, 2), 0.9)}
    found = ask("Is there a lake?")
    assert (found.answer, found.status) == ("yes", "ok")


@pytest.mark.parametrize(
    "question",
    ["Is the dog asleep?", "Is there a dog on the bed?", "Is there a big dog?", "Is my dog on the bed?"],
)
def test_what_else_is_asked_of_a_thing_is_where_one_would_look(dog: Eyes, question: str) -> None:
    found = ask(question)
    assert (found.answer, found.status) == (None, "ok")
    assert found.reason == "pocket sees this dog, and cannot tell the rest of what is asked."


def test_she_is_a_person(dog: Eyes) -> None:
    found = ask("Is she smiling?")
    assert found.answer is None
    assert found.final is not None
    assert found.final.label == "person"


def test_something_of_a_thing_that_is_not_there_is_neither(dog: Eyes) -> None:
    found = ask("Is the cat asleep?")
    assert (found.answer, found.status) == (None, "no_region")


def test_small_numbers(dog: Eyes) -> None:
    answers = {
        "Are there two people?": "yes",
        "Are there three people?": "no",
        "Is there more than one person?": "yes",
        "Are there more than two people?": "no",
        "Are there more than two tall people?": None,
        "Are there two cats?": "no",
    }
    assert {question: ask(question).answer for question in answers} == answers
    assert ask("Are there three people?").reason == "pocket counts 2."


def test_this_is_pointed_at(dog: Eyes, monkeypatch: pytest.MonkeyPatch) -> None:
    stands_out(monkeypatch, (100, 100, 200, 200))
    for question in ("Is this cooked?", "Is it ready?"):
        found = ask(question)
        assert (found.answer, found.status) == (None, "ok")
        assert found.reason == "pocket cannot tell; this is where one would look."


def test_what_is_written(eyes: Eyes) -> None:
    eyes.lines = [line("Ground coffee", (20, 10, 120, 40)), line("EXIT", (150, 60, 200, 80))]
    found = ask("Does the text mention coffee?")
    assert (found.answer, found.status) == ("yes", "ok")
    assert found.final is not None
    assert found.final.label == "Ground coffee"
    answers = {
        "Does it say exit?": "yes",
        "Does it say ground tea?": "no",
        "Is the word exit written here?": "yes",
        "Does the sign say stop?": "no",
        "Is there any text?": "yes",
        "Is this coffee?": "yes",
        # The other side may say so.
        "Is this decaf coffee?": None,
    }
    assert {question: ask(question).answer for question in answers} == answers
    assert ask("Does the sign say stop?").status == "no_region"
    assert ask("Is this decaf coffee?").status == "ok"


def test_this_is_what_its_text_calls_it(eyes: Eyes, monkeypatch: pytest.MonkeyPatch) -> None:
    stands_out(monkeypatch, (100, 100, 200, 200))
    eyes.lines = [line("BEST COLA", (20, 10, 120, 40))]
    found = ask("Is this a cola?")
    assert (found.answer, found.reason) == ("yes", "pocket goes by the text on it.")
    # Not found there, or no name of anything: no answer.
    assert ask("Is this a lighthouse?").answer is None
    assert ask("Is this best?").answer is None


def test_a_kind_of_food_is_seen_where_its_label_is_not_read(eyes: Eyes) -> None:
    eyes.things = [("pizza", 0.5, DOG)]
    found = ask("Is this a pepperoni pizza?")
    assert (found.answer, found.status) == (None, "ok")
    assert found.reason == "pocket sees this pizza, and cannot tell the rest of what is asked."


def test_where_it_is_written_is_nothing_that_is_said(eyes: Eyes) -> None:
    eyes.lines = [line("EXIT", (150, 60, 200, 80))]
    found = ask("Is there a number written on this modem?")
    assert (found.answer, found.status) == (None, "no_region")


def test_without_text_nothing_is_said_of_its_words(eyes: Eyes) -> None:
    assert ask("Does it say exit?").answer is None
    assert ask("Is this decaf coffee?").status == "no_region"
    assert (ask("Is there any text?").answer, ask("Is there any text?").status) == ("no", "no_region")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is this photo blurry?", "yes"),
        ("Is the picture in focus?", "no"),
        ("Is this photo too dark?", "no"),
        ("Is it dark in here?", "no"),
        ("Is it bright in here?", "yes"),
        ("Is it light or dark?", "light"),
        ("Is this room dark or bright?", "bright"),
        ("What is the light level?", "light"),
        ("How dark is it?", "light"),
        ("Is the picture overexposed?", "no"),
        ("Is this photo in color?", "yes"),
        ("Is the photo black and white?", "no"),
        # No lines, a lamp or the sun, no up and down.
        ("Is the photo tilted?", None),
        ("Is the photo straight?", None),
        ("Is the light on?", None),
        ("Are the lights on or off?", None),
        ("Is the picture upside down?", None),
    ],
)
def test_the_photo_itself(eyes: Eyes, question: str, answer: str | None) -> None:
    # A plain wall: light and coloured, and nothing in it is sharp.
    found = ask_about(Painted(), question)
    assert [region.shape.xyxy for region in found.candidates] == [(0, 0, 300, 200)]
    assert (found.answer, found.status) == (answer, "ok")
    assert bool(found.reason) == (answer is None)


@pytest.mark.parametrize(
    "question", ["Is the knife sharp?", "Is this sharp?", "Is my shirt light or dark?", "Is this straight?"]
)
def test_a_thing_is_not_taken_for_the_photo(eyes: Eyes, monkeypatch: pytest.MonkeyPatch, question: str) -> None:
    stands_out(monkeypatch, (100, 100, 200, 200))
    found = ask_about(Painted(), question)
    assert found.answer is None
    assert (0, 0, 300, 200) not in [region.shape.xyxy for region in found.candidates]


@pytest.mark.parametrize(
    ("question", "level", "tipped"),
    [("Is the photo tilted?", "no", "yes"), ("Is this picture straight?", "yes", "no")],
)
def test_lines_tell_whether_a_photo_is_tilted(eyes: Eyes, question: str, level: str, tipped: str) -> None:
    bars = {(0, y, 300, y + 10): BLUE for y in range(5, 200, 30)}
    assert ask_about(Painted(bars), question).answer == level
    assert ask_about(Turned(bars), question).answer == tipped


def test_a_black_photo_is_dark(eyes: Eyes) -> None:
    night = Painted(wall=(5, 5, 8))
    answers = {
        "Is it dark in here?": "yes",
        "Is it bright in here?": "no",
        "Is the room light or dark?": "dark",
        "What is the light level?": "dark",
        "Is the light on?": None,
    }
    assert {question: ask_about(night, question).answer for question in answers} == answers
    assert ask_about(night, "Is the light on?").reason == (
        "The photo is dark; whether a lamp is on, pocket cannot tell."
    )


def test_which_of_two_kinds_it_is(dog: Eyes) -> None:
    found = ask("Is this a cat or a dog?")
    assert (found.answer, found.reason) == ("dog", None)
    dog.things.append(("cat", 0.6, (60, 60, 110, 110)))
    found = ask("Is there a dog or a cat?")
    assert (found.answer, found.reason) == ("cat", "pocket sees a dog as well.")
    assert [region.label for region in found.candidates] == ["cat", "dog"]
    # What looks like both is one thing.
    dog.things[-1] = ("cat", 0.6, (0, 0, 50, 48))
    found = ask("Is there a dog or a cat?")
    assert (found.answer, found.reason, len(found.candidates)) == ("cat", None, 1)
    found = ask("Is this a horse or a cow?")
    assert (found.answer, found.status) == ("neither", "no_region")


@pytest.mark.parametrize("question", ["How old is the dog?", "Is the dog wet or dry?", "Is the dog a boy or a girl?"])
def test_another_attribute_is_where_one_would_look(dog: Eyes, question: str) -> None:
    found = ask(question)
    assert (found.answer, found.status) == (None, "ok")
    assert found.final is not None
    assert found.final.label == "dog"
    assert found.reason == "pocket cannot tell this; this is where one would look."


def test_an_attribute_of_nothing(dog: Eyes) -> None:
    assert ask("Why so late?").reason == "pocket cannot tell this from the photo."
    assert ask("How old is the cat?").reason == "pocket looked for a cat and did not find one."


@pytest.mark.parametrize("kind", phrase_book().things)
def test_every_kind_can_be_asked_for(kind: str) -> None:
    name = phrase_book().things[kind].display
    article = "an" if name[0] in "aeiou" else "a"
    for question in (f"Is there {article} {name}?", f"Do you see any {name} here?"):
        claim = claim_of(understand(question)[0])
        assert claim.thing.kinds == (kind,)
        assert claim.thing.exact
        assert claim.presence
        assert (claim.rest, claim.colours, claim.number) == (frozenset(), (), None)
