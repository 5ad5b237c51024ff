"""The answers against the official script of VQA v2 (`vqaEval.py` of March 2021), run as it is under Python 2.7.

Nothing of it is kept here but what it gave: SHA-256 of the normalised texts, one a line, and mean accuracies.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import sha256

import numpy as np
import pytest

from foveate.core.predictions import Prediction
from foveate.core.truths import Truth
from foveate.metrics import vqa_accuracy
from foveate.metrics._answers import normalised
from tests.helpers import SHARED, needs_shared

pytestmark = pytest.mark.reference

PIECES = ("one", "a", "Dont", "1", ",", ".", "-", " ", "?")
STEMS = (
    "ai are ca could did do does had has have he how i I is it let might must need not ought sha she should somebody "
    "somebodyd someone something that there they was we were what when where who why wo would y'all you"
)
ENDINGS = ("n't", "'ve", "n't've", "'d", "'d've", "'s", "'ll", "'re", "'m", "'", "ing", "")
ODD = ("'twas", "ma'am", "o'clock", "y'all", "'ow's'at")
VIZWIZ = SHARED / "vizwiz" / "val_vqa_partial.json"


def short_texts() -> Iterator[str]:
    """Yields every sequence of at most five pieces."""
    for length in range(6):
        yield from map("".join, itertools.product(PIECES, repeat=length))


def spellings() -> Iterator[str]:
    """Yields contractions, real ones and others, with any of their apostrophes left out."""
    for word in (*ODD, *(stem + ending for stem in STEMS.split() for ending in ENDINGS)):
        parts = word.split("'")
        yield from (
            "".join(itertools.chain(*zip(parts, (*marks, ""), strict=True)))
            for marks in itertools.product(("'", ""), repeat=len(parts) - 1)
        )


@pytest.mark.parametrize(
    ("texts", "count", "changed", "digest"),
    [
        (short_texts, 66430, 65728, "3d902e288a27cc7fc7fd7a5831a363285432b07ad0e3690f7f63cea145cd8e25"),
        (spellings, 1186, 143, "7bf438b16d2660c3c947819b29282e261559c550be6c3bcd5d9c74137355d542"),
    ],
)
def test_the_normalisation(texts: Callable[[], Iterator[str]], count: int, changed: int, digest: str) -> None:
    raw = list(texts())
    ours = [normalised(text) for text in raw]
    assert len(raw) == count
    assert sum(one != other for one, other in zip(raw, ours, strict=True)) == changed
    assert sha256("\n".join(ours).encode()).hexdigest() == digest


def common(answers: list[str]) -> str:
    return Counter(answers).most_common(1)[0][0]


@needs_shared
@pytest.mark.parametrize(
    ("say", "expected"),
    [
        (common, 0.9303389272787101),
        (lambda answers: answers[0], 0.7168147416913458),
        (lambda answers: answers[-1].upper() + "?", 0.6814083580125042),
        (lambda answers: f"The {common(answers)}.", 0.8961171437973018),
        (lambda answers: "unanswerable", 0.33379401118789076),
    ],
)
def test_the_accuracy_on_vizwiz(say: Callable[[list[str]], str], expected: float) -> None:
    people = [[person["answer"] for person in sample["answers"]] for sample in json.loads(VIZWIZ.read_bytes())]
    predictions = [Prediction("s", "no_region", say(answers), reason="none") for answers in people]
    truths = [Truth("s", tuple(answers)) for answers in people]
    values = vqa_accuracy.reduce(vqa_accuracy.measure(predictions, truths), np.ones((1, len(truths))))
    assert values["n"].tolist() == [3039]
    assert values["value"][0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("answer", "expected"), [("yes", 1.0), ("no", 0.6)])
def test_the_authors_own_example(answer: str, expected: float) -> None:
    """Eight say yes and two say no: GT-Vision-Lab/VQA, issue 1."""
    columns = vqa_accuracy.measure(
        [Prediction("s", "no_region", answer, reason="none")], [Truth("s", ("yes",) * 8 + ("no",) * 2)]
    )
    assert columns["vqa"].tolist() == [expected]


def test_the_rules_of_the_published_page() -> None:
    """The examples of visualqa.org/evaluation.html."""
    assert normalised("dont") == "don't"
    assert normalised("100,978") == "100978"
    assert normalised("girl's") == "girl's"
    assert normalised("2:50 pm") == "2:50 pm"
