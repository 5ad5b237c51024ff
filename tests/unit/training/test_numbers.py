"""Losses, learning rates, targets and batches, by hand and by plain NumPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from foveate.core.queries import Query
from foveate.core.truths import Truth
from foveate.errors import InputError
from foveate.perception.vocabulary import Answers, Words
from foveate.training.batches import asked, in_order, read, shuffled
from foveate.training.examples import Examples, examples_of, right_answers, vocabularies
from foveate.training.losses import loss_of
from foveate.training.schedules import lr_at
from tests.unit.training.tasks import Painted, recipe


def test_losses_are_those_of_plain_numpy() -> None:
    random = np.random.default_rng(3)
    logits = random.normal(size=(4, 5)) * 3
    targets = np.round(random.random((4, 5)), 1)
    targets[:, 0] = 0.3
    share = 1 / (1 + np.exp(-logits))
    each = -(targets * np.log(share) + (1 - targets) * np.log(1 - share))
    choice = np.log(np.exp(logits).sum(axis=1, keepdims=True))
    of_all = -(targets / targets.sum(axis=1, keepdims=True) * (logits - choice)).sum(axis=1)

    one, other = torch.from_numpy(logits), torch.from_numpy(targets)
    assert float(loss_of(one, other, "bce")) == pytest.approx(each.mean() * 5)
    assert float(loss_of(one, other, "softmax")) == pytest.approx(of_all.mean())


def test_one_right_answer_costs_what_cross_entropy_of_its_class_costs() -> None:
    logits = torch.tensor([[0.0, 1.0, -2.0]])
    expected = torch.nn.functional.cross_entropy(logits, torch.tensor([1]))

    assert float(loss_of(logits, torch.tensor([[0.0, 1.0, 0.0]]), "softmax")) == pytest.approx(float(expected))


@pytest.mark.parametrize(
    ("schedule", "expected"),
    [
        ("constant", [0.5, 1, 1, 1, 1, 1]),
        ("linear", [0.5, 1, 1, 0.75, 0.5, 0.25]),
        ("cosine", [0.5, 1, 1, (1 + math.sqrt(0.5)) / 2, 0.5, (1 - math.sqrt(0.5)) / 2]),
        ("plateau", [0.5, 1, 1, 1, 1, 1]),
    ],
)
def test_learning_rates_by_hand(schedule: str, expected: list[float]) -> None:
    """Six steps, of which two rise; the fall begins at its height and would reach nought at the step that never is."""
    how = recipe(lr=1.0, schedule=schedule, warmup=1 / 3)

    assert [lr_at(how, step, 6, ()) for step in range(6)] == pytest.approx(expected)


def test_a_plateau_halves_after_each_epoch_that_is_no_better_than_the_best() -> None:
    how = recipe(lr=1.0, schedule="plateau")
    scores = [0.3, 0.4, 0.4, 0.2, 0.5]

    assert [lr_at(how, 9, 10, scores[:n]) for n in range(6)] == [1, 1, 1, 0.5, 0.25, 0.25]


def test_soft_targets_are_by_three_people_after_the_official_normalisation() -> None:
    """Ten people: `2` and `two` are one answer, `a` is no word, and an answer without letters is none."""
    ten = ("2", "two", "Two.", "2", "a dog", "dog", "the cat", "", "cat!", "bird")

    assert right_answers(Truth("q", ten)) == {
        "2": 1.0,
        "dog": pytest.approx(2 / 3),
        "cat": pytest.approx(2 / 3),
        "bird": pytest.approx(1 / 3),
    }
    assert right_answers(Truth("q", ("Large Metal", " "), polled=False)) == {"Large Metal": 1.0}
    assert right_answers(Truth("q")) == {}


def pairs(*rows: tuple[str, str, tuple[str, ...]]) -> list[tuple[Query, Truth]]:
    return [
        (Query(f"{n}", name, None, question, (4, 6)), Truth(f"{n}", answers))
        for n, (name, question, answers) in enumerate(rows)
    ]


def test_words_and_answers_come_from_the_training_split_alone() -> None:
    """`red` is the most frequent answer of two questions, `blue` and `two` of one each; two classes are kept."""
    split = pairs(
        ("a.jpg", "What colour?", ("red", "red", "blue")),
        ("b.jpg", "What is it?", ("red",) * 3),
        ("a.jpg", "How many?", ("2", "two", "one")),
        ("c.jpg", "What colour?", ("blue", "red", "blue")),
        ("c.jpg", "Why?", ()),
    )
    words, answers = vocabularies(split, 2, 2, "made")
    assert words.words == ("?", "what", "colour")
    assert answers.answers == ("red", "2")

    found = examples_of(split, words, answers, 3)
    assert found.names == ("a.jpg", "b.jpg", "c.jpg")
    assert found.photo.tolist() == [0, 1, 0, 2, 2]
    assert found.words.tolist() == [[3, 4, 2], [3, 1, 1], [1, 1, 2], [3, 4, 2], [1, 2, 0]]
    assert found.there.sum(axis=1).tolist() == [3, 3, 3, 3, 2]
    assert found.answered.tolist() == [True, True, True, True, False]
    expected = [[2 / 3, 0], [1, 0], [0, 2 / 3], [1 / 3, 0], [0, 0]]
    assert found.targets(np.arange(5), 2) == pytest.approx(np.array(expected))
    assert found.targets(np.array([3, 1]), 2) == pytest.approx(np.array(expected)[[3, 1]])


def test_names_of_what_was_seen_may_be_words_too() -> None:
    words, _ = vocabularies(pairs(("a.jpg", "Why?", ("no",))), 1, None, "made", ["traffic light", "why"])
    assert words.words == ("why", "?", "light", "traffic")


def test_a_split_without_answers_teaches_nothing() -> None:
    with pytest.raises(InputError, match="made: no question has an answer"):
        vocabularies(pairs(("a.jpg", "Why?", ())), 1, None, "made")


def questions(photos: list[int]) -> Examples:
    n, photo = len(photos), np.array(photos, dtype=np.int64)
    names = tuple(str(number) for number in range(max(photos) + 1))
    ids, there = np.full((n, 1), 2), np.ones((n, 1), dtype=np.bool_)
    first, classes = np.arange(n + 1), np.zeros(n, dtype=np.int64)
    return Examples(names, (None,) * len(names), photo, ids, there, first, classes, np.ones(n, dtype=np.float32))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(0, 6), min_size=1, max_size=40),
    st.integers(1, 5),
    st.integers(1, 4),
    st.integers(0, 2**31),
    st.integers(0, 9),
)
def test_each_question_is_asked_once_an_epoch_in_bundles(
    photos: list[int], many: int, most: int, seed: int, epoch: int
) -> None:
    examples, rows = questions(photos), np.arange(len(photos))
    batches = shuffled(examples, rows, many, most, seed, epoch)

    assert sorted(np.concatenate(batches).tolist()) == rows.tolist()
    bundles = sum(math.ceil(photos.count(photo) / most) for photo in set(photos))
    assert len(batches) == math.ceil(bundles / many)
    assert all(len(batch) <= many * most for batch in batches)
    again = shuffled(examples, rows, many, most, seed, epoch)
    assert all(np.array_equal(one, other) for one, other in zip(batches, again, strict=True))
    ordered = in_order(examples, rows, many)
    assert sorted(np.concatenate(ordered).tolist()) == rows.tolist()
    assert all(len(set(examples.photo[batch].tolist())) <= many for batch in ordered)


def test_another_epoch_is_another_order_and_splits_a_photos_questions_otherwise() -> None:
    examples, rows = questions([0] * 8 + [1] * 8), np.arange(16)
    one, other = (shuffled(examples, rows, 1, 4, 5, epoch) for epoch in (0, 1))

    assert [batch.tolist() for batch in one] != [batch.tolist() for batch in other]
    assert {frozenset(batch.tolist()) for batch in one} != {frozenset(batch.tolist()) for batch in other}


def test_a_photo_stands_once_in_a_batch_and_padding_is_cut() -> None:
    split = pairs(("b", "What is it?", ("x",)), ("a", "Why?", ("y",)), ("b", "Who?", ("y",)))
    found = examples_of(split, Words(("what", "is", "it", "why", "who", "?")), Answers(("x", "y")), 9)
    seen: list[tuple[str, ...]] = []

    class Named(Painted):
        def batch(self, names, words, there, photo):  # type: ignore[no-untyped-def]
            seen.append(tuple(names))
            return super().batch(["0" for _ in names], words, there, photo)

    one = asked(found, np.array([2, 1, 0]), Named(), 2)
    assert seen == [("b", "a")], "in the order in which the data set has them"
    assert one.batch.photo.tolist() == [0, 1, 0]
    assert one.batch.words.tolist() == [[6, 7, 0, 0], [5, 7, 0, 0], [2, 3, 4, 7]]
    third = pytest.approx(1 / 3)
    assert one.targets.tolist() == [[0, third], [0, third], [third, 0]]


def test_what_goes_wrong_in_reading_is_told_where_it_is_used() -> None:
    class Lost(Painted):
        def batch(self, names, words, there, photo):  # type: ignore[no-untyped-def]
            raise InputError("0.jpg", "it has no features", "Make them.")

    with pytest.raises(InputError, match=r"0\.jpg: it has no features"):
        list(read(questions([0, 1]), [np.array([0]), np.array([1])], Lost(), 1))


def test_reading_can_be_left_in_the_middle() -> None:
    batches = read(questions([0, 1, 2, 3, 4]), [np.array([n]) for n in range(5)], Painted(), 1)
    assert next(batches).rows.tolist() == [0]
    batches.close()
    assert list(batches) == []
