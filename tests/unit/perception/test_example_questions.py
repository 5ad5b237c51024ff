from __future__ import annotations

import csv
from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest

from foveate.perception.example_questions import SOURCE, example_questions
from foveate.perception.phrase_book import phrase_book, whole_book
from foveate.perception.words import words
from tests.helpers import SHARED, needs_shared

TOLOKA = SHARED / "toloka"


def asked_in(file: str) -> set[str]:
    with (TOLOKA / file).open(encoding="utf-8", newline="") as rows:
        return {" ".join(words(row["question"])) for row in csv.DictReader(rows)}


def test_each_question_is_there_once_and_asks_for_something() -> None:
    examples = example_questions()
    assert len(examples) == 893
    assert len({" ".join(words(each.question)) for each in examples}) == 893
    assert all(each.question == each.question.strip() for each in examples)
    assert all(each.wanted == each.wanted.strip().lower() != "" for each in examples)


def test_what_is_asked_for_is_a_thing_of_the_book() -> None:
    examples = example_questions()
    assert {each.kind for each in examples} - set(phrase_book().things) == {""}
    assert [each.wanted for each in examples if each.thing is None] == ["thing", "thing"]
    assert {each.thing for each in examples if each.thing} <= set(whole_book().things)


def test_one_word_has_one_kind() -> None:
    kinds: dict[str, set[str]] = {}
    for each in example_questions():
        kinds.setdefault(each.wanted, set()).add(each.kind)
    assert {wanted: found for wanted, found in kinds.items() if len(found) > 1} == {}


def test_half_of_the_questions_ask_for_one_of_the_80_kinds() -> None:
    examples = example_questions()
    assert sum(bool(each.kind) for each in examples) == 468
    assert sum(each.sure for each in examples) == 621
    most = Counter(each.wanted for each in examples).most_common(3)
    assert {wanted for wanted, _ in most} <= {"hat", "clock", "dog", "tennis racket", "helmet", "cell phone"}


def test_the_file_is_as_written_by_hand() -> None:
    text = files("foveate.perception").joinpath("example_questions.csv").read_bytes()
    assert text.startswith(b"question,object,kind,sure,photo\n")
    assert b"\r" not in text
    assert "CC BY 4.0" in SOURCE


@needs_shared
@pytest.mark.reference
def test_they_are_the_train_samples_own_without_those_of_a_test_file() -> None:
    ours = {" ".join(words(each.question)) for each in example_questions()}
    tested = asked_in("test_public.csv") | asked_in("test_private.csv")
    with (SHARED / "coco" / "questions.csv").open(encoding="utf-8", newline="") as rows:
        proxy = {" ".join(words(row["question"])) for row in csv.DictReader(rows)}
    assert ours == asked_in("train_sample.csv") - tested - proxy


@needs_shared
@pytest.mark.reference
def test_those_about_photos_that_are_scored_say_so() -> None:
    with (TOLOKA / "photo_items.csv").open(encoding="utf-8", newline="") as rows:
        photos = {Path(row["image"]).name for row in csv.DictReader(rows)}
    with (TOLOKA / "train_sample.csv").open(encoding="utf-8", newline="") as rows:
        about = {
            (" ".join(words(row["question"])), Path(row["image"]).name)
            for row in csv.DictReader(rows)
            if Path(row["image"]).name in photos
        }
    assert len(about) == 4
    marked = {(" ".join(words(each.question)), each.photo) for each in example_questions() if each.photo}
    # One of the four stands in a test file too, and is not among the examples.
    assert marked < about
    assert len(marked) == 3
