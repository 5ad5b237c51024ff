from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.perception.matching import (
    _GROUPS,
    group_asked_for,
    is_a_name,
    match_kinds,
    match_things,
    named_spans,
    names_its_thing,
    only_mentioned,
    tells_only_where,
)
from foveate.perception.phrase_book import phrase_book, whole_book
from foveate.perception.questions import question_type
from foveate.perception.words import stem

COMMON = (
    "what",
    "is",
    "the",
    "used",
    "to",
    "can",
    "we",
    "eat",
    "drink",
    "dog",
    "cat",
    "who",
    "which",
    "animal",
    "ball",
)
OBJECTS = {
    "Where do we cook our dinner?": "oven",
    "What would tell us the time?": "clock",
    "Which thing shows hours and minutes?": "clock",
    "What warms up yesterday's food quickly?": "microwave",
    "What meows?": "cat",
    "Which animal here barks?": "dog",
    "What keeps the rain off?": "umbrella",
    "What do I hit a tennis ball with?": "tennis racket",
    "What do I hit a baseball with?": "baseball bat",
    "Where could I sleep tonight?": "bed",
    "Where do I put a bunch of cut flowers?": "vase",
    "Where is my remote control?": "remote",
    "Where is the hot dog?": "hot dog",
    "Is there a teddy bear?": "teddy bear",
    "Who drives the bus here?": "person",
    "What device is there to call my mother?": "cell phone",
    "What do you call a vehicle with pedals?": "bicycle",
    "What vehicle runs on rails?": "train",
}


@pytest.mark.parametrize(("question", "kind"), OBJECTS.items())
def test_the_best_kind_is_the_one_a_person_would_say(question: str, kind: str) -> None:
    strengths = match_kinds(question)
    assert max(strengths, key=lambda k: strengths[k]) == kind


def test_a_named_thing_has_the_full_strength_and_later_ones_half() -> None:
    assert match_kinds("Is the cat on the bed?") == {"cat": 1.0, "bed": 0.5}


def test_the_longer_name_wins() -> None:
    assert match_kinds("Where is the hot dog?") == {"hot dog": 1.0}
    assert set(match_kinds("Where is the wine glass?")) == {"wine glass"}


def test_kinds_that_share_a_name_are_both_meant() -> None:
    assert set(match_kinds("Where is my glass?")) == {"wine glass", "cup"}


def test_a_question_for_a_use_does_not_mean_the_things_it_names() -> None:
    strengths = match_kinds("What do we use to hit a tennis ball?")
    assert strengths["tennis racket"] > strengths["sports ball"]


def test_a_wider_word_leaves_its_group_only() -> None:
    strengths = match_kinds("Which animal is on the bed?")
    assert "dog" in strengths
    assert "bed" not in strengths
    assert min(strengths.values()) >= 0.2


@pytest.mark.parametrize("word", sorted({word for similar in _GROUPS.values() for word in similar.split()}))
@pytest.mark.parametrize("ending", ["", "s"])
@pytest.mark.parametrize("question", ["What {} are these?", "Which {} is this?", "What kind of {} do you see?"])
def test_every_wider_word_leaves_its_group_only(word: str, ending: str, question: str) -> None:
    asked = question.format(word + ending)
    groups = {stem(group) for group, similar in _GROUPS.items() if word in similar.split()}
    expected = {name for name, kind in phrase_book().things.items() if groups & kind.groups}
    found = set(match_kinds(asked))
    # "bag" and "luggage" also name some kinds of their group, which are meant then.
    assert found == expected or (word in {"bag", "luggage"} and found and found < expected)
    assert question_type(asked) in {"object", "what_is_this", "text"}


@pytest.mark.parametrize("question", ["Who said that?", "What is odd?", "???", "что это?", "Where is the lighthouse?"])
def test_what_fits_no_kind_matches_none_but_perhaps_a_person(question: str) -> None:
    assert set(match_kinds(question)) <= {"person"}


def test_a_name_that_is_not_among_the_kinds_hides_the_kind_inside_it() -> None:
    assert match_kinds("Where is the dog tag?") == {}
    assert match_things("Where is the dog tag?") == {"pet tag": 1.0}


def test_things_beside_the_kinds_are_matched_by_the_same_rule() -> None:
    assert match_things("Where is my bike helmet?") == {"helmet": 1.0}
    strengths = match_things("What do we sweep the floor with?")
    assert max(strengths, key=lambda thing: strengths[thing]) == "broom"


def test_names_in_a_noun_phrase_are_found_longest_first() -> None:
    assert named_spans(["red", "hot", "dog", "on", "a", "plate"]) == [range(1, 3), range(5, 6)]
    assert named_spans([]) == named_spans(["lurgy"]) == []


def test_the_last_name_of_a_noun_phrase_is_what_it_is_about() -> None:
    assert names_its_thing("cat bowl") == {"bowl": 1.0, "cat": 0.5}
    assert names_its_thing("lurgy") == {}


@given(st.text(max_size=300))
def test_any_question_has_strengths_in_range(question: str) -> None:
    for strengths, book in ((match_kinds(question), phrase_book()), (match_things(question), whole_book())):
        assert set(strengths) <= set(book.things)
        assert all(0 < value <= 1 for value in strengths.values())


@given(st.lists(st.sampled_from(COMMON)))
def test_any_order_of_common_words_has_strengths_in_range(asked: list[str]) -> None:
    assert all(0 < value <= 1 for value in match_kinds(" ".join(asked)).values())


def test_a_wider_word_asks_for_the_things_of_its_group() -> None:
    found = group_asked_for("Which kind of vehicle has two wheels?")
    assert {"bicycle", "car", "train"} <= found
    assert not {"person", "dog", "cup"} & found
    assert group_asked_for("What is the most dominant mammal?") == frozenset()
    assert "dog" in group_asked_for("What mammal is this?")


@pytest.mark.parametrize(
    ("plain", "mentioned"),
    [
        ("what is the dog looking at", ("dog",)),
        ("what is next to the red car", ("car",)),
        ("which dog is running", ()),
        ("what kind of dog is in the picture", ()),
        ("who is the man", ()),
        ("what is the dog", ()),
        ("what is the fruit that monkeys like", ()),
        # Anybody's, and for a use.
        ("what indicates that people cannot advance", ()),
        ("what do we use to hit the tennis ball", ()),
        # A place may be the thing itself.
        ("where does the water from the tap go", ()),
    ],
)
def test_only_what_is_there_and_not_asked_for_is_mentioned(plain: str, mentioned: tuple[str, ...]) -> None:
    assert only_mentioned(plain) == mentioned


def test_what_says_only_where_describes_nothing() -> None:
    assert tells_only_where("what is on the table")
    assert not tells_only_where("what sits on the table")
    assert not tells_only_where("what is there")


def test_a_name_alone() -> None:
    assert is_a_name("my hot dog")
    assert not is_a_name("hot dog stand owner")
    assert not is_a_name("the")
