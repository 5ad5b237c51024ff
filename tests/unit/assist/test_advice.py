"""What is wrong with a photo where it matters."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import PIL.Image
import pytest

from foveate.assist.advice import Wants, after, before, wants_of
from foveate.assist.certainty import Word
from foveate.assist.place import place_of
from foveate.core.regions import Box
from foveate.perception.photo_quality import PhotoQuality, photo_quality
from tests.helpers import SHARED, needs_shared
from tests.unit.assist.made import BLURRED, DARK, GOOD

TEXT, COLOUR, NEITHER = Wants(True, False), Wants(False, True), Wants(False, False)
BRIGHT, GREY = replace(GOOD, blown_out=0.6), replace(GOOD, grey=True)
BLANK = replace(GOOD, sharpness=0.0)
TILTED = replace(GOOD, tilted_degrees=13.2)


def kinds(
    wants: Wants,
    quality: PhotoQuality,
    *,
    refused: bool = False,
    word: Word = "very",
    box: tuple[float, float, float, float] | None = None,
) -> list[str]:
    place = place_of(Box(box), (100, 100)) if box else None
    return [each.kind for each in after(wants, quality, missing=refused, word=word, place=place)]


@pytest.mark.parametrize(
    ("quality", "said"),
    [
        (GOOD, []),
        (DARK, ["The photo is very dark; turn on a light or the flash, and try again."]),
        (BLURRED, ["The photo is very blurred; hold still and try again."]),
        (GREY, []),
        # Where no edge can be seen there is one thing to say, and nobody is told to hold a photo of a wall still.
        (BLANK, ["Nothing can be made out in the photo; see that nothing covers the lens, hold still, and try again."]),
        (
            replace(BLANK, blown_out=1.0),
            ["The photo is much too bright; turn away from the light, and try again."],
        ),
        (TILTED, ["The photo is tilted by about 15 degrees; turn the top of the camera to the right."]),
        (
            replace(BLURRED, blown_out=0.6, tilted_degrees=-6.0),
            [
                "The photo is very blurred; hold still and try again.",
                "The photo is much too bright; turn away from the light, and try again.",
            ],
        ),
    ],
)
def test_advice_before_the_answer(quality: PhotoQuality, said: list[str]) -> None:
    assert [each.said for each in before(quality)] == said


def test_light_and_sharpness_matter_to_text_and_to_what_is_missing_or_doubtful() -> None:
    blurred_and_dark = replace(DARK, sharpness=0.3)
    assert kinds(TEXT, blurred_and_dark) == kinds(NEITHER, blurred_and_dark, refused=True) == ["dark", "blurred"]
    assert kinds(NEITHER, DARK, word="guess") == ["dark"]
    assert kinds(NEITHER, blurred_and_dark) == kinds(COLOUR, blurred_and_dark) == []


@pytest.mark.parametrize(
    ("colour", "kind"),
    [
        ((255, 0, 0), "nothing"),
        ((0, 0, 255), "nothing"),
        ((128, 128, 128), "nothing"),
        ((255, 255, 255), "bright"),
        ((0, 0, 0), "dark"),
        ((90, 0, 0), "dark"),
    ],
)
def test_a_photo_of_one_colour_has_one_thing_wrong_with_it(colour: tuple[int, int, int], kind: str) -> None:
    quality = photo_quality(np.full((60, 80, 3), colour, dtype=np.uint8))
    assert [each.kind for each in before(quality)] == [kind]
    assert kinds(NEITHER, quality, refused=True) == kinds(TEXT, quality) == [kind]
    # Its colour can be told, unless it is too dark for that, or too bright.
    flaws = {kind} - {"nothing"} | ({"grey"} if quality.grey else set())
    assert set(kinds(COLOUR, quality, word="unmeasured")) == flaws


def test_tilt_matters_to_text_and_grey_to_colours_alone() -> None:
    quality = replace(TILTED, grey=True)
    assert (kinds(TEXT, quality), kinds(COLOUR, quality), kinds(NEITHER, quality)) == (["tilted"], ["grey"], [])


@pytest.mark.parametrize(
    ("box", "said"),
    [
        ((0, 30, 20, 70), "a little to the left."),
        ((30, 0, 70, 20), "a little up."),
        ((80, 70, 100, 100), "a little down and to the right."),
        ((0, 30, 100, 70), "move the camera a little back."),
    ],
)
def test_what_is_cut_off_is_where_the_camera_turns(box: tuple[float, float, float, float], said: str) -> None:
    (advice,) = after(TEXT, GOOD, missing=False, word="very", place=place_of(Box(box), (100, 100)))
    assert advice.said.startswith("To get all of it in, ")
    assert advice.said.endswith(said)


def test_cut_off_matters_to_text_and_to_what_is_not_very_sure() -> None:
    left, all_of_it = (0, 30, 20, 70), (0, 0, 100, 100)
    assert kinds(NEITHER, GOOD, box=left) == []
    assert kinds(NEITHER, GOOD, box=left, word="unmeasured") == ["cut_off"]
    assert kinds(TEXT, GOOD, box=all_of_it) == []
    assert kinds(TEXT, replace(BLURRED, tilted_degrees=9.0), box=left) == ["blurred", "cut_off"]
    assert kinds(TEXT, replace(TILTED, blown_out=0.5), box=left) == ["cut_off", "bright"]


@pytest.mark.parametrize(
    ("question", "wants"),
    [
        ("What does it say?", TEXT),
        ("What color is my shirt?", COLOUR),
        ("Where is the cup?", NEITHER),
        ("What colour is it, and what does the label say?", Wants(True, True)),
    ],
)
def test_what_a_question_needs(question: str, wants: Wants) -> None:
    assert wants_of(question) == wants


@needs_shared
def test_the_camera_is_turned_against_the_tilt_of_a_real_photo() -> None:
    # Turned clockwise by hand, the photo is one of a camera that leant to the left: its top goes to the right.
    photo = PIL.Image.open(SHARED / "coco" / "images" / "000000002881.jpg").convert("RGB")
    for degrees, way in ((12, "right"), (-12, "left")):
        turned = photo.rotate(-degrees, resample=PIL.Image.Resampling.BICUBIC)
        width, height = turned.size
        middle = turned.crop((width // 5, height // 5, width * 4 // 5, height * 4 // 5))
        (advice,) = (each for each in before(photo_quality(np.asarray(middle))) if each.kind == "tilted")
        assert advice.said == f"The photo is tilted by about 10 degrees; turn the top of the camera to the {way}."
