"""Places in words."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.assist.place import SIDES, Place, place_of
from foveate.assist.placing import SIDE_WORDS, SIZE_WORDS, STYLES, Style, joined, size_words, told
from foveate.core.regions import Box, Mask
from foveate.core.rle import MaskArray, encode
from tests.unit.assist.test_place import MIRRORED, regions


def box(*xyxy: float) -> Place:
    return place_of(Box((xyxy[0], xyxy[1], xyxy[2], xyxy[3])), (100, 100))


def three_parts() -> Place:
    mask = np.zeros((100, 200), dtype=bool)
    mask[10:20, 12:22] = mask[80:94, 150:180] = mask[45:55, 90:110] = True
    return place_of(Mask(encode(mask)), (100, 200))


@pytest.mark.parametrize(
    ("place", "style", "words"),
    [
        (box(30, 60, 70, 90), "plain", "Lower middle of the photo, about a tenth of it."),
        (
            box(30, 60, 70, 90),
            "metric",
            "50 per cent across and 75 per cent down the photo; 40 per cent wide, 30 per cent high.",
        ),
        (box(30, 60, 70, 90), "clock", "At 6 o'clock, about halfway to the edge of the photo, about a tenth of it."),
        (
            box(0, 30, 20, 70),
            "plain",
            "Left side of the photo, halfway up, about a tenth of it. Cut off at the left edge.",
        ),
        (
            box(0, 0, 20, 30),
            "plain",
            "Upper left of the photo, about a twentieth of it. Cut off at the left edge and the top edge.",
        ),
        (
            box(90, 90, 97, 96),
            "plain",
            "Lower right of the photo, less than a hundredth of it. Close to the right edge and the bottom edge.",
        ),
        (
            box(90, 3, 100, 15),
            "clock",
            "At 2 o'clock, far out in the photo, about a hundredth of "
            "it. Cut off at the right edge. Close to the top edge.",
        ),
        (box(41, 40, 61, 60), "clock", "In the middle of the photo, about a twentieth of it."),
        (
            box(51, 40, 71, 60),
            "clock",
            "At 3 o'clock, a little out from the middle of the photo, about a twentieth of it.",
        ),
        (
            box(50, 50, 50.5, 50.5),
            "metric",
            "50 per cent across and 50 per cent down the photo; 1 per cent wide, 1 per cent high.",
        ),
        (
            box(0, 70, 100, 100),
            "plain",
            "Lower part of the photo, from side to side, about a third of it. Cut off at the bottom edge.",
        ),
        (box(0, 0, 94, 95), "plain", "From edge to edge of the photo, most of it."),
        (box(0, 0, 97, 97), "metric", "Almost the whole photo."),
        (box(0, 0, 100, 100), "clock", "The whole photo."),
        (
            three_parts(),
            "plain",
            "In three parts: upper left, middle and lower right; together about a twentieth of it.",
        ),
        (
            three_parts(),
            "clock",
            "At 4 o'clock, a little out from the middle of the photo, about a twentieth of it. It is in three parts.",
        ),
    ],
)
def test_places_are_told(place: Place, style: Style, words: str) -> None:
    assert told(place, style) == words


def test_many_parts_at_one_side_are_counted_and_many_in_digits() -> None:
    mask = np.zeros((100, 100), dtype=bool)
    mask[75:85:2, 45:55] = True
    assert told(place_of(Mask(encode(mask)), (100, 100))).endswith(", less than a hundredth of it, in five parts.")
    mask[71:95:2, 45:55] = True
    assert told(place_of(Mask(encode(mask)), (100, 100))).endswith(", in 12 parts.")


def test_parts_of_what_is_counted_are_not_counted_again() -> None:
    assert told(three_parts(), counted=True) == (
        "Upper left, middle and lower right of the photo; together about a twentieth of it."
    )
    assert told(three_parts(), "clock", counted=True).endswith("about a twentieth of it.")
    beside = np.zeros((100, 100), dtype=bool)
    beside[45:55, 40:45] = beside[45:55, 50:55] = True
    assert told(place_of(Mask(encode(beside)), (100, 100)), counted=True) == (
        "Middle of the photo, about a hundredth of it."
    )


def test_a_list_is_joined_as_it_is_said() -> None:
    assert [joined(["a"]), joined(["a", "b"]), joined(["a", "b", "c", "d"])] == ["a", "a and b", "a, b, c and d"]


@given(regions(), st.sampled_from(STYLES))
def test_a_mirror_swaps_left_and_right_in_what_is_said_and_nothing_else(mask: MaskArray, style: Style) -> None:
    size_hw = (mask.shape[0], mask.shape[1])
    said, other = (told(place_of(Mask(encode(each)), size_hw), style) for each in (mask, mask[:, ::-1]))
    if style == "plain":
        assert Counter(words(other)) == Counter(MIRRORED.get(word, word) for word in words(said))
    else:  # Hours and the share across are mirrored in numbers, which the place's own tests look at.
        assert len(other.split(". ")) == len(said.split(". "))


def words(text: str) -> list[str]:
    """Returns the words of a text, whatever their order and commas: a list begins with its left or its upper part."""
    return [word.strip(",.;:") for word in text.lower().split()]


@given(regions())
def test_one_side_is_said_of_a_region_in_one_part(mask: MaskArray) -> None:
    place = place_of(Mask(encode(mask)), (mask.shape[0], mask.shape[1]))
    said = told(place).lower().replace("the whole photo", "almost the whole photo", place.share == 1)
    here = [side for side in SIDES if SIDE_WORDS[side][1] in said]
    longest = [side for side in here if not any(SIDE_WORDS[side][1] in SIDE_WORDS[o][1] for o in here if o != side)]
    assert longest == ([place.side] if len(place.parts) == 1 or len(place.cells) == 1 or place.side == "whole" else [])


@given(st.fractions(0, 1), st.fractions(0, 1))
def test_a_larger_region_never_gets_a_smaller_word(one: Fraction, other: Fraction) -> None:
    order = [each[1] for _, each in SIZE_WORDS]
    smaller, larger = sorted((one, other))
    assert order.index(size_words(smaller)) <= order.index(size_words(larger))


@pytest.mark.parametrize(
    ("share", "said"),
    [(1 / 100, "a hundredth"), (1 / 50, "a fiftieth"), (1 / 20, "a twentieth"), (1 / 10, "a tenth"), (1 / 5, "a fifth"),
     (1 / 4, "a quarter"), (1 / 3, "a third"), (1 / 2, "half"), (2 / 3, "two thirds"), (3 / 4, "three quarters")],
)  # fmt: skip
def test_each_size_is_about_what_it_says(share: float, said: str) -> None:
    assert size_words(Fraction(share)) == f"about {said} of it"
