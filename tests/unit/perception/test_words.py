from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.perception.words import content_stems, stem, words


@pytest.mark.parametrize(
    "forms",
    [
        ("ride", "rides", "riding", "ridden"),
        ("cut", "cuts", "cutting"),
        ("call", "calls", "calling", "called"),
        ("carry", "carries", "carried", "carrying"),
        ("dish", "dishes"),
        ("knife", "knives"),
        ("mouse", "mice"),
        ("store", "stores", "stored", "storing"),
        ("earring", "earrings"),
    ],
)
def test_forms_of_one_word_have_one_stem(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize("word", ["glass", "bus", "tennis", "red", "bed", "sing", "ring", "this", "earring", "ceiling"])
def test_words_that_only_look_inflected_stay(word: str) -> None:
    assert stem(word) == word


def test_empty_words_and_people_carry_nothing() -> None:
    assert content_stems("What can people use it for?") == frozenset()


def test_other_scripts_are_words_too() -> None:
    assert words("Что это, 你好?") == ("что", "это", "你好")


def test_typographic_apostrophes_and_wide_letters_are_the_same() -> None:
    assert words("What’s ｔｈｉｓ?") == words("what's this")


@given(st.text(max_size=200))
def test_any_text_has_words_and_stems(text: str) -> None:
    assert all(content_stems(text))
    assert all(word == word.lower() or not word.isascii() for word in words(text))
