from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from foveate.analysis.columns import Columns
from foveate.analysis.groups import MOST_FACTS, facts_left_out, groupings, largest_groups
from foveate.analysis.rules import is_colour, thirds
from foveate.core.question_texts import normalised
from foveate.core.truths import Fact
from foveate.errors import UsageError


def columns(questions: Sequence[str], facts: Mapping[str, Sequence[Fact | None]] | None = None) -> Columns:
    n = len(questions)
    ones = np.ones(n)
    return Columns(
        ids=[str(number) for number in range(n)],
        photos=[f"{number}.jpg" for number in range(n)],
        questions=questions,
        answers=["Cup."] * n,
        size_hw=np.full((n, 2), 10),
        centre=np.full((n, 2), 0.5),
        coverage=ones / 2,
        points=ones * 4,
        complexity=ones * 0,
        parts=np.ones(n, dtype=np.int64),
        targets=np.ones(n, dtype=np.int64),
        facts=facts or {},
    )


def keys(name: str, values: Sequence[Fact | None], by: Sequence[str] = ()) -> dict[str, list[int]] | None:
    found = groupings(columns(["?"] * len(values), {name: values}), by).get(name)
    return None if found is None else {group.key: group.rows.tolist() for group in found.groups}


def test_questions_are_counted_by_what_they_say() -> None:
    found = groupings(columns(["What is this?", "what  is THIS", "What is this.", "Why?", "?"]))
    assert [(group.key, group.rows.tolist()) for group in found["question"].groups] == [
        ("what is this", [0, 1, 2]),
        ("?", [4]),
        ("why", [3]),
    ]
    assert [group.key for group in found["answer"].groups] == ["cup"]


def test_one_mark_is_dropped_not_two() -> None:
    assert [normalised(text) for text in ("Dr. ", "what??", "A ?")] == ["dr", "what?", "a"]


def test_several_names_put_a_sample_in_several_groups() -> None:
    assert keys("skills", [("text", "object"), ("object",), (), None]) == {"object": [0, 1], "text": [0]}
    found = groupings(columns(["a", "b", "c", "d"], {"skills": [("text",), (), None, None]}))["skills"]
    assert found.known == 2


def test_of_very_many_facts_the_first_part_the_samples_and_those_that_are_asked_for() -> None:
    unlike = {f"note {n}": [f"{n}, {k}" for k in range(60)] for n in range(5)}  # Parts nothing, and takes no place.
    facts = {f"fact {n}": [k % 2 for k in range(60)] for n in range(MOST_FACTS + 20)}
    told = columns(["?"] * 60, {**unlike, **facts})
    last = f"fact {MOST_FACTS + 19}"
    assert list(groupings(told)) == ["question", "answer", *list(facts)[:MOST_FACTS]]
    assert list(groupings(told, [last])) == ["question", "answer", *list(facts)[:MOST_FACTS], last]
    assert facts_left_out(told.facts, [last]) == list(facts)[MOST_FACTS:-1]
    assert facts_left_out(dict(list(facts.items())[:MOST_FACTS])) == []


def test_quality_comes_by_rank() -> None:
    assert list(keys("quality", ["severe", "none", "severe", "medium"]) or {}) == ["none", "medium", "severe"]


def test_few_numbers_are_groups_in_their_order_and_many_are_quartiles() -> None:
    assert list(keys("votes", [5, 0, 0, 3]) or {}) == ["0", "3", "5"]
    found = keys("size", [float(n) for n in range(100)])
    assert found is not None
    assert [len(rows) for rows in found.values()] == [25, 25, 25, 25]
    assert list(found) == ["0 to 24.75", "24.75 to 49.5", "49.5 to 74.25", "74.25 to 99"]


def test_a_number_that_is_left_empty_is_not_known() -> None:
    values = [1.5, float("nan"), 0.5]
    assert keys("score", values) == {"0.5": [2], "1.5": [0]}
    assert groupings(columns(["?"] * 3, {"score": values}))["score"].known == 2
    assert keys("score", [float("nan")]) is None
    many = [float(n) for n in range(12)]
    assert keys("score", [*many, float("inf"), float("-inf")]) == keys("score", many)


def test_what_says_something_else_of_each_sample_parts_nothing_unless_asked() -> None:
    values = [f"caption {n}" for n in range(60)]
    assert keys("captions", values) is None
    assert len(keys("captions", values, by=["captions"]) or {}) == 60
    assert keys("confidences", [("yes", "yes", "no")]) is None  # One entry a person.
    assert keys("crowd", [True, False]) == {"no": [1], "yes": [0]}


def test_a_fact_that_nobody_has() -> None:
    with pytest.raises(UsageError, match="--by skils: no sample has such a fact. Did you mean skills"):
        groupings(columns(["a"], {"skills": [("text",)]}), ["skils"])


def test_the_largest_groups() -> None:
    found = groupings(columns(["a", "b", "b", "c", "c", "c"]))["question"]
    assert [group.key for group in largest_groups(found, 2)] == ["c", "b"]
    assert [group.key for group in largest_groups(found, 2, lambda key: key != "c")] == ["b", "a"]


def test_thirds_and_colours() -> None:
    assert thirds(np.array([0.0, 0.333, 1 / 3, 0.66, 2 / 3, 1.0])).tolist() == [0, 0, 1, 1, 2, 2]
    assert [is_colour(text) for text in ("White.", "dark blue", "black, red", "blue shirt", "light")] == [
        True,
        True,
        True,
        False,
        False,
    ]


def test_numbers_that_are_no_numbers_are_not_known() -> None:
    nothing = float("nan")
    assert keys("votes", [nothing, 1.0, float("inf"), 1.0]) == {"1": [1, 3]}
    assert keys("votes", [nothing] * 20) is None
    found = groupings(columns(["?"] * 40), [])["question"]
    assert found.known == 40
    many = keys("size", [nothing if n % 2 else float(n) for n in range(80)])
    assert many is not None
    assert [len(rows) for rows in many.values()] == [10, 10, 10, 10]


def test_numbers_that_differ_are_different_groups() -> None:
    assert list(keys("size", [1234567.0, 1234568.0, 0.1, 1e-9]) or {}) == ["1e-09", "0.1", "1234567", "1234568"]
    near = keys("size", [1 + n * 1e-9 for n in range(40)])
    assert near is not None
    assert [len(rows) for rows in near.values()] == [10, 10, 10, 10]
    assert list(near)[0] == "1 to 1.00000001"


def test_a_fact_called_as_the_question_hides_nothing() -> None:
    found = groupings(columns(["Why?", "Why?"], {"question": ["long", "short"], "answer": ["a", "a"]}))
    assert {name: [group.key for group in its.groups] for name, its in found.items()} == {
        "question": ["why"],
        "answer": ["cup"],
        "fact question": ["long", "short"],
        "fact answer": ["a"],
    }
