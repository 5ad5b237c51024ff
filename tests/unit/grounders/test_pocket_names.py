from __future__ import annotations

import pytest

from foveate.grounders._pocket.meant import GUESS
from foveate.grounders._pocket.names import group_of
from foveate.perception.questions import understand
from tests.unit.grounders.eyes import SIZE, Eyes, ask, chance_of, line

SMALL, LARGE = (50.0, 0.0, 56.0, 6.0), (50.0, 0.0, 250.0, 190.0)
WHOLE = (0.0, 0.0, 300.0, 200.0)


def test_a_name_of_imagenet_in_plain_words_with_the_detectors_box(eyes: Eyes) -> None:
    eyes.names = [("Egyptian cat", 0.5), ("tabby", 0.3), ("lynx", 0.1)]
    eyes.things = [("cat", 0.05, LARGE)]
    found = ask("What is this?")
    assert (found.status, found.answer, found.reason) == ("ok", "cat", None)
    assert found.final is not None
    assert found.final.shape.xyxy == LARGE
    assert found.final.label == "cat"
    # Both say so: 1 - (1 - 0.8) (1 - chance (200 * 190 / 60000) ** 0.25)
    assert found.answer_score == pytest.approx(1 - 0.2 * (1 - chance_of(eyes, "cat") * (38000 / 60000) ** 0.25))


def test_a_thing_that_the_detector_does_not_know_is_where_the_photo_stands_out(eyes: Eyes) -> None:
    eyes.names, eyes.salient = [("daisy", 0.7)], (30.0, 20.0, 90.0, 90.0)
    found = ask("What is this?")
    assert found.answer == "daisy"
    assert found.answer_score == pytest.approx(0.55 * 0.7)
    assert found.final is not None
    assert found.final.shape.xyxy == (30.0, 20.0, 90.0, 90.0)
    assert "what stands out most" in (found.reason or "")


def test_what_has_no_sure_name_is_shown_all_the_same(eyes: Eyes) -> None:
    eyes.names, eyes.salient = [("daisy", 0.3)], (30.0, 20.0, 90.0, 90.0)
    found = ask("What is this?")
    assert (found.answer, found.status, found.answer_score) == (None, "ok", None)
    assert found.final is not None
    assert found.final.shape.xyxy == (30.0, 20.0, 90.0, 90.0)
    assert found.final.score == GUESS
    assert "not sure what this is" in (found.reason or "")
    # A speck is nothing to show: here 1 % of the photo.
    eyes.salient = (30.0, 20.0, 60.0, 40.0)
    assert ask("What is this?").status == "no_region"


def test_the_finer_name_is_said_only_where_it_is_sure_by_itself(eyes: Eyes) -> None:
    eyes.names = [("moped", 0.3), ("motor scooter", 0.3)]
    assert ask("What is this?").answer == "motorcycle"
    eyes.names = [("moped", 0.5)]
    assert ask("What is this?").answer == "moped"


def test_a_name_that_is_not_sure_is_not_said(eyes: Eyes) -> None:
    eyes.names = [("daisy", 0.39)]
    assert ask("What is this?").status == "no_region"
    eyes.names = [("daisy", 0.41)]
    assert ask("What is this?").answer == "daisy"


def test_the_surer_of_detector_and_imagenet_has_the_word(eyes: Eyes) -> None:
    eyes.things = [("wine glass", 0.9, SMALL)]
    eyes.names = [("pizza", 0.8)]
    assert ask("What is this?").answer == "pizza"
    eyes.things = [("wine glass", 0.95, LARGE)]
    assert ask("What is this?").answer == "wine glass"


def test_a_large_person_goes_before_what_they_wear(eyes: Eyes) -> None:
    eyes.names = [("cowboy hat", 0.9)]
    eyes.things = [("person", 0.3, LARGE)]
    assert ask("What is this?").answer == "person"
    eyes.things = [("person", 0.3, SMALL)]
    assert ask("What is this?").answer == "cowboy hat"


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        ([], "bottle"),
        ([line("Tomato", (60, 50, 120, 70)), line("and basil", (60, 80, 130, 90))], "bottle: Tomato and basil"),
        ([line("EXIT", (0, 0, 40, 20))], "bottle"),
        ([line(" ".join(["word"] * 14), (60, 50, 240, 70))], f"bottle: {' '.join(['word'] * 12)} …"),
    ],
)
def test_a_bottle_says_what_stands_on_it(eyes: Eyes, lines: list[object], answer: str) -> None:
    eyes.things = [("bottle", 0.8, LARGE)]
    eyes.lines = lines  # type: ignore[assignment]
    assert ask("What is this?").answer == answer


def test_a_cat_is_not_read(eyes: Eyes) -> None:
    eyes.things = [("cat", 0.8, LARGE)]
    eyes.lines = [line("Tomato", (60, 50, 120, 70))]
    assert ask("What is this?").answer == "cat"
    assert eyes.reads == 0


def test_candidates_fall_and_do_not_repeat_the_first(eyes: Eyes) -> None:
    beside = (0.0, 0.0, 40.0, 40.0)
    eyes.things = [("cat", 0.9, LARGE), ("dog", 0.6, (*LARGE[:3], 180.0)), ("bottle", 0.6, beside)]
    eyes.names = [("tabby", 0.9)]
    found = ask("What is this?")
    assert [(each.label, each.shape.xyxy) for each in found.candidates] == [("cat", LARGE), ("bottle", beside)]
    scores = [each.score or 0.0 for each in found.candidates]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    ("question", "group"),
    [
        ("What animal is this?", "animal"),
        ("What kind of fruit is this?", "fruit"),
        ("What vehicle is this?", "vehicl"),
        ("Which animal barks?", ""),
        ("What is this?", ""),
        ("Where is the animal?", ""),
        ("What building is that?", "building"),
    ],
)
def test_the_group_that_a_question_names(question: str, group: str) -> None:
    assert group_of(understand(question)[0]) == group


