from __future__ import annotations

import csv
import tomllib
from importlib.resources import files
from itertools import chain
from typing import Any

import pytest

from foveate.perception.phrase_book import display_name, phrase_book
from foveate.perception.propose import kinds
from foveate.perception.words import content_stems, words
from tests.helpers import SHARED, needs_shared
from tests.unit.perception.test_questions import OBJECTS


def raw_book() -> dict[str, dict[str, Any]]:
    return tomllib.loads(files("foveate.perception").joinpath("phrase_book.toml").read_text(encoding="utf-8"))


def test_the_book_has_the_detectors_80_kinds_in_its_order() -> None:
    assert tuple(phrase_book().kinds) == kinds()
    assert len(kinds()) == 80


@pytest.mark.parametrize("kind", raw_book())
def test_a_kind_is_complete(kind: str) -> None:
    raw = raw_book()[kind]
    assert set(raw) == {"display", "names", "groups", "uses"}
    assert 5 <= len(raw["uses"]) <= 15
    assert len(set(raw["uses"])) == len(raw["uses"])
    assert any(name in raw["display"] or raw["display"] in name for name in raw["names"])
    assert all(content_stems(use) or use == "who" for use in raw["uses"])


def test_display_names_are_what_people_say() -> None:
    shown = {kind: display_name(kind) for kind in phrase_book().kinds}
    assert shown["motorbike"] == "motorcycle"
    assert shown["aeroplane"] == "airplane"
    assert shown["tvmonitor"] == "television"
    assert shown["sofa"] == "couch"
    assert len(set(shown.values())) == 80


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
    phrases = chain.from_iterable((*raw["names"], *raw["uses"]) for raw in raw_book().values())
    ours = {" ".join(words(text)) for text in (*phrases, *OBJECTS)}
    assert not ours & scored
