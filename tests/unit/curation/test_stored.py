from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foveate.core.queries import Query
from foveate.core.regions import Box, Mask, Polygon
from foveate.core.rle import Rle
from foveate.core.truths import Target, Truth
from foveate.curation._folder import list_csv, tables
from foveate.curation._published import paper_of
from foveate.curation._reviews import Mark, Review, read_review, review_csv
from foveate.curation._rounds import ROUNDS
from foveate.curation._rules import rules
from foveate.curation._screen import Outcome, review, screen
from foveate.curation._stored import passed_line, restored, stored
from tests.unit.curation.made import sample

ASKED = ("What is this? What is this?", "How many tins?", "What is this and what is that there?", "Is there a cat?")


def outcomes() -> list[Outcome]:
    """Returns four samples after the rules: trimmed, flagged, removed, kept with targets of every shape."""
    found = screen([sample(asked, name=f"{n}.jpg") for n, asked in enumerate(ASKED)], rules())
    rle = Rle((2, 3), b"151")
    shapes = (Box((0.1, 0.2, 1, 1)), Polygon((((0, 0), (1 / 3, 0), (1, 1)),)), Mask(rle))
    truth = Truth(
        "ä.jpg",
        ("red",) * 10,
        tuple(Target(shape) for shape in shapes),
        "union",
        facts={"answer_type": "other", "x": 0.1},
    )
    return [*found, *screen([(Query("ä.jpg", "ä.jpg", None, "Who is that?", (2, 3)), truth)], rules())]


def reviews(one: str, flagged: str) -> list[Review]:
    marks = {outcome.query.id: Mark(outcome.query.id == flagged) for outcome in outcomes()}
    return [Review(one, name, Path(f"{one}.{name}.csv"), marks) for name in ("reviewer1", "reviewer2")]


def test_what_is_stored_goes_on_as_what_was_not() -> None:
    whole, rows = outcomes(), [stored(outcome) for outcome in outcomes()]
    back = [restored(row) for row in rows]
    for number, one in enumerate(ROUNDS):
        assert list_csv(back, one) == list_csv(whole, one)
        whole = review(whole, one, reviews(one.name, f"{number}.jpg"))
        back = review(back, one, reviews(one.name, f"{number}.jpg"))
    lines = {row.key: row.line for row in rows}
    made = tables(back, lambda outcome: passed_line(lines[outcome.query.id], outcome.passed))
    assert made == tables(whole)
    kept = [json.loads(line) for line in made["kept.jsonl"].splitlines()]
    assert [one["id"] for one in kept] == ["3.jpg", "ä.jpg"]
    assert kept[1]["facts"]["rounds_passed"] == [one.name for one in ROUNDS]


def test_which_round_begins_with_a_sample() -> None:
    rows = {row.question: row for row in map(stored, outcomes())}
    assert rows["How many tins?"].first_in == 0b010
    assert rows["Is there a cat?"].first_in == 0b100
    assert rows["Who is that?"].first_in == 0
    removed = rows["What is this and what is that there?"]
    assert (removed.step, removed.line) == ("several_questions", "")


notes = st.text(alphabet="=+-@' ab,\"ä\n", max_size=12).map(str.strip)


@given(st.dictionaries(st.sampled_from("abcde"), st.builds(Mark, st.booleans(), notes), min_size=1))
def test_a_filled_list_is_read_back_as_it_was(tmp_path_factory: pytest.TempPathFactory, marks: dict[str, Mark]) -> None:
    text = review_csv(((key, "p", "q", "r", "") for key in marks), marks)
    path = tmp_path_factory.mktemp("lists") / "several_questions.ann.csv"
    path.write_text(text, encoding="utf-8", newline="")
    assert read_review(path, marks, list(marks)).marks == marks


def test_what_is_not_answered_is_empty_in_the_list() -> None:
    rows = list(csv.reader(io.StringIO(review_csv([("a", "", "", "", ""), ("b", "", "", "", "")], {"b": Mark(True)}))))
    assert [row[5:] for row in rows[1:]] == [["", ""], ["yes", ""]]


def test_published_counts_are_about_two_data_sets() -> None:
    found = paper_of("vizwiz_vqa")
    assert found is not None
    assert found.whole == 32_842
    assert paper_of("toloka_vqa") is None
