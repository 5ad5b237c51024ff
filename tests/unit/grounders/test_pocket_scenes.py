from __future__ import annotations

import pytest

from foveate.grounders._pocket.listing import counted, listed, plural, shortened, with_article
from tests.unit.grounders.eyes import Eyes, ask, line

WHOLE = (0.0, 0.0, 300.0, 200.0)


def test_a_description_lists_what_is_surely_there_largest_first(eyes: Eyes) -> None:
    eyes.things = [
        ("frisbee", 0.9, (0, 0, 20, 20)),
        ("person", 0.8, (30, 0, 90, 190)),
        ("person", 0.5, (200, 0, 260, 190)),
        ("dog", 0.6, (100, 100, 180, 190)),
        ("cat", 0.02, (0, 100, 30, 190)),
    ]
    found = ask("What is in the picture?")
    assert (found.status, found.answer, found.reason) == (
        "ok",
        "at least two people, a dog and a frisbee",
        None,
    )
    assert found.final is not None
    assert found.final.shape.xyxy == WHOLE


def test_a_part_of_a_thing_and_another_name_for_it_are_not_counted(eyes: Eyes) -> None:
    eyes.things = [
        ("person", 0.8, (30, 0, 90, 190)),
        ("person", 0.5, (35, 10, 85, 60)),
        ("car", 0.7, (100, 100, 200, 190)),
        ("truck", 0.4, (100, 100, 200, 185)),
    ]
    assert ask("Describe this photo.").answer == "a person and a car"


def test_a_description_ends_with_the_main_things_name_and_the_text(eyes: Eyes) -> None:
    eyes.names = [("daisy", 0.8)]
    eyes.lines = [line("Open daily", (0, 0, 90, 20))]
    assert ask("What do you see?").answer == "a daisy and text: Open daily"
    eyes.things = [("car", 0.9, (0, 0, 290, 190))]
    eyes.names = [("cab", 0.8)]
    eyes.lines = []
    assert ask("What do you see?").answer == "a car"


def test_nothing_sure_says_so_about_the_whole_photo(eyes: Eyes) -> None:
    found = ask("What do you see?")
    assert (found.status, found.answer) == ("ok", None)
    assert "not sure of any thing" in (found.reason or "")
    assert found.final is not None
    assert found.final.shape.xyxy == WHOLE


@pytest.mark.parametrize(
    ("kind", "room"),
    [("toilet", "bathroom"), ("bed", "bedroom"), ("oven", "kitchen"), ("sofa", "living room"), ("dog", None)],
)
def test_a_room_by_what_stands_in_it(eyes: Eyes, kind: str, room: str | None) -> None:
    eyes.things = [(kind, 0.6, (0, 0, 90, 190))]
    found = ask("What room is this?")
    assert found.answer == room
    assert ("guessed" in (found.reason or "")) == (room is not None)
    assert found.final is not None
    assert found.final.shape.xyxy == WHOLE


def test_a_room_by_imagenets_name(eyes: Eyes) -> None:
    eyes.names = [("bathtub", 0.3), ("tub", 0.3)]
    assert ask("Where am I?").answer == "bathroom"


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("What's the weather like?", "weather"),
        ("Is it daytime?", "time of day"),
        ("Is it day or night?", "time of day"),
        ("What time of day is it?", "time of day"),
    ],
)
def test_what_cannot_be_told_is_not_answered(eyes: Eyes, question: str, reason: str) -> None:
    found = ask(question)
    assert (found.status, found.answer) == ("ok", None)
    assert reason in (found.reason or "")


def test_numbers_in_words() -> None:
    assert [counted("knife", count) for count in (1, 2, 3)] == ["a knife", "at least two knives", "several knives"]
    assert [plural(name) for name in ("person", "bus", "couch", "skis", "dog", "wine glass", "sheep")] == [
        *("people", "buses", "couches", "skis", "dogs", "wine glasses", "sheep")
    ]
    assert [with_article(name) for name in ("orange", "uniform", "umbrella", "scissors", "wine glass", "bus")] == [
        *("an orange", "a uniform", "an umbrella", "scissors", "a wine glass", "a bus")
    ]
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert (shortened("a b c", 3), shortened("a b c", 2)) == ("a b c", "a b …")
