"""Which names teams may have, and which two are one."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.challenges.team_names import LONGEST, LONGEST_KEY, alias, check_name, folded
from foveate.errors import InputError

ONE_AND_THE_SAME = [
    ("Owls", "OWLS"),
    ("Owls", "  o w l s "),
    ("Owls", "Owls!"),
    ("Owls", "0wls"),
    ("Owls", "Ow1s"),
    ("Öwls", "Owls"),
    ("Straße", "STRASSE"),
    ("\u00e9l\u00e9phant", "e\u0301le\u0301phant"),
    ("modern", "modem"),
    ("vvhale", "Whale"),
    # All letters of the second are Cyrillic.
    ("Copa", "\u0421\u043e\u0440\u0430"),
    # All letters of the second are Greek: capital Alpha, Kappa, Tau, Omicron.
    ("AKTO", "\u0391\u039a\u03a4\u039f"),
    ("Cup", "\uff23\uff55\uff50"),  # Full width.
]
DIFFERENT = [
    ("Owls", "Owl"),
    ("Owls", "Bowls"),
    ("Team 2", "Team 3"),
    # か and が are told apart by a mark alone, as are कि and कु.
    ("\u304b", "\u304c"),
    ("\u0915\u093f", "\u0915\u0941"),
    ("\u68df", "\u6771"),
]
LETTERS = st.text(st.characters(categories=["L", "N", "Zs", "P", "M"]), max_size=30)


@pytest.mark.parametrize(("one", "other"), ONE_AND_THE_SAME)
def test_two_that_are_taken_for_one_another_are_one(one: str, other: str) -> None:
    assert folded(one) == folded(other) != ""


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_others_are_two(one: str, other: str) -> None:
    assert folded(one) != folded(other)


@given(LETTERS)
def test_what_is_folded_stays_as_it_is_and_minds_neither_case_nor_spelling(name: str) -> None:
    key = folded(name)
    for form in ("NFC", "NFD"):
        assert folded(unicodedata.normalize(form, name)) == key
    assert folded(f"  {name} ! ") == key
    assert folded(name.casefold()) == key


@given(LETTERS)
def test_a_name_that_is_taken_is_one_that_is_taken_again(name: str) -> None:
    try:
        taken = check_name(name)
    except InputError:
        return
    assert check_name(taken) == taken
    assert 0 < len(taken) <= LONGEST
    assert 0 < len(folded(taken)) <= LONGEST_KEY


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "empty"),
        (" \t ", "empty"),
        ("Ow\u200bls", "cannot be seen"),  # A space without width.
        ("Owls\u202eslwO", "cannot be seen"),  # Turns the line around.
        ("Owls\x00", "cannot be seen"),
        ("x" * 61, "61 characters, 60 may be"),
        ("\u041ewls", "mixes Cyrillic and Latin letters"),
        ("\u039fwls", "mixes Greek and Latin letters"),
        ("!!!", "no letter or digit"),
        ("team AMBER 7", "nameless team"),
        ("\ufdfa" * 14, "no letter or digit"),  # One character that stands for a sentence.
    ],
)
def test_what_cannot_be_a_name_is_said(name: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        check_name(name)


def test_what_can_be_one_is_spelled_in_one_way() -> None:
    assert check_name("  The   Owls ") == "The Owls"
    assert check_name("E\u0301le\u0301phant \u0421\u043e\u0432\u044b") == "\u00c9l\u00e9phant \u0421\u043e\u0432\u044b"
    assert check_name("Team Seven 7") == "Team Seven 7"
    assert check_name("x" * 60) == "x" * 60


def test_an_alias_is_a_colour_and_a_number_and_no_teams_name() -> None:
    assert alias(lambda below: 0) == "Team Amber 1"
    assert alias(lambda below: below - 1, 5000) == "Team Zinc 5000"
    last = alias(lambda below: below - 1)
    assert last == "Team Zinc 999"
    with pytest.raises(InputError):
        check_name(last)
