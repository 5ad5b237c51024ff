"""What `pocket` tells of its last answer: what it rests on, what else was considered, or why there is none."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from foveate.core.explanations import Explanation
from foveate.errors import InputError
from foveate.grounders import pocket
from foveate.grounders._pocket.reasons import Reason
from foveate.perception import blank
from tests.explained import agree
from tests.unit.grounders.eyes import SIZE, Eyes, Photo, chance_of, line, score_of

CUP, DOG, OTHER = (20.0, 20.0, 120.0, 160.0), (150.0, 40.0, 280.0, 180.0), (160.0, 50.0, 200.0, 90.0)
# One of each sort that is answered in its own way.
QUESTIONS = (
    "Where is the dog?", "Where is the tench?", "What can I drink from?", "Where is the exit?", "Which animal barks?",
    "What does it say?", "What is the brand?", "What is the expiry date?", "What is the price?",
    "Where does it say soup?", "What does the cup say?", "What colour is the dog?", "What colour is this?",
    "Is it red or blue?", "What colour is it not?", "How many dogs are there?", "How many red dogs are there?",
    "How many puppies are there?", "How many towers are there?", "How many dogs and cups are there?",
    "How many are there?", "How many zebras and horses are there?", "Is there a dog?", "Is there a zebra?",
    "Is this a dog?", "Is the dog red?", "Is there a red dog?", "Isn't there a dog?", "Are there two dogs?",
    "Are there no dogs?", "Is there any text?", "Does it say soup?", "Does it not say salad?", "Is this soup?",
    "Is the dog asleep?", "Is there a tower?", "Is it a dog or a cat?", "Is it a zebra or a horse?",
    "What is the man doing?", "What is this?", "Who is this?", "What animal is this?", "What fruit is this?",
    "What is in the picture?", "What room is this?", "What is the weather?", "Is the photo blurred?",
    "Is the photo tilted?", "How light is it?", "Are the lights on?", "Is the photo upside down?",
    "How are you feeling today?", "xqzt vrrk", "¿Qué es esto?", "Where is the dog and what colour is it?",
    "Where is the zebra and what does it say?", "How are you, and where is the zebra?",
    "Where is the meaning of life?", "What can I not see here?",
)  # fmt: skip
SCENES = {
    "nothing": Eyes(),
    "things": Eyes(things=[("dog", 0.9, DOG), ("dog", 0.5, OTHER), ("cup", 0.8, CUP)], names=[("tabby", 0.6)]),
    "text": Eyes(lines=[line("TOMATO SOUP", (30, 30, 200, 70)), line("best before 12.05.2027", (30, 90, 200, 100))]),
    "faint": Eyes(things=[("dog", 0.02, DOG)], names=[("wine bottle", 0.7)], lines=[line("Merlot", (40, 30, 80, 50))]),
    "beyond": Eyes(spots={"tench": ((1, 2), 0.9)}, salient=(0, 0, 300, 200)),
}


def told(question: str) -> Explanation:
    grounder = pocket.Grounder()
    grounder.prepare(Photo(), SIZE)
    grounder.ground(question)
    return grounder.explain()


@pytest.fixture(params=list(SCENES))
def scene(request: pytest.FixtureRequest, eyes: Eyes) -> str:
    eyes.__dict__.update(SCENES[request.param].__dict__)
    return str(request.param)


def test_whatever_is_asked_the_explanation_agrees_with_the_answer(scene: str) -> None:
    grounder = pocket.Grounder()
    grounder.prepare(Photo(), SIZE)
    for question in QUESTIONS:
        said = grounder.ground(question)
        explained = grounder.explain()
        assert agree(said, explained), (scene, question, said, explained)
        assert type(said.reason) in {str, type(None)}, "a run stores plain text"
        # A refusal knows its kind: none is left to be guessed.
        if explained.refusal:
            assert isinstance(grounder._found and grounder._found.reason, Reason), (scene, question, said.reason)
        with_map = grounder.explain_map()
        assert with_map.map is not None
        values = with_map.map.load().on(SIZE)
        assert values.shape == SIZE


@pytest.mark.parametrize(
    ("question", "kind", "looked_for"),
    [
        ("How are you feeling today?", "not_about_photo", ""),
        ("¿Qué es esto? 这是什么", "not_understood", ""),
        ("How many are there?", "not_understood", ""),
        ("Where is the spoon?", "nothing_found", "spoon"),
        ("What colour is the cat?", "nothing_found", "cat"),
        ("What does it say?", "nothing_found", "text"),
        ("How many towers are there?", "not_measured", "towers"),
        ("Who is this?", "nothing_found", "person"),
        ("What animal is this?", "nothing_found", "animal"),
    ],
)
def test_a_refusal_tells_its_kind_and_what_was_looked_for(
    eyes: Eyes, question: str, kind: str, looked_for: str
) -> None:
    refusal = told(question).refusal
    assert refusal is not None
    assert (refusal.kind, refusal.looked_for) == (kind, looked_for)


def test_who_wins_is_not_told_from_who_is_in_the_photo(eyes: Eyes) -> None:
    eyes.things = [("person", 0.95, DOG)]
    assert told("Who is in the photo?").refusal is None
    refusal = told("Who will win the election?").refusal
    assert refusal is not None
    assert refusal.kind == "not_about_photo"


def test_in_a_blank_photo_there_is_nothing_to_see(eyes: Eyes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blank, "is_blank", lambda image: True)
    refusal = told("Where is the dog?").refusal
    assert refusal is not None
    assert refusal.kind == "nothing_to_see"


def test_where_it_is_not_found_what_is_surely_there_is_told(eyes: Eyes) -> None:
    eyes.things = [("dog", 0.95, DOG)]
    explained = told("Where is the spoon?")
    assert [other.said for other in explained.others] == ["dog"]
    assert not explained.rests_on
    # A question that needs no look at things costs none.
    assert not told("How are you feeling today?").others


def test_a_thing_rests_on_its_measured_score(eyes: Eyes) -> None:
    eyes.things = [("dog", 0.9, DOG), ("dog", 0.4, CUP)]
    explained = told("Where is the dog?")
    (first,) = explained.rests_on
    assert (first.kind, first.said, first.measure) == ("thing", "dog", "pocket.thing")
    assert first.score == pytest.approx(score_of(chance_of(eyes, "dog")))
    # Of the second best nothing was measured.
    assert [(other.said, other.measure) for other in explained.others] == [("dog", None)]


def test_only_what_was_measured_says_so(eyes: Eyes) -> None:
    eyes.things = [("dog", 0.9, DOG)]
    eyes.names = [("tabby", 0.9)]
    asked = {
        "Is there a dog?": "pocket.yes",
        "Is there a zebra?": "pocket.no",
        "How many dogs are there?": "pocket.count",
        "How many zebras are there?": "pocket.none",
        "Is this a dog?": None,
        "Is there an animal?": None,
        "Are there two dogs?": None,
        "What is this?": None,
        "Is it a dog or a cat?": None,
    }
    assert {question: told(question).rests_on[0].measure for question in asked} == asked


def test_a_number_rests_on_each_that_was_counted(eyes: Eyes) -> None:
    eyes.things = [("dog", 0.9, DOG), ("dog", 0.8, CUP), ("cup", 0.9, (200.0, 10.0, 240.0, 30.0))]
    explained = told("How many dogs are there?")
    assert [(each.kind, each.said) for each in explained.rests_on] == [
        ("count", "2 dogs"), ("thing", "dog"), ("thing", "dog"),
    ]  # fmt: skip
    assert explained.rests_on[0].score == 0.37, "the share of such numbers that was right on dev photos"
    none = told("How many zebras are there?")
    assert [(each.kind, each.said, each.region) for each in none.rests_on] == [("count", "no zebras", None)]


def test_text_has_the_readers_score_and_not_how_well_it_fits(eyes: Eyes) -> None:
    eyes.lines = [line("Tomato soup", (30, 30, 200, 70), 0.93), line("exp 12.05.2027", (30, 120, 200, 130), 0.81)]
    explained = told("What is the expiry date?")
    assert [(each.kind, each.said, each.score) for each in explained.rests_on] == [("text", "exp 12.05.2027", 0.81)]
    whole = told("What does it say?")
    assert [each.said for each in whole.rests_on] == ["Tomato soup exp 12.05.2027", "Tomato soup", "exp 12.05.2027"]
    assert not whole.others, "the parts of the text are no other readings"
    # What is read where it is not what was asked for.
    assert [other.said for other in told("What is the price?").others] == ["Tomato soup", "exp 12.05.2027"]


def test_a_colour_rests_on_the_shares_and_then_on_the_thing(eyes: Eyes, monkeypatch: pytest.MonkeyPatch) -> None:
    from foveate.grounders._pocket import colours

    monkeypatch.setattr(colours, "colours_of", lambda seen, region: (("red", 0.62), ("white", 0.3)))
    eyes.things = [("car", 0.9, DOG)]
    explained = told("What colour is the car?")
    assert [(each.kind, each.said, each.score is None) for each in explained.rests_on] == [
        ("colour", "red, 62% of it", True), ("colour", "white, 30% of it", True), ("thing", "car", False),
    ]  # fmt: skip


def test_a_name_has_its_own_chance_and_the_next_names_beside_it(eyes: Eyes) -> None:
    eyes.names = [("wine bottle", 0.6), ("tench", 0.2), ("kite", 0.01)]
    eyes.lines = [line("Merlot", (40, 30, 60, 40), 0.9)]
    explained = told("What is this?")
    assert [each.kind for each in explained.rests_on][0] == "name"
    assert explained.rests_on[0].score == pytest.approx(0.6), "not halved, as the region's score is"
    assert 0.2 in [other.score for other in explained.others]
    assert 0.01 not in [other.score for other in explained.others]


def test_the_map_of_a_thing_is_of_its_boxes_also_of_faint_ones(eyes: Eyes) -> None:
    eyes.things = [("dog", 0.9, (0.0, 0.0, 150.0, 200.0)), ("cup", 0.8, (150.0, 0.0, 300.0, 200.0))]
    grounder = pocket.Grounder()
    grounder.prepare(Photo(), SIZE)
    grounder.ground("Where is the dog?")
    explained = grounder.explain_map()
    assert explained.map is not None
    values = explained.map.load().on(SIZE)
    assert "dog" in explained.map_means
    assert values[100, 70] == pytest.approx(chance_of(eyes, "dog"), abs=1e-6)
    assert values[100, 220] == 0


def test_the_maps_of_text_and_of_what_stands_out(eyes: Eyes) -> None:
    eyes.lines = [line("SOUP", (0, 0, 150, 100), 0.8)]
    grounder = pocket.Grounder()
    grounder.prepare(Photo(), SIZE)
    maps = {}
    for question in ("What does it say?", "What colour is this?", "How are you feeling today?"):
        grounder.ground(question)
        explained = grounder.explain_map()
        assert explained.map is not None
        maps[explained.map_means] = explained.map.load().on(SIZE)
    text, salient, beside = maps.values()
    assert list(maps)[1:] == [
        "how much each place stands out", "how much each place stands out, which had no part in the answer",
    ]  # fmt: skip
    assert text[50, 70] == pytest.approx(0.8)
    assert text[150, 70] == 0
    assert np.array_equal(salient, beside)
    assert salient[40, 45] == pytest.approx(0.9), "where the pretended network sees something stand out"


def test_before_anything_is_asked_there_is_nothing_to_explain(eyes: Eyes) -> None:
    grounder = pocket.Grounder()
    for explain, prepared in product((grounder.explain, grounder.explain_map), (False, True)):
        if prepared:
            grounder.prepare(Photo(), SIZE)
        with pytest.raises(InputError, match="nothing was asked"):
            explain()
