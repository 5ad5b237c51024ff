"""Which of the lines of text in a photo answer a question, as regions with scores."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from foveate.core.regions import Box, Region
from foveate.perception.questions import TextWish
from foveate.perception.read_text import TextLine
from foveate.perception.words import content_stems


@dataclass(frozen=True, slots=True)
class Reading:
    """Text that answers a question: the words, and where they stand, best first, at least one region."""

    answer: str
    regions: tuple[Region, ...]


# A line with a digit that is no date or price may still be the number that is meant.
_OTHER_DIGITS = 0.5
_DATE = re.compile(
    r"\d{1,4}[/-]\d{1,2}([/-]\d{2,4})?|\d{1,2}\.\d{1,2}\.\d{2,4}|\b(19|20)\d\d\b"
    r"|\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
)
_PRICE = re.compile(r"[$€£¥₽]\s*\d|\d+[.,]\d\d\b")
_ASKS_DATE = re.compile(r"\b(date|dates|when|expir\w*|best before|best by)\b", re.IGNORECASE)
_ASKS_PRICE = re.compile(r"\b(price|cost|costs|how much)\b", re.IGNORECASE)


def read_out(lines: Sequence[TextLine], wish: TextWish, question: str) -> Reading | None:
    """Returns what the lines say to a question about text, or None where none of them fits the wish.

    `all` gives every line, joined, and the box around them, then each line, weighted by its share of the letters.
    `tallest` gives the line with the tallest letters, which is a title or brand more often than not. `digits` gives
    the line that looks most like the date, price or number asked for; its score is shared with those as like.
    """
    if wish == "digits":
        lines = [line for line in lines if any(c.isdigit() for c in line.text)]
    if not lines:
        return None
    if wish == "all":
        return _everything(lines)
    if wish == "tallest":
        tallest = max(line.height for line in lines)
        return _best([(line, line.score * line.height / tallest) for line in lines])
    fits = [_fits(line.text, question) for line in lines]
    return _best([(line, line.score * fit / fits.count(max(fits))) for line, fit in zip(lines, fits, strict=True)])


def find_words(lines: Sequence[TextLine], question: str) -> Reading | None:
    """Returns the lines in which words of the question stand, weighted by the share of the words, or None."""
    asked = {stem for stem in content_stems(question) if len(stem) >= 3}
    rated = [(line, line.score * len(asked & content_stems(line.text)) / len(asked)) for line in lines if asked]
    hits = [(line, score) for line, score in rated if score > 0]
    return _best(hits) if hits else None


def _best(rated: Sequence[tuple[TextLine, float]]) -> Reading:
    ordered = sorted(rated, key=lambda pair: -pair[1])
    return Reading(ordered[0][0].text, tuple(Region(Box(line.xyxy), score, line.text) for line, score in ordered))


def _everything(lines: Sequence[TextLine]) -> Reading:
    answer = " ".join(line.text for line in lines)
    sure = sum(line.score for line in lines) / len(lines)
    left, top, right, bottom = zip(*(line.xyxy for line in lines), strict=True)
    block = Region(Box((min(left), min(top), max(right), max(bottom))), sure, answer)
    if len(lines) == 1:
        return Reading(answer, (block,))
    letters = sum(len(line.text) for line in lines)
    parts = [Region(Box(line.xyxy), sure * len(line.text) / letters, line.text) for line in lines]
    return Reading(answer, (block, *sorted(parts, key=lambda part: -(part.score or 0.0))))


def _fits(text: str, question: str) -> float:
    pattern = _DATE if _ASKS_DATE.search(question) else _PRICE if _ASKS_PRICE.search(question) else None
    return 1.0 if pattern is None or pattern.search(text.lower()) else _OTHER_DIGITS
