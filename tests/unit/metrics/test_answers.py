from __future__ import annotations

import numpy as np
import pytest

from foveate.core.predictions import Prediction
from foveate.core.regions import Box
from foveate.core.truths import Match, Target, Truth
from foveate.metrics._answers import expected, matchable, measure, measure_both, normalised, vqa_score
from tests.helpers import predicted


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        ("  red\n", "red"),
        ("red\tand\nblue", "red and blue"),
        ("RED", "red"),
        ("red  and   blue", "red and blue"),
        ("", ""),
    ],
)
def test_space_and_case(answer: str, left: str) -> None:
    assert normalised(answer) == left


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        ("t-shirt", "t shirt"),  # Beside no space: a space.
        ("red, blue", "red blue"),  # Beside a space: nothing.
        ("red ,blue", "red blue"),
        ("x-y - z", "xy z"),  # One "-" beside a space decides for all of them,
        ("x-y -z", "xy z"),
        ("x-y/z - w", "xy z w"),  # but not for "/".
        ("red-", "red"),  # At the end there is no space beside it, which shows nowhere.
        ("yes!", "yes"),
        ("what?!", "what"),
        ("a/b;c[d]e", "b c d e"),
        ('"{(=+\\_><@`)}"', ""),
        ("1,000", "1000"),  # A comma inside a number goes,
        ("1,000-2,000", "10002000"),  # and with it the space for every other mark.
        ("t-shirt for 1,000", "tshirt for 1000"),
        ("1, 000", "1 000"),
        ("x,000", "x 000"),
        ("girl's", "girl's"),  # Apostrophe, colon and others are no marks.
        ("2:50 pm", "2:50 pm"),
        ("50% & $5 #1 *", "50% & $5 #1 *"),
        ("don\u2019t", "don\u2019t"),
    ],
)
def test_marks(answer: str, left: str) -> None:
    assert normalised(answer) == left


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        ("yes.", "yes"),
        ("3.50", "3.50"),
        (".5", ".5"),
        ("no.5", "no.5"),
        ("5.", "5"),  # The official pattern means to look behind, and does not.
        ("5.x", "5x"),
        ("...", ""),
        ("e.g. this", "eg this"),
        ("5.,5 x, y", "5.5 x y"),  # Marks go before periods: the comma no longer parts the figures.
        ("." * 33, "."),  # 32 is the value of a flag that the official call passes as the count.
    ],
)
def test_periods(answer: str, left: str) -> None:
    assert normalised(answer) == left


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        ("Two", "2"),
        ("zero one two three four five six seven eight nine ten", "0 1 2 3 4 5 6 7 8 9 10"),
        ("none", "0"),
        ("eleven", "eleven"),
        ("none of these", "0 of these"),
        ("ones", "ones"),
    ],
)
def test_number_words(answer: str, left: str) -> None:
    assert normalised(answer) == left


@pytest.mark.parametrize(
    ("answer", "left"),
    [("The cat", "cat"), ("an apple on a table", "apple on table"), ("A", ""), ("theatre", "theatre"), ("a.", "")],
)
def test_articles(answer: str, left: str) -> None:
    assert normalised(answer) == left


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        ("Dont", "don't"),
        ("whatre", "what're"),
        ("weve", "we've"),
        ("maam", "ma'am"),
        ("twas", "'twas"),
        ("couldntve", "couldntve"),  # Only one apostrophe is restored.
        ("couldnt've", "couldn't've"),
        ("couldn'tve", "couldn't've"),
        ("yall'd've", "y'all'd've"),
        ("y'allll", "y'all'll"),
        ("'ow'sat", "'ow's'at"),
        ("somebody'd", "somebodyd"),  # The wrong way round, officially,
        ("somebodyd", "somebodyd"),
        ("somebodyd've", "somebody'd've"),
        ("lets", "lets"),  # and not there at all:
        ("shes", "shes"),
        ("Im", "im"),
        ("Ive", "ive"),
        ("its", "its"),
        ("shell", "shell"),
        ("dont-know", "don't know"),
    ],
)
def test_contractions(answer: str, left: str) -> None:
    assert normalised(answer) == left


