from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.perception.split_questions import split_questions, unwrapped


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        ("What is this?", ["what is this"]),
        ("What is this? And what color is it?", ["what is this", "what color is it"]),
        ("What is this and what color is it", ["what is this", "what color is it"]),
        ("What is this, what does it say?", ["what is this", "what does it say"]),
        ("Is this milk and is it fresh?", ["is this milk", "is it fresh"]),
        ("What is this? What is this? Thank you.", ["what is this"]),
        ("What is, what is this?", ["what is this"]),
        ("What's this? What is this?", ["what is this"]),
        ("I am blind. This is a can of something. What is it?", ["what is it"]),
        ("I know this is soup, but what flavor is it?", ["what flavor is it"]),
        ("Can you help me? What is this?", ["what is this"]),
        ("Is this Dr. Pepper?", ["is this dr pepper"]),
        ("Is this 2.5 percent milk?", ["is this 2 5 percent milk"]),
        ("Is it a cat or is it a dog?", ["is it a cat or is it a dog"]),
        ("What holds salt and pepper?", ["what holds salt and pepper"]),
        ("What is portable and has it all?", ["what is portable and has it all"]),
        ("What is kept outside and which is full of rubbish?", ["what is kept outside and which is full of rubbish"]),
        ("Please describe the photo.", ["describe the photo"]),
        ("What\u2019s this and what\u2019s that?", ["what this", "what that"]),
        ("the red one", ["the red one"]),
        ("", [""]),
        ("?!", [""]),
    ],
)
def test_questions_are_split_and_statements_left_out(said: str, parts: list[str]) -> None:
    assert [part.plain for part in split_questions(said)] == parts


def test_what_was_said_before_is_kept() -> None:
    assert [part.before for part in split_questions("This is my mug. What is in it and how hot is it?")] == [
        "this is my mug",
        "this is my mug what is in it",
    ]


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("Hi, could you please tell me what this is? Thank you!", "what this is"),
        ("I would like to know if this is decaf", "if this is decaf"),
        ("I was wondering where my keys are, thanks", "where my keys are"),
        ("Would you read the label for me please", "read the label"),
        ("Can you tell me the name of this book?", "the name of this book"),
        ("Do you see a cat?", "do you see a cat"),
        ("Where do you see that?", "where do you see that"),
        ("please", "please"),
    ],
)
def test_courtesies_are_taken_off(said: str, plain: str) -> None:
    assert unwrapped(said) == plain


@given(st.text(max_size=300))
def test_no_part_is_lost_or_said_twice(said: str) -> None:
    parts = split_questions(said)
    assert parts
    assert len({part.plain for part in parts}) == len(parts)
    assert all(part.plain or len(parts) == 1 for part in parts)
