from __future__ import annotations

import pytest

from foveate.perception.example_questions import example_questions
from foveate.perception.known_words import asks_in_english


@pytest.mark.parametrize(
    "question",
    ["What is this?", "Where is my quokka?", "cat", "What?", "Is it mauve?", "Whats this say", "colour", "my vase"],
)
def test_a_question_may_hold_an_unknown_word(question: str) -> None:
    assert asks_in_english(question)


@pytest.mark.parametrize(
    "question",
    ["Où est le chat ?", "Was ist das?", "¿Dónde está el perro?", "猫はどこ", "12", "asdf ghjk", "hello", "", "no the"],
)
def test_other_languages_and_what_asks_for_nothing_are_told(question: str) -> None:
    assert not asks_in_english(question)


def test_no_example_question_is_taken_for_another_language() -> None:
    assert [each.question for each in example_questions() if not asks_in_english(each.question)] == []
