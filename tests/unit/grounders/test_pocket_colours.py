from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from foveate.core.regions import Box, Mask, Region
from foveate.core.rle import encode
from foveate.grounders._pocket.colour_words import colours_in, has_colour, may_be
from foveate.grounders._pocket.meant import pixels_of
from foveate.grounders._pocket.seen import Seen
from foveate.perception import mask_in_box
from tests.unit.grounders.eyes import SIZE, Eyes, filled
from tests.unit.grounders.painted import BLUE, GREY, RED, WHITE, Painted, ask, stands_out

CAR = (100, 50, 200, 150)
RED_CAR = Painted({CAR: RED})


@pytest.fixture
def car(eyes: Eyes) -> Eyes:
    eyes.things = [("car", 0.5, CAR), ("cat", 0.2, (0, 0, 40, 40))]
    return eyes


def test_the_colour_of_the_thing_that_is_named_with_its_place(car: Eyes) -> None:
    found = ask(RED_CAR, "What color is the car?")
    assert (found.status, found.answer, found.reason) == ("ok", "red", None)
    assert found.final is not None
    assert found.final.shape.xyxy == CAR


def test_two_colours_where_the_second_is_large(car: Eyes) -> None:
    photo = Painted({CAR: RED, (100, 95, 200, 150): WHITE})
    # White counts a third, of five ninths of the central part: 0.3 of the sum at most.
    assert ask(photo, "What colors is the car?").answer == "red and white"
    assert ask(Painted({CAR: RED, (100, 100, 200, 150): BLUE}), "What color is the car?").answer in {
        "red and blue",
        "blue and red",
    }


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is the car red or blue?", "red"),
        ("Is the car blue or dark red?", "dark red"),
        ("Is the car green or blue?", "neither, red"),
        # In poor light a red thing looks brown, so that brown is nearer than white.
        ("Is the car white or brown?", "brown"),
    ],
)
def test_a_choice_is_made_among_the_offered_colours(car: Eyes, question: str, answer: str) -> None:
    assert ask(RED_CAR, question).answer == answer


def test_this_is_the_main_thing(car: Eyes) -> None:
    found = ask(RED_CAR, "What color is this?")
    assert found.answer == "red"
    assert found.final is not None
    assert found.final.label == "car"


def test_this_is_what_stands_out_where_the_detector_is_not_sure(eyes: Eyes, monkeypatch: pytest.MonkeyPatch) -> None:
    stands_out(monkeypatch, (0, 0, 30, 30), (150, 80, 250, 180))
    found = ask(Painted({(150, 80, 250, 180): BLUE}), "What color is this?")
    assert found.answer == "blue"
    assert [(region.shape.xyxy, region.score) for region in found.candidates] == [((150, 80, 250, 180), 0.1)]
    assert found.reason == "pocket is not sure what this is; it took what stands out in the photo."


def test_this_is_the_whole_photo_where_only_a_speck_stands_out(eyes: Eyes, monkeypatch: pytest.MonkeyPatch) -> None:
    # 30 x 30 of 200 x 300 are 1.5 %.
    stands_out(monkeypatch, (0, 0, 30, 30))
    found = ask(Painted(), "What color is this?")
    assert found.answer == "green"
    assert [region.shape.xyxy for region in found.candidates] == [(0, 0, 300, 200)]
    assert found.reason is not None
    assert "nothing stands out" in found.reason


def test_a_thing_that_is_not_known_is_never_replaced_by_another(car: Eyes) -> None:
    for words in ("fuel tank", "cat's eyes"):
        found = ask(RED_CAR, f"What color is the {words}?")
        assert (found.status, found.answer) == ("no_region", None)
        assert "none of the 80 kinds" in (found.reason or "")
    # ImageNet knows roofs, but sees none here.
    found = ask(RED_CAR, "What color is the car's roof?")
    assert (found.status, found.reason) == ("no_region", "pocket looked for car roof and did not find one.")
    assert ask(RED_CAR, "What color is the dog?").reason == "pocket looked for a dog and did not find one."


