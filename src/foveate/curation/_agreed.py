"""The most common answer of people, and how many of them gave it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from foveate.core.truths import Truth
from foveate.metrics._answers import matchable

# What people write where they have no answer, after the official normalisation.
NO_ANSWER = frozenset({"unanswerable", "unsuitable", "unsuitable image"})


@dataclass(frozen=True, slots=True)
class Agreed:
    """An answer that people share.

    Attributes:
        answer: As most of them wrote it.
        count: How many gave it.
        people: How many answered.
    """

    answer: str
    count: int
    people: int


def agreed(truth: Truth) -> Agreed | None:
    """Returns the most common answer after the official VQA normalisation; None without answers.

    Of equally common ones it is the earliest. An answer that says that there is none (`NO_ANSWER`) counts as any
    other; curly apostrophes count as straight ones.
    """
    keys = [matchable(answer) for answer in truth.answers]
    if not keys:
        return None
    key, count = Counter(keys).most_common(1)[0]
    spellings = Counter(answer for answer, its in zip(truth.answers, keys, strict=True) if its == key)
    return Agreed(spellings.most_common(1)[0][0], count, len(keys))


def agreed_raw(truth: Truth) -> Agreed | None:
    """Returns the most common answer letter by letter; None without answers.

    Where the data set states its most common answer it is that one, though nobody may have written it so.
    """
    if not truth.answers:
        return None
    said = stated(truth)
    answer, count = (said, truth.answers.count(said)) if said else Counter(truth.answers).most_common(1)[0]
    return Agreed(answer, count, len(truth.answers))


def stated(truth: Truth) -> str | None:
    """Returns the answer that the data set itself states for its targets, where that is one and the same."""
    own = {target.answer for target in truth.targets if target.answer}
    return own.pop() if len(own) == 1 else None


def shown_answer(truth: Truth) -> str:
    """Returns the answer to show for a sample: the one stated, else the most common; empty where there is none."""
    found = agreed(truth)
    return stated(truth) or (found.answer if found else "")
