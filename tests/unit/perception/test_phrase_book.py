from __future__ import annotations

import csv
import tomllib
from importlib.resources import files
from itertools import chain
from typing import Any

import pytest

from foveate.perception.example_questions import example_questions
from foveate.perception.phrase_book import display_name, phrase_book, thing_of_name, whole_book
from foveate.perception.propose import kinds
from foveate.perception.words import content_stems, words
from tests.helpers import SHARED, needs_shared
from tests.unit.perception.test_matching import OBJECTS
from tests.unit.perception.test_questions import TYPES


def raw_book(file: str) -> dict[str, dict[str, Any]]:
    return tomllib.loads(files("foveate.perception").joinpath(file).read_text(encoding="utf-8"))


KINDS = raw_book("phrase_book.toml")
MORE = raw_book("more_things.toml")


def test_the_book_has_the_detectors_80_kinds_in_its_order() -> None:
    assert tuple(phrase_book().things) == kinds()
    assert len(kinds()) == 80


def test_the_whole_book_has_a_few_hundred_things_more_after_them() -> None:
    things = tuple(whole_book().things)
    assert things[:80] == kinds()
    assert set(things[80:]) == set(MORE)
    assert 300 <= len(MORE) <= 600


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_is_complete(kind: str) -> None:
    raw = KINDS[kind]
    assert set(raw) == {"display", "names", "groups", "uses"}
    assert 5 <= len(raw["uses"]) <= 15
    assert any(name in raw["display"] or raw["display"] in name for name in raw["names"])


@pytest.mark.parametrize("thing", MORE)
def test_a_thing_is_called_by_its_first_name(thing: str) -> None:
    raw = MORE[thing]
    assert set(raw) <= {"names", "groups", "uses"}
    assert raw["names"][0] == thing
    assert len(raw["uses"]) >= 2


def test_phrases_say_something_and_stand_once() -> None:
    for raw in chain(KINDS.values(), MORE.values()):
        assert len(set(raw["uses"])) == len(raw["uses"])
        assert len(set(raw["names"])) == len(raw["names"])
        assert all(content_stems(use) or use == "who" for use in raw["uses"])


def test_no_two_things_beside_the_kinds_share_a_name() -> None:
    names = [name for raw in MORE.values() for name in raw["names"]]
    assert len(set(names)) == len(names)
    shared = set(names) & {name for raw in KINDS.values() for name in raw["names"]}
    assert shared == {"glove"}


def test_a_name_leads_to_its_thing_in_any_number() -> None:
    names = thing_of_name()
    assert names[("traffic", "light")] == "traffic light"
    assert names[("glov",)] == "baseball glove"
    assert set(names.values()) == set(whole_book().things)


def test_display_names_are_what_people_say() -> None:
    shown = {thing: display_name(thing) for thing in whole_book().things}
    assert shown["motorbike"] == "motorcycle"
    assert shown["aeroplane"] == "airplane"
    assert shown["tvmonitor"] == "television"
    assert shown["sofa"] == "couch"
    assert shown["helmet"] == "helmet"
    assert len(set(shown.values())) == len(shown)


def test_rare_stems_weigh_more() -> None:
    book = phrase_book()
    assert book.weights["meow"] > book.weights["eat"] > 0
    assert book.weigh(frozenset({"unheard"})) == pytest.approx(max(book.weights.values()))


@needs_shared
@pytest.mark.reference
def test_no_phrase_and_no_example_of_ours_is_a_question_that_is_scored() -> None:
    scored = {
        " ".join(words(row["question"]))
        for path in (*(SHARED / "toloka").glob("test_*.csv"), SHARED / "coco" / "questions.csv")
        if "crowd" not in path.name
        for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines())
    }
    assert len(scored) > 4000
    phrases = chain.from_iterable((*raw["names"], *raw["uses"]) for raw in (*KINDS.values(), *MORE.values()))
    examples = (each.question for each in example_questions())
    ours = {" ".join(words(text)) for text in (*phrases, *examples, *OBJECTS, *TYPES)}
    assert not ours & scored
