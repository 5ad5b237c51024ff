"""Text: the line or block that answers, with its reading."""

from __future__ import annotations

from foveate.grounders._pocket.finding import Finding
from foveate.grounders._pocket.lines import Reading, find_words, read_out
from foveate.grounders._pocket.seen import Seen
from foveate.grounders._pocket.things import MOST_CANDIDATES
from foveate.perception.questions import Asked, text_wish
from foveate.perception.words import words

_NO_TEXT = "There is no text that pocket can read in this photo."


def find(seen: Seen, asked: Asked) -> Finding:
    """Returns the text that answers a question, and where it stands, or why there is none."""
    lines, wish = seen.lines, text_wish(asked.text)
    # "Where does it say exit?" tells the words and wants their place.
    hit = find_words(lines, asked.text) if words(asked.text)[:1] == ("where",) else None
    reading = hit or read_out(lines, wish, asked.text)
    if reading:
        return _finding(reading)
    return Finding(reason="pocket reads text in this photo, but no number." if lines else _NO_TEXT)


def find_said(seen: Seen, question: str) -> Finding | None:
    """Returns the lines in which words of the question stand, or None: the second resort of questions about things."""
    hit = find_words(seen.lines, question)
    return _finding(hit) if hit else None


def read_all(seen: Seen, question: str) -> Finding | None:
    """Returns all text, joined, or None where there is none: what "What is this?" adds to the thing's name."""
    reading = read_out(seen.lines, "all", question)
    return _finding(reading) if reading else None


def _finding(reading: Reading) -> Finding:
    return Finding(reading.answer, reading.regions[:MOST_CANDIDATES], answer_score=reading.regions[0].score)
