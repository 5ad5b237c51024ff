"""Attempts at gold questions: limits, waits, second chances, and where one can come from where."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import hypothesis.strategies as st
import pytest
from hypothesis import given

from foveate.quality.qualification import (
    NEXT,
    STATES,
    AdmissionSettings,
    Try,
    attempts_left,
    may_become,
    may_try,
    standing,
    wait_after,
)

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
QUESTIONS = ["a", "b", "c"]
SETTINGS = AdmissionSettings(attempts=3, failed_in_all=4, wait_minutes=1, wait_grows=2)


def tries(said: str, step: float = 600) -> list[Try]:
    """Returns attempts of a text: `a-` failed at a, `a+` passed it, `a~` failed and was forgiven."""
    return [
        Try(one[0], one[1] == "+", NOON + timedelta(seconds=number * step), one[1] == "~")
        for number, one in enumerate(said.split())
    ]


@pytest.mark.parametrize(
    ("said", "passed", "over"),
    [
        ("", "", None),
        ("a- a- a+ b+ c+", "abc", None),
        ("a- a- a-", "", "question"),
        ("a+ b- b- b-", "a", "question"),
        ("a- a- a+ b- b- b+ c-", "ab", "in_all"),
        ("a- a- a+ b- b- b+ c+", "abc", None),
        ("a- a- a~ a-", "", "question"),
        ("a~ a~ a~ b~ b~", "", None),
        ("x- x- x- x-", "", None),
        ("x- x- x- x- x-", "", "in_all"),
    ],
)
def test_what_is_passed_and_when_it_is_over(said: str, passed: str, over: str | None) -> None:
    found = standing(tries(said), QUESTIONS, SETTINGS)
    assert ("".join(found.passed), found.over) == (passed, over)
    assert found.done == (passed == "abc")


def test_the_wait_doubles_with_each_failed_attempt_at_the_question() -> None:
    found = standing(tries("a- a-", step=60), QUESTIONS, SETTINGS)
    until = NOON + timedelta(seconds=60 + 120)
    assert found.until == {"a": until}
    assert may_try(found, "a", until - timedelta(microseconds=1)) == "wait"
    assert may_try(found, "a", until) == "try"
    assert may_try(found, "b", NOON) == "try"
    assert may_try(standing(tries("a+"), QUESTIONS, SETTINGS), "a", NOON) == "passed"
    assert may_try(standing(tries("a- a- a-"), QUESTIONS, SETTINGS), "b", until) == "over"
    assert wait_after(3, AdmissionSettings(wait_minutes=0)) == timedelta()
    # A year of minutes, doubled and doubled, is a week; and no number overflows.
    assert wait_after(49, AdmissionSettings(wait_minutes=1440, wait_grows=10)) == timedelta(days=7)
    assert standing(tries("a-"), QUESTIONS, AdmissionSettings(wait_minutes=0)).until == {}


def test_how_many_attempts_are_left() -> None:
    assert attempts_left(standing([], QUESTIONS, SETTINGS), "a", SETTINGS) == 3
    assert attempts_left(standing(tries("a-"), QUESTIONS, SETTINGS), "a", SETTINGS) == 2
    assert attempts_left(standing(tries("a- a- a+ b- b- b+"), QUESTIONS, SETTINGS), "c", SETTINGS) == 1
    assert attempts_left(standing(tries("a- a- a- a-"), QUESTIONS, SETTINGS), "a", SETTINGS) == 0


attempt = st.tuples(st.sampled_from("abc"), st.booleans())


@given(st.lists(attempt, max_size=40), st.integers(1, 5), st.integers(0, 8))
def test_nobody_fails_more_often_than_the_limits_say(wishes: list[tuple[str, bool]], own: int, in_all: int) -> None:
    settings = AdmissionSettings(attempts=own, failed_in_all=in_all, wait_minutes=0)
    done: list[Try] = []
    for key, passed in wishes:
        where = standing(done, QUESTIONS, settings)
        if may_try(where, key, NOON) == "try":
            assert attempts_left(where, key, settings) > 0
            done.append(Try(key, passed, NOON))
    failed = [one.question for one in done if not one.passed]
    assert len(failed) <= in_all + 1
    assert all(failed.count(key) <= own for key in QUESTIONS)
    where = standing(done, QUESTIONS, settings)
    assert set(where.passed) == {one.question for one in done if one.passed}
    assert not (where.done and where.over)


def test_from_where_one_comes_where() -> None:
    assert set(NEXT) == set(STATES)
    assert may_become("waiting", "admitted")
    assert may_become("failed", "qualification")
    assert not may_become("admitted", "admitted")
    assert not may_become("failed", "trial")
    assert not may_become("requirements", "trial")