@pytest.mark.parametrize(
    ("said", "of", "accuracy"),
    [
        (0, 10, 0.0),
        (1, 10, 0.3),  # 9 times 1/3, once 0.
        (2, 10, 0.6),  # 8 times 2/3, twice 1/3.
        (3, 10, 0.9),  # 7 times 1, three times 2/3.
        (4, 10, 1.0),
        (10, 10, 1.0),
        (4, 4, 1.0),
        (3, 4, 0.75),  # Once 1, three times 2/3.
        (3, 3, 2 / 3),
        (1, 1, 0.0),
    ],
)
def test_each_person_is_left_out_once(said: int, of: int, accuracy: float) -> None:
    assert vqa_score("red", ["red"] * said + ["blue"] * (of - said)) == accuracy


def test_people_who_wrote_the_very_same_are_compared_as_they_wrote() -> None:
    assert vqa_score("two", ["two"] * 10) == 1.0
    assert vqa_score("2", ["two"] * 10) == 0.0
    assert vqa_score("two", ["two", "two\n"] * 5) == 1.0
    assert vqa_score("2", ["two", "two\n"] * 5) == 0.0
    assert vqa_score("2", ["two", "Two"] * 5) == 1.0


def test_a_part_of_an_answer_is_another_answer() -> None:
    assert vqa_score("red", ["red shirt"] * 5 + ["blue"] * 5) == 0.0


def box_target(answer: str | None) -> Target:
    return Target(Box((0, 0, 1, 1)), answer)


@pytest.mark.parametrize(
    ("answers", "targets", "match", "answer"),
    [
        ((), (), "single", None),
        ((), (None,), "single", None),
        ((), ("",), "single", None),
        (("Red.",), (), "single", "red"),
        (("red", "blue", "blue"), ("The red",), "single", "red"),
        (("red", "blue", "blue"), (None,), "single", "blue"),
        (("red", "blue", "blue"), ("red", None, "RED"), "any", "red"),
        (("blue", "red"), ("red", "green"), "any", "blue"),
        ((), ("red", "green", "green"), "any", "green"),
        (("green", "a red", "Green", "red"), (), "single", "green"),
        (("hes not",) * 2, ("he\u2019s not",), "single", "he's not"),
    ],
)
def test_the_expected_answer(
    answers: tuple[str, ...], targets: tuple[str | None, ...], match: Match, answer: str | None
) -> None:
    assert expected(Truth("s", answers, tuple(map(box_target, targets)), match)) == answer


def test_a_curly_apostrophe_matches_a_straight_one() -> None:
    assert matchable("Don\u2019t") == matchable("dont") == "don't"


def said(answer: str | None) -> Prediction:
    return Prediction("s", "no_region", answer, reason="nothing there")


def test_the_columns() -> None:
    people = ("red", "red", "red", "blue")
    predictions = [said("red"), said("Blue!"), said(None), said(" \n"), None, said("red"), said("red")]
    truths = [*(Truth("s", people) for _ in range(5)), Truth("s", people[:3]), Truth("s")]
    columns = measure(predictions, truths)
    assert {name: column.tolist() for name, column in columns.items()} == {
        "answered": [1, 1, 0, 0, 0, 1, 1],
        "vqa": [0.75, 0.25, 0, 0, 0, 0, 0],  # "blue" is 1 of 3 for three of four.
        "polled": [1, 1, 1, 1, 1, 0, 0],
        "exact": [1, 0, 0, 0, 0, 1, 0],
        "keyed": [1, 1, 1, 1, 1, 1, 0],
    }
    assert all(column.dtype == np.float64 and column.shape == (7,) for column in columns.values())


def test_both_holds_the_columns_of_regions_and_of_answers() -> None:
    columns = measure_both([predicted("s", (0, 0, 2, 1))], [Truth("s", ("red",), (box_target(None),))])
    assert columns["iou"].tolist() == [0.5]
    assert columns["keyed"].tolist() == [1.0]
