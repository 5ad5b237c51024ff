"""Answers in words: the official VQA normalisation, and the columns that the answer metrics reduce."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from foveate.core.predictions import Prediction
from foveate.core.truths import Truth
from foveate.metrics import _overlaps
from foveate.metrics._built import Built
from foveate.metrics._overlaps import Column, Columns, Values, check_pairs, means

# With fewer people three others cannot agree with each one who is left out, so that 1 is out of reach.
FEWEST_PEOPLE = 4

_MARKS = ';/[]"{}()=+\\_-><@`,?!'  # No apostrophe (girl's), no colon (2:50); `.` has a rule of its own.
_COMMA_IN_A_NUMBER = re.compile(r"[0-9],[0-9]")
# The official pattern begins with `(?!<=\d)`, a slip for `(?<!\d)` that is always true: "5." loses its period too.
_PERIOD = re.compile(r"\.(?![0-9])")
# The official call hands `re.UNICODE` (32) to the parameter `count`: a 33rd period stays.
_MOST_PERIODS = int(re.UNICODE)

_COUNTED = "zero one two three four five six seven eight nine ten"
# "none" is 0 officially, though it is seldom meant as a count.
_NUMBERS = {"none": "0", **{word: str(n) for n, word in enumerate(_COUNTED.split())}}
_ARTICLES = frozenset({"a", "an", "the"})

_STEMS = {
    "n't": "ai are ca could did does do had has have is might must need ought sha should was were wo would",
    "'ve": "could might must not should they we what where who would you",
    "n't've": "could had might should would",
    "'d": "he how it someone something there they where who you",
    "'d've": "he it she somebody someone something there they we who you",
    "'s": "he how somebody someone that there what when where who why",
    "'ll": "how it somebody someone something they what who why you",
    "'re": "there they what why you",
    "": "'twas ma'am o'clock y'all y'all'll y'all'd've 'ow's'at",
}


def _contractions() -> dict[str, str]:
    """Returns the right spelling of each contraction by each spelling that lacks one of its apostrophes.

    The official table has gaps, which are kept: "lets" and "shes" stay as they are, and so do "im" and "ive", whose
    entries begin with a capital and are looked up in lower case.
    """
    right = [stem + ending for ending, stems in _STEMS.items() for stem in stems.split()]
    table = {word[:at] + word[at + 1 :]: word for word in right for at, mark in enumerate(word) if mark == "'"}
    table["somebody'd"] = "somebodyd"  # The official entry is the wrong way round.
    return table


_CONTRACTIONS = _contractions()


@lru_cache(maxsize=1 << 16)
def normalised(answer: str) -> str:
    """Returns an answer as the official VQA evaluation compares it, with the quirks of that script.

    In this order: line ends and tabs become spaces; marks go (see `_without_marks`); lower case; number words become
    digits; articles go, so that the answer "A" is empty; contractions get their apostrophe back.

    References:
        Antol et al., "VQA: Visual Question Answering", ICCV 2015; GT-Vision-Lab/VQA, `vqaEval.py` as of March 2021.

    >>> normalised("The two dogs don't bark!")
    "2 dogs don't bark"
    """
    words = (_NUMBERS.get(word, word) for word in _without_marks(_tidied(answer)).lower().split())
    return " ".join(_CONTRACTIONS.get(word, word) for word in words if word not in _ARTICLES)


def _tidied(answer: str) -> str:
    return answer.replace("\n", " ").replace("\t", " ").strip()


def _without_marks(text: str) -> str:
    """Returns the text without punctuation.

    A mark becomes a space, and nothing where it stands beside a space anywhere in the text: "x-y" is "x y", but
    "x-y - z" is "xy  z". One comma inside a number turns every mark of the text into nothing.
    """
    number = _COMMA_IN_A_NUMBER.search(text) is not None
    marks = {
        ord(mark): "" if number or f"{mark} " in text or f" {mark}" in text else " " for mark in _MARKS if mark in text
    }
    return _PERIOD.sub("", text.translate(marks), count=_MOST_PERIODS)


def vqa_score(answer: str, answers: Sequence[str]) -> float:
    """Returns the mean of ``min(n / 3, 1)`` over leaving each person out once, n of the others giving this answer.

    Where all people wrote the very same, nothing is normalised, as in the official script: its authors did not want
    text that is read off a photo changed.

    Args:
        answer: The prediction's.
        answers: One a person; at least one.
    """
    given, people = _tidied(answer), [_tidied(a) for a in answers]
    if len(set(people)) > 1:
        given, people = normalised(given), [normalised(a) for a in people]
    same = people.count(given)
    others = len(people) - same
    # Whole numbers up to one division, so that 0.3, 0.6 and 0.9 are the very floats that a threshold names.
    return (same * min(same - 1, 3) + others * min(same, 3)) / (3 * len(people))


def expected(truth: Truth) -> str | None:
    """Returns the answer that counts as correct, as `matchable` gives it; None for a truth without answers.

    It is the targets' own where those that have one agree, else the most frequent; of equals the earliest.
    """
    of_targets = [matchable(target.answer) for target in truth.targets if target.answer]
    if len(set(of_targets)) == 1:
        return of_targets[0]
    # `Counter` keeps the order of first sight among equals.
    answers = Counter(map(matchable, truth.answers) if truth.answers else of_targets)
    return answers.most_common(1)[0][0] if answers else None


def right_answers(truth: Truth) -> frozenset[str]:
    """Returns the answers that are correct, as `matchable` gives them: of people's the expected one, else each."""
    if truth.answers and not truth.polled:
        return frozenset(map(matchable, truth.answers))
    key = expected(truth)
    return frozenset() if key is None else frozenset({key})


