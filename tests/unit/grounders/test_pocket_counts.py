from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.core.regions import Mask
from foveate.core.rle import area
from foveate.grounders._pocket import instances
from foveate.grounders._pocket.instances import PRESENT
from foveate.grounders._pocket.named import named
from tests.unit.grounders.eyes import SIZE, Eyes, ask, chance_of, open_eyes, score_of
from tests.unit.grounders.painted import BLUE, RED, Painted
from tests.unit.grounders.painted import ask as ask_about


def test_things_are_counted_and_each_is_a_candidate(eyes: Eyes) -> None:
    eyes.things = [("dog", 0.9 - n / 10, (40 * n, 0, 40 * n + 30, 30)) for n in range(7)]
    found = ask("How many dogs are there?")
    assert (found.answer, found.status) == ("7", "ok")
    assert len(found.candidates) == 8
    assert found.final is not None
    # Together they cover seven boxes of 30 x 30.
    assert isinstance(found.final.shape, Mask)
    assert area(found.final.shape.encoded) == 7 * 900
    assert found.reason == "There may be more that pocket does not see clearly."


def test_specks_smaller_than_a_pixel_are_counted_too(eyes: Eyes) -> None:
    eyes.things = [("kite", 0.9, (10.6, 10.6, 10.9, 10.9)), ("kite", 0.8, (20.6, 20.6, 20.9, 20.9))]
    found = ask("How many kites are there?")
    assert (found.answer, len(found.candidates)) == ("2", 3)


def test_one_thing_is_its_own_region(eyes: Eyes) -> None:
    eyes.things = [("dog", 0.05, (0, 0, 30, 30)), ("dog", 0.04, (100, 0, 130, 30))]
    found = ask("How many dogs are there?")
    # The first is believed as soon as it is found at all, a further one not.
    assert (found.answer, len(found.candidates), found.reason) == ("1", 1, None)
    assert found.final is not None
    assert found.final.shape.xyxy == (0, 0, 30, 30)


def test_a_part_of_a_thing_is_not_another(eyes: Eyes) -> None:
    eyes.things = [("dog", 0.9, (0, 0, 100, 100)), ("dog", 0.5, (10, 10, 60, 60)), ("dog", 0.4, (80, 0, 180, 100))]
    assert ask("How many dogs are there?").answer == "2"


def test_one_place_is_counted_once_whatever_it_may_be(eyes: Eyes) -> None:
    eyes.things = [("car", 0.6, (0, 0, 100, 100)), ("truck", 0.5, (0, 0, 100, 95)), ("bus", 0.4, (150, 0, 250, 90))]
    assert ask("How many vehicles are there?").answer == "2"
    assert ask("How many trucks are there?").answer == "1"


def test_none_found_is_zero_only_for_a_whole_kind(eyes: Eyes) -> None:
    found = ask("How many dogs are there?")
    assert (found.answer, found.status) == ("0", "no_region")
    assert found.reason == "pocket looked for dogs and did not find any."
    # There are other animals than the ten kinds.
    assert ask("How many animals are there?").answer is None
    assert ask("How many puppies are there?").answer is None


def test_one_sort_of_a_kind_is_not_counted(eyes: Eyes) -> None:
    eyes.things = [("person", 0.9, (0, 0, 30, 30))]
    found = ask("How many women are there?")
    assert (found.answer, found.answer_score, found.status) == (None, None, "ok")
    assert found.reason == "pocket sees 1 person here, and cannot tell women from others."


def test_a_thing_that_is_not_known_is_not_counted(eyes: Eyes) -> None:
    eyes.things = [("motorbike", 0.9, (0, 0, 30, 30))]
    found = ask("How many wheels does the motorcycle have?")
    assert (found.answer, found.status) == (None, "no_region")
    assert found.reason == '"wheels" is none of the 80 kinds of thing that pocket finds.'
    assert ask("How many?").reason == "pocket does not know what to count."


def test_what_is_not_surely_there_is_none_for_both_who_count_and_who_ask_whether(eyes: Eyes) -> None:
    eyes.things = [("dog", PRESENT, (0, 0, 30, 30))]
    assert (ask("Is there a dog?").answer, ask("How many dogs are there?").answer) == ("yes", "1")
    eyes.things = [("dog", PRESENT - 0.001, (0, 0, 30, 30))]
    found = ask("How many dogs are there?")
    assert (ask("Is there a dog?").answer, found.answer, found.status) == ("no", "0", "no_region")
    assert found.reason == "pocket is not sure that there are any dogs."


