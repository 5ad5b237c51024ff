from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from foveate.core.predictions import Prediction
from foveate.core.truths import Truth
from foveate.metrics import exact_match, vqa_accuracy
from foveate.metrics._answers import measure, normalised, vqa_score
from foveate.metrics._overlaps import Columns

Rows = Sequence[tuple[str | None, list[str]]]

MARKS = ';/[]"{}()=+\\_-><@`,?!'
pieces = st.sampled_from([*MARKS, ".", "'", " ", "\n", "\t", "1", "one", "None", "a", "The", "dont", "cat", "é"])
texts = st.lists(pieces, max_size=10).map("".join)
answers = st.sampled_from(["cat", "The cat.", "dog", "DOG!", "one", "1", ""])
people = st.lists(answers, min_size=4, max_size=11)
samples = st.lists(st.tuples(st.one_of(st.none(), answers), people), min_size=1, max_size=6)


def columns_of(rows: Rows) -> Columns:
    predictions = [Prediction("s", "no_region", answer, reason="none") for answer, _ in rows]
    return measure(predictions, [Truth("s", tuple(said)) for _, said in rows])


@given(texts)
def test_what_is_left_is_words_between_single_spaces(text: str) -> None:
    left = normalised(text)
    assert left == " ".join(left.split()) == left.lower()
    assert not set(left) & set(MARKS)
    assert not set(left.split()) & {"a", "an", "the", "one", "none"}


@given(texts, st.text(alphabet=" \n\t", max_size=3))
def test_space_around_and_capitals_do_not_matter(text: str, space: str) -> None:
    assert normalised(space + text.upper() + space) == normalised(text)


@given(answers, people)
def test_the_score_is_the_mean_over_leaving_each_person_out(answer: str, said: list[str]) -> None:
    alike = len(set(said)) == 1
    mine, theirs = (answer, said) if alike else (normalised(answer), list(map(normalised, said)))
    credits = [min(sum(t == mine for t in theirs[:i] + theirs[i + 1 :]) / 3, 1.0) for i in range(len(theirs))]
    assert abs(vqa_score(answer, said) - sum(credits) / len(credits)) < 1e-12


@given(answers, people, st.randoms(use_true_random=False))
def test_the_order_of_people_does_not_matter(answer: str, said: list[str], random: Random) -> None:
    mixed = list(said)
    random.shuffle(mixed)
    assert vqa_score(answer, mixed) == vqa_score(answer, said)


@given(samples, st.integers(0, 6))
def test_shards_concatenate(rows: Rows, cut: int) -> None:
    whole, first, rest = columns_of(rows), columns_of(rows[:cut]), columns_of(rows[cut:])
    for name, column in whole.items():
        assert np.array_equal(column, np.concatenate([first[name], rest[name]]))


@given(samples, st.data())
def test_a_weight_is_how_often_a_sample_was_drawn(rows: Rows, data: st.DataObject) -> None:
    times = data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows)))
    repeated = [row for row, count in zip(rows, times, strict=True) for _ in range(count)]
    # Whether a method gives answers at all is a matter of all samples, drawn or not.
    assume(columns_of(rows)["answered"].any() == columns_of(repeated)["answered"].any())
    for metric in (vqa_accuracy, exact_match):
        weighted = metric.reduce(columns_of(rows), np.array([times], dtype=np.float64))
        plain = metric.reduce(columns_of(repeated), np.ones((1, len(repeated))))
        for name, value in weighted.items():
            np.testing.assert_allclose(value, plain[name], rtol=0, atol=1e-12)
