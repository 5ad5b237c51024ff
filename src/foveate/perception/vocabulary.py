"""Questions and answers as numbers, for networks with a fixed vocabulary."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

# No word, and a word that was not there when the vocabulary was made.
NONE, UNKNOWN = 0, 1
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?|[?;,]", re.UNICODE)


def words_of(question: str) -> list[str]:
    """Returns a question's words, in lower case; of the marks only those that part a question.

    Example:
        >>> words_of("What's left of the RED cube?")
        ["what's", 'left', 'of', 'the', 'red', 'cube', '?']
    """
    return _WORD.findall(question.lower())


@dataclass(frozen=True)
class Words:
    """The words that a network knows.

    Attributes:
        words: In the order of their ids, from 2 on.
    """

    words: tuple[str, ...]
    _ids: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", tuple(self.words))
        object.__setattr__(self, "_ids", {word: number for number, word in enumerate(self.words, 2)})

    def __len__(self) -> int:
        """How many ids there are, with those of no word and of an unknown one."""
        return len(self.words) + 2

    @classmethod
    def of(cls, questions: Iterable[str], least: int = 1) -> Words:
        """Returns the words that stand in questions at least so often; the most frequent first."""
        counts = Counter(word for question in questions for word in words_of(question))
        ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
        return cls(tuple(word for word, count in ranked if count >= least))

    def ids(self, question: str, longest: int) -> list[int]:
        """Returns the ids of a question's words, of a longer one the first; of one without words that of an unknown."""
        return [self._ids.get(word, UNKNOWN) for word in words_of(question)[:longest]] or [UNKNOWN]


@dataclass(frozen=True)
class Answers:
    """The answers that a network can give.

    Attributes:
        answers: In the order of their classes.
    """

    answers: tuple[str, ...]
    _classes: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "answers", tuple(self.answers))
        object.__setattr__(self, "_classes", {answer: number for number, answer in enumerate(self.answers)})

    def __len__(self) -> int:
        """How many classes there are."""
        return len(self.answers)

    @classmethod
    def of(cls, answers: Iterable[str], most: int | None = None) -> Answers:
        """Returns the most frequent answers, of equal ones in the order of the alphabet."""
        ranked = sorted(Counter(answers).items(), key=lambda pair: (-pair[1], pair[0]))
        return cls(tuple(answer for answer, _ in ranked[:most]))

    def number(self, answer: str) -> int | None:
        """Returns an answer's class, or None where it has none."""
        return self._classes.get(answer)


def padded(rows: Sequence[Sequence[int]], width: int | None = None) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Returns ids ``int64 (B, L)`` with 0 where a row is over, and where there is one ``bool (B, L)``.

    Args:
        rows: Ids; each row has at least one.
        width: L; that of the longest row where None.
    """
    length = width or max(len(row) for row in rows)
    ids = np.zeros((len(rows), length), dtype=np.int64)
    for number, row in enumerate(rows):
        ids[number, : len(row)] = row
    there = np.arange(length)[None] < np.array([len(row) for row in rows])[:, None]
    return ids, there