def test_a_thing_that_is_held_up_is_what_stands_out(car: Eyes, monkeypatch: pytest.MonkeyPatch) -> None:
    stands_out(monkeypatch, (150, 80, 250, 180))
    photo = Painted({CAR: RED, (150, 80, 250, 180): BLUE})
    for question in ("What color is this shirt?", "What color is my shirt?", "Is this shirt blue or red?"):
        found = ask(photo, question)
        assert found.answer == "blue"
        assert found.reason == 'pocket does not know "shirt"; it took what stands out in the photo.'


def test_a_photo_without_colours_is_said_to_have_none(car: Eyes) -> None:
    found = ask(Painted({CAR: GREY}, wall=(200, 200, 200)), "What color is the car?")
    assert (found.status, found.answer) == ("ok", None)
    assert found.reason == "This photo has no colours; this is where one would look."


def test_colours_of_things_are_not_compared(car: Eyes) -> None:
    found = ask(RED_CAR, "Are these cars the same color?")
    assert (found.answer, found.status) == (None, "ok")
    assert found.reason is not None
    assert "does not compare" in found.reason


@pytest.mark.parametrize(
    ("question", "answer", "status"),
    [
        ("Is the car red?", "yes", "ok"),
        ("Is this car blue?", "no", "ok"),
        ("Is there a red car?", "yes", "ok"),
        ("Is there a blue car?", "no", "no_region"),
        ("Is this red?", "yes", "ok"),
        ("Is it burgundy?", "yes", "ok"),
        ("Is this light blue?", "no", "ok"),
        # In poor light: not known.
        ("Is the car brown?", None, "ok"),
        # The colour of nothing.
        ("Is the dog red?", None, "no_region"),
        ("Is the red car clean?", None, "ok"),
    ],
)
def test_yes_or_no_by_colour(car: Eyes, question: str, answer: str | None, status: str) -> None:
    found = ask(RED_CAR, question)
    assert (found.answer, found.status) == (answer, status)


def test_any_of_several_may_be_the_red_one(eyes: Eyes) -> None:
    other = (0, 0, 60, 60)
    eyes.things = [("car", 0.9, other), ("car", 0.5, CAR)]
    found = ask(Painted({CAR: RED, other: BLUE}), "Is there a red car?")
    assert found.answer == "yes"
    assert found.final is not None
    assert found.final.shape.xyxy == CAR


def test_pixels_of_a_box_are_the_things_in_it_and_of_a_mask_its_own(
    eyes: Eyes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def upper_half(tokens: object, xyxy: tuple[float, float, float, float], image: object) -> NDArray[np.bool_]:
        return filled((xyxy[0], xyxy[1], xyxy[2], (xyxy[1] + xyxy[3]) / 2))

    monkeypatch.setattr(mask_in_box, "mask_in_box", upper_half)
    seen = Seen(Painted(), SIZE)
    rows, columns = np.nonzero(pixels_of(seen, Region(Box((100, 50, 200, 150)), 0.5)))
    assert (columns.min(), columns.max(), rows.min(), rows.max()) == (100, 199, 50, 99)
    mask = np.zeros(SIZE, dtype=bool)
    mask[3:5, 7:9] = True
    assert np.array_equal(pixels_of(seen, Region(Mask(encode(mask)), 0.5)), mask)


def test_the_fruit_is_no_colour() -> None:
    assert colours_in("is there an orange") == ()
    assert colours_in("is the cup orange") == ("orange",)


def test_words_for_colours_mean_the_names() -> None:
    shares = [("blue", 0.6), ("grey", 0.3), ("white", 0.1)]
    assert [word for word in ("navy", "teal", "silver", "red", "white") if has_colour(word, shares)] == [
        "navy",
        "teal",
        "silver",
    ]
    assert may_be("black", shares)
    assert not may_be("red", shares)
