"""Questions of a data set as numbers: words, and how right each answer is. Targets are never looked at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foveate.core.queries import Image, Query
from foveate.core.truths import Truth
from foveate.errors import InputError
from foveate.metrics._answers import normalised
from foveate.perception.vocabulary import Answers, Words, padded

# Of people who give the same answer so many make it wholly right.
FULL = 3


@dataclass(frozen=True, eq=False)
class Examples:
    """The questions of a split.

    Attributes:
        names: The photos' names, in the order in which they first come.
        images: The photos; None where one is absent.
        photo: Of each question its place in `names` ``int64 (N,)``.
        words: Ids ``int64 (N, L)``.
        there: Where there is a word ``bool (N, L)``.
        first: Where each question's answers begin in `classes` and `values` ``int64 (N + 1,)``.
        classes: The answers that are right at all, by class ``int64 (T,)``.
        values: How right each is ``float32 (T,)``, above 0, at most 1.
    """

    names: tuple[str, ...]
    images: tuple[Image | None, ...]
    photo: NDArray[np.int64]
    words: NDArray[np.int64]
    there: NDArray[np.bool_]
    first: NDArray[np.int64]
    classes: NDArray[np.int64]
    values: NDArray[np.float32]

    def __len__(self) -> int:
        """How many questions there are."""
        return len(self.photo)

    @property
    def answered(self) -> NDArray[np.bool_]:
        """Which questions have a right answer among the classes ``(N,)``."""
        return np.diff(self.first) > 0

    def targets(self, rows: NDArray[np.int64], classes: int) -> NDArray[np.float32]:
        """Returns how right each class is for some questions ``float32 (B, A)``."""
        found = np.zeros((len(rows), classes), dtype=np.float32)
        for place, row in enumerate(rows):
            part = slice(self.first[row], self.first[row + 1])
            found[place, self.classes[part]] = self.values[part]
        return found


def right_answers(truth: Truth) -> dict[str, float]:
    """Returns each answer that is right at all, as a network says it, with how right it is.

    Where answers are one a person: the share of three who gave it, at most 1, after the official normalisation; else
    each is wholly right, as it is written.

    References:
        Antol and others: VQA, ICCV 2015, section 3; the soft targets of Teney and others, CVPR 2018, section 3.5.
    """
    if not truth.polled:
        return dict.fromkeys((answer.strip() for answer in truth.answers if answer.strip()), 1.0)
    counts = Counter(told for told in map(normalised, truth.answers) if told)
    return {answer: min(count / FULL, 1.0) for answer, count in counts.items()}


def vocabularies(
    pairs: Sequence[tuple[Query, Truth]],
    least_word: int,
    most_answers: int | None,
    where: str,
    names: Sequence[str] = (),
) -> tuple[Words, Answers]:
    """Returns the words and answers of a training split.

    Of answers that people gave the most frequent one of each question counts, of equal ones the first.

    Args:
        pairs: Its questions and what is right.
        least_word: How often a word must stand there.
        most_answers: How many of the most frequent answers are classes; None for all.
        where: The data set, for messages.
        names: Further texts whose words count, such as names of what was seen.

    Raises:
        InputError: No question has an answer.
    """
    words = Words.of((*(query.question for query, _ in pairs), *names), least_word)
    rights = (right_answers(truth) for _, truth in pairs)
    answers = Answers.of((max(right, key=lambda one: right[one]) for right in rights if right), most_answers)
    if not answers:
        raise InputError(where, "no question has an answer", "Train on a split whose answers are public.")
    return words, answers


def examples_of(pairs: Sequence[tuple[Query, Truth]], words: Words, answers: Answers, longest: int) -> Examples:
    """Returns questions as numbers; answers beyond the vocabulary are no classes and leave no trace."""
    places: dict[str, int] = {}
    images: list[Image | None] = []
    photo, ids, classes, values, first = [], [], [], [], [0]
    for query, truth in pairs:
        if query.image_name not in places:
            places[query.image_name] = len(places)
            images.append(query.image)
        photo.append(places[query.image_name])
        ids.append(words.ids(query.question, longest))
        for answer, value in right_answers(truth).items():
            number = answers.number(answer)
            if number is not None:
                classes.append(number)
                values.append(value)
        first.append(len(classes))
    rows, there = padded(ids, longest)
    return Examples(
        tuple(places),
        tuple(images),
        np.array(photo, dtype=np.int64),
        rows,
        there,
        np.array(first, dtype=np.int64),
        np.array(classes, dtype=np.int64),
        np.array(values, dtype=np.float32),
    )