def test_a_question_for_an_animal_takes_the_likeliest_animal_even_if_faint(eyes: Eyes) -> None:
    eyes.names = [("studio couch", 0.7), ("tiger", 0.1)]
    eyes.things = [("sofa", 0.9, LARGE), ("cat", 0.08, SMALL)]
    assert ask("What animal is this?").answer == "animal"
    eyes.names = [("studio couch", 0.7)]
    eyes.things = [("sofa", 0.9, LARGE), ("cat", 0.08, LARGE)]
    assert ask("What animal is this?").answer == "cat"
    # The sofa is no animal, and so no candidate.
    beside = (0.0, 0.0, 40.0, 40.0)
    eyes.things = [("sofa", 0.5, LARGE), ("cat", 0.08, LARGE), ("dog", 0.07, beside), ("cow", 0.06, (1.0, 0, 40, 40))]
    assert [each.label for each in ask("What animal is this?").candidates] == ["cat", "dog"]
    eyes.things = [("sofa", 0.9, LARGE), ("cat", 0.01, LARGE)]
    found = ask("What animal is this?")
    assert (found.status, found.reason) == ("no_region", "pocket is not sure of any animal in this photo.")


def test_a_thing_beyond_the_80_kinds_is_spotted(eyes: Eyes) -> None:
    eyes.spots = {"crash helmet": ((1, 2), 0.6), "football helmet": ((1, 2), 0.2)}
    found = ask("Where is the helmet?")
    assert (found.status, found.answer) == ("ok", "helmet")
    assert found.answer_score == pytest.approx(0.8, abs=1e-4)
    assert found.final is not None
    left, top, right, bottom = found.final.shape.xyxy
    # The place of row 1 and column 2 of 4 x 6 lies there.
    assert left < 125 < right
    assert top < 75 < bottom
    assert right - left < SIZE[1] / 2


def test_a_thing_that_is_hardly_likely_is_not_spotted(eyes: Eyes) -> None:
    eyes.spots = {"crash helmet": ((1, 2), 0.49)}
    found = ask("Where is the helmet?")
    assert (found.status, found.reason) == ("no_region", "pocket looked for a helmet and did not find one.")


def test_a_thing_that_is_named_is_not_taken_for_another_with_its_use(eyes: Eyes) -> None:
    eyes.things = [("motorbike", 0.9, LARGE)]
    assert ask("Where is the helmet?").reason == "pocket looked for a helmet and did not find one."
    assert ask("Where is the motorcycle?").status == "ok"


def test_words_in_the_photo_come_after_what_is_spotted(eyes: Eyes) -> None:
    eyes.lines = [line("HELMET SHOP", (0, 30, 120, 50))]
    assert ask("Where is the helmet?").answer == "HELMET SHOP"
    eyes.spots = {"crash helmet": ((1, 2), 0.9)}
    assert ask("Where is the helmet?").answer == "helmet"


def test_a_name_without_a_place_gives_way_to_a_thing_that_is_surely_there(eyes: Eyes) -> None:
    eyes.things, eyes.names, eyes.salient = [("bed", 0.6, LARGE)], [("table lamp", 0.95)], LARGE
    found = ask("What is this?")
    assert (found.answer, found.candidates[0].label, found.candidates[0].shape.xyxy) == ("bed", "bed", LARGE)


def test_a_name_does_not_outline_what_the_detector_takes_for_another(eyes: Eyes) -> None:
    """The faint bed stands out; that the photo is called a lamp does not make it one."""
    eyes.things, eyes.names, eyes.salient = [("bed", 0.015, LARGE)], [("table lamp", 0.95)], LARGE
    assert 0.25 <= chance_of(eyes, "bed") < 0.5
    found = ask("What is this?")
    assert found.final is not None
    assert found.final.shape.xyxy == (0.0, 0.0, 300.0, 200.0)
    assert found.reason == "The name is that of the photo as a whole; pocket cannot tell the place."
    eyes.things = []
    found = ask("What is this?")
    assert found.final is not None
    assert found.final.shape.xyxy == LARGE


def test_who_is_a_person_or_nobody(eyes: Eyes) -> None:
    eyes.things = [("bottle", 0.9, LARGE)]
    assert ask("Who is this?").reason == "pocket is not sure of any person in this photo."
    eyes.things = [("bottle", 0.9, LARGE), ("person", 0.8, (200.0, 0.0, 290.0, 190.0))]
    found = ask("Who is this?")
    assert (found.answer, found.reason) == ("person", "pocket cannot tell who it is.")


@pytest.mark.parametrize("group", ["food", "animal", "vehicle", "fruit", "furniture"])
def test_a_group_is_named_or_refused_whatever_is_written(eyes: Eyes, group: str) -> None:
    kind = {"food": "pizza", "animal": "cat", "vehicle": "bus", "fruit": "apple", "furniture": "chair"}[group]
    eyes.lines = [line("OPEN", (0, 0, 90, 20))]
    assert ask(f"What {group} is this?").reason == f"pocket is not sure of any {group} in this photo."
    eyes.things = [(kind, 0.8, LARGE)]
    assert ask(f"What {group} is this?").answer == kind


def test_which_kind_of_food_is_read_or_seen(eyes: Eyes) -> None:
    eyes.things = [("pizza", 0.8, LARGE)]
    assert ask("What kind of food is this?").answer == "pizza"
    eyes.lines = [line("Tomato soup", (0, 0, 90, 20))]
    assert ask("What kind of food is this?").answer == "Tomato soup"