def matchable(answer: str) -> str:
    """Returns an answer normalised for exact match, with straight apostrophes.

    VizWiz's own table of contractions writes curly ones, so that its most common answer can be one that nobody gave.
    """
    return normalised(answer.replace("\u2019", "'"))


def measure(predictions: Sequence[Prediction | None], truths: Sequence[Truth]) -> Columns:
    """Returns one row a sample, each column ``float64 (N,)``.

    `answered` is 1 where the prediction has an answer that is not blank, whatever its status. `vqa` is the VQA accuracy
    and `polled` 1 where the truth has at least four answers of people; `exact` is 1 for the expected answer and `keyed`
    1 where the truth has one.

    Args:
        predictions: One a truth, in the same order; None where it is missing.
        truths: Where their `answers` are people's, a target's `answer` goes before them in `exact`; else each is exact.

    Raises:
        ValueError: The two differ in length.
    """
    check_pairs(predictions, truths)
    answered, vqa, polled, exact, keyed = np.zeros((5, len(truths)))
    for row, (prediction, truth) in enumerate(zip(predictions, truths, strict=True)):
        answer = prediction.answer if prediction is not None and prediction.answer else ""
        right = right_answers(truth)
        polled[row] = truth.polled and len(truth.answers) >= FEWEST_PEOPLE
        keyed[row] = bool(right)
        if answer.strip():
            answered[row] = 1.0
            vqa[row] = vqa_score(answer, truth.answers) if polled[row] else 0.0
            exact[row] = matchable(answer) in right
    return {"answered": answered, "vqa": vqa, "polled": polled, "exact": exact, "keyed": keyed}


# The columns of regions and of answers together.
measure_both = Built((_overlaps.measure, measure))


def why_not_answered(columns: Columns, judged: str) -> str | None:
    """Returns why answers have no value, or None where they may have one.

    Args:
        columns: As measured.
        judged: The column that says which truths have answers to judge by, `polled` or `keyed`.
    """
    if not columns[judged].any():
        people = f" of {FEWEST_PEOPLE} people or more" if judged == "polled" else ""
        return f"the data set has no answers{people}"
    return None if columns["answered"].any() else "the predictions have no answers"


def why_not_correct(columns: Columns, judged: str) -> str:
    """Returns why there is no sample that counts as correctly answered, where there is none."""
    return why_not_answered(columns, judged) or "no sample with a target is answered correctly"


def reduce_answers(columns: Columns, weights: Column, values: Column, of: Column) -> Values:
    """Returns the mean of `values` where `of` is 1; `value_scored` is that over the predictions with an answer.

    Where no prediction at all has an answer there is no value: a method that gives none is not a method that answers
    wrongly. That is judged on all samples, not on a resample, which may have lost the only answers by chance.
    """
    return where_answered(columns, means(values, of, of * columns["answered"], weights))


def where_answered(columns: Columns, reduced: Values) -> Values:
    """Returns values as they are; NaN, over no sample, where no prediction at all has an answer."""
    if columns["answered"].any():
        return reduced
    return {name: np.full_like(found, 0.0 if name == "n" else np.nan) for name, found in reduced.items()}


def reduce_correct(columns: Columns, weights: Column, correct: Column) -> Values:
    """Returns mean IoU over the samples that have a target and are `correct`; NaN where there are none."""
    return means(columns["iou"], columns["grounded"] * correct, columns["scored"] * correct, weights)