@given(st.floats(0.001, 0.2), st.floats(0.001, 0.2))
def test_no_goes_with_none(dog: float, other: float) -> None:
    eyes = Eyes(things=[("dog", dog, (0, 0, 30, 30)), ("dog", other, (100, 0, 130, 30)), ("cat", 0.3, (0, 0, 30, 30))])
    with pytest.MonkeyPatch.context() as patch:
        open_eyes(eyes, patch)
        assert (ask("Is there a dog?").answer == "no") == (ask("How many dogs are there?").answer == "0")


def test_a_number_is_no_surer_than_that_the_thing_is_there(eyes: Eyes) -> None:
    eyes.things = [("dog", 0.05, (0, 0, 30, 30))]
    surely = score_of(chance_of(eyes, "dog"))
    assert surely < 0.81
    assert ask("How many dogs are there?").answer_score == pytest.approx(surely)
    eyes.things = [("dog", 0.9, (0, 0, 30, 30))]
    assert ask("How many dogs are there?").answer_score == 0.81
    assert ask("How many dogs are asleep?").answer_score is None


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("How many dogs and cats are there?", "3", "pocket counts 2 dogs and 1 cat."),
        ("How many horses, dogs and cats do you see?", "3", "pocket counts no horses, 2 dogs and 1 cat."),
        ("How many horses and dogs?", "2", "pocket counts no horses and 2 dogs."),
        ("In the picture, how many dogs are there?", "2", "There may be more that pocket does not see clearly."),
        ("How many dogs and puppies are there?", None, None),
        ("How many dogs and wheels are there?", None, None),
        ("How many dogs and cats are asleep?", None, None),
    ],
)
def test_joined_kinds_are_counted_together(eyes: Eyes, question: str, answer: str | None, reason: str | None) -> None:
    eyes.things = [("dog", 0.9, (0, 0, 30, 30)), ("dog", 0.8, (50, 0, 80, 30)), ("cat", 0.7, (100, 0, 130, 30))]
    found = ask(question)
    assert found.answer == answer
    assert reason in {None, found.reason}


def test_joined_kinds_of_which_there_are_none(eyes: Eyes) -> None:
    found = ask("How many cats and dogs are there?")
    assert (found.answer, found.status) == ("0", "no_region")
    assert found.reason == "pocket counts no cats and no dogs."


def test_which_of_them_is_not_told(eyes: Eyes) -> None:
    eyes.things = [("person", 0.9, (0, 0, 30, 30)), ("person", 0.8, (100, 0, 130, 30))]
    for question in ("How many people are wearing hats?", "How many tall people are there?"):
        found = ask(question)
        assert (found.answer, found.status) == (None, "ok")
        assert found.reason == "pocket sees 2 here, and cannot tell how many of these are meant."


def test_things_of_a_colour_are_counted(eyes: Eyes) -> None:
    first, second = (0, 0, 60, 60), (100, 0, 160, 60)
    eyes.things = [("car", 0.9, first), ("car", 0.8, second)]
    photo = Painted({first: RED, second: BLUE})
    assert ask_about(photo, "How many red cars are there?").answer == "1"
    assert ask_about(photo, "How many cars are there?").answer == "2"


def test_the_last_noun_says_what_a_thing_is() -> None:
    assert named("dog bowl").kinds == ()
    assert named("stop sign").kinds == ("stop sign",)
    assert named("glass").kinds == ("wine glass", "cup")
    assert named("small white dogs") == named("dogs").__class__("dogs", ("small", "white"), ("dog",), exact=True)
    assert named("anyone").kinds == ("person",)
    assert not named("police car").exact
    assert named("") == named("").__class__("")


boxes = st.lists(
    st.tuples(st.integers(0, 250), st.integers(0, 150), st.integers(10, 50), st.integers(10, 50), st.floats(0.01, 1.0)),
    max_size=12,
)


@given(boxes)
def test_no_counted_thing_lies_in_another(raw: list[tuple[int, int, int, int, float]]) -> None:
    ordered = sorted(raw, key=lambda box: -box[4])
    xyxy = np.array([(x, y, x + w, y + h) for x, y, w, h, _ in ordered], dtype=np.float64).reshape(-1, 4)
    kept = instances._apart(xyxy)
    assert kept[:1] == list(range(len(raw)))[:1]
    for place, row in enumerate(kept):
        others = xyxy[[other for at, other in enumerate(kept) if at != place]]
        assert (instances._inside(xyxy[row], others) < 0.9).all()


@given(boxes)
def test_the_count_is_the_number_of_candidates(raw: list[tuple[int, int, int, int, float]]) -> None:
    eyes = Eyes(things=[("dog", score, (x, y, x + w, y + h)) for x, y, w, h, score in raw])
    with pytest.MonkeyPatch.context() as patch:
        open_eyes(eyes, patch)
        found = ask("How many dogs are there?")
    count = int(found.answer or 0)
    assert len(found.candidates) == (count + 1 if count > 1 else count)
    assert found.size_hw == SIZE
