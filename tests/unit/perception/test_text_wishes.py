from __future__ import annotations

import pytest

from foveate.perception.text_wishes import text_wish, wants_every_word


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What does it say?", "all"),
        ("Which names are on the round patch?", "all"),
        ("What brand is this?", "main"),
        ("What is the title?", "main"),
        ("What is the name on the badge?", "main"),
        ("What flavour is this?", "main"),
        ("What kind of soup is this?", "main"),
        ("Read me the paragraph below the title.", "longest"),
        ("What is the expiration date?", "date"),
        ("When does this milk expire?", "date"),
        ("What is the phone number?", "phone"),
        ("What number is on it?", "number"),
        ("Is there a website?", "address"),
        ("What time is it?", "time"),
        ("How long do I cook this in the microwave?", "duration"),
        ("What temperature is the thermostat set to?", "temperature"),
        ("What denomination is this bill?", "money"),
        ("How much does it cost?", "price"),
        ("How much is this?", "price"),
        ("How much is in this bottle?", "amount"),
        ("How much sodium is in each serving?", "amount"),
        ("How many calories are in this?", "amount"),
    ],
)
def test_text_wishes(question: str, expected: str) -> None:
    assert text_wish(question) == expected


def test_every_word_is_wanted_only_where_it_is_said() -> None:
    assert wants_every_word("What are the ingredients?")
    assert wants_every_word("Please read everything on this label.")
    assert not wants_every_word("What does this label say?")
