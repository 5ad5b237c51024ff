from __future__ import annotations

import pytest

from tests.unit.grounders.eyes import Eyes, ask, line
from tests.unit.grounders.painted import Painted
from tests.unit.grounders.painted import ask as ask_about

DOG = (0.0, 0.0, 50.0, 50.0)


@pytest.fixture
def dog(eyes: Eyes) -> Eyes:
    eyes.things = [("dog", 0.5, DOG), ("person", 0.4, (100, 0, 150, 150)), ("person", 0.3, (200, 0, 250, 150))]
    return eyes


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Are there 2 people?", "yes"),
        ("Are there exactly two people?", "yes"),
        ("Is there only one person?", "no"),
        ("Are there at least two people?", "yes"),
        ("Are there at least three people?", "no"),
        ("Are there two or more people?", "yes"),
        ("Are there 3 or more people?", "no"),
        ("Are there fewer than two people?", "no"),
        ("Are there less than 3 people?", "yes"),
        ("Are there at most two people?", "yes"),
        ("Are there no more than two people?", "yes"),
        ("Are there zero people?", "no"),
        ("Are there zero cats?", "yes"),
        ("Are there fewer than five cats?", "yes"),
        ("Are there 1 cats?", "no"),
        # What is not told: one sort of a kind, several numbers, the rest.
        ("Are there two women?", None),
        ("Are there two kittens?", None),
        ("Are there two or three people?", None),
        ("Are there at most two tall cats?", None),
    ],
)
def test_numbers_in_other_words(dog: Eyes, question: str, answer: str | None) -> None:
    assert ask(question).answer == answer


@pytest.mark.parametrize(
    ("question", "answer", "status", "reason"),
    [
        ("Is there no dog?", None, "ok", "pocket sees a dog here."),
        ("Is this not a dog?", None, "ok", "pocket sees a dog here."),
        ("Do you see no dogs?", None, "ok", "pocket sees a dog here."),
        ("Is there nobody?", None, "ok", "pocket sees a person here."),
        ("Is no one there?", None, "ok", "pocket sees a person here."),
        ("Are there no cats?", "no cats", "no_region", "pocket looked for a cat and did not find one."),
        ("Is there no red cat?", "no red cat", "no_region", "pocket looked for a cat and did not find one."),
        ("Are there not two people?", None, "ok", "pocket counts 2."),
        ("Is there no text?", "no text", "no_region", "There is no text that pocket can read in this photo."),
        # These only sound so.
        ("Isn't there a dog?", "yes", "ok", None),
        ("Don't you see a dog?", "yes", "ok", None),
        ("Isn't this a cat?", "no", "no_region", "pocket looked for a cat and did not find one."),
    ],
)
def test_a_denial_is_never_answered_by_a_bare_yes_or_no(
    dog: Eyes, question: str, answer: str | None, status: str, reason: str | None
) -> None:
    found = ask(question)
    assert (found.answer, found.status, found.reason) == (answer, status, reason)


@pytest.mark.parametrize(
    "question", ["Is there a cat without a tail?", "Is there neither a cat nor a dog?", "Is the cat not asleep?"]
)
def test_of_a_part_that_denies_nothing_is_told(dog: Eyes, question: str) -> None:
    assert ask(question).answer is None


def test_text_and_photos_that_are_denied(eyes: Eyes) -> None:
    eyes.lines = [line("EXIT", (150, 60, 200, 80))]
    for question in ("Is there no text?", "Does it not say exit?"):
        found = ask(question)
        assert (found.answer, found.status, found.reason) == (None, "ok", "pocket reads this here.")
    assert ask("Does it not say stop?").answer is None
    # A plain wall is light and not sharp.
    assert ask_about(Painted(), "Is this photo not blurry?").answer == "blurry"
    assert ask_about(Painted(), "Is the picture not too dark?").answer == "not dark"
