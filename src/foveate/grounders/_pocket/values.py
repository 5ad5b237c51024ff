"""Values that stand in text: how a date, a price, a time and the like are written, and which line holds the one meant.

Written from general knowledge of packets, displays and signs. What is no date by its form is never given as one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from foveate.perception.text_lines import TextLine
from foveate.perception.text_wishes import TextWish
from foveate.perception.words import content_stems

# How well a line fits, by its form; and what words for it in the line or beside it add, and those of the question.
_FORM = 0.8
_LOOSE = 0.4
_BY_WORDS = 0.1
_AS_ASKED = 0.2
# Words stand to the left of their value, at most so many heights away, or above it.
_FAR = 8.0
_ABOVE = 1.6
_ONE_ROW = 0.5

_MONTH = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?)"
)
_YEAR = r"(?:19|20)\d\d"
_UNIT = (
    r"(?:k?cal(?:ories)?|calories|kj|k?g|mg|mcg|grams?|fl\.? ?oz|oz|ounces?|lbs?|pounds?|ml|cl|lit(?:er|re)s?|l|%"
    r"|percent|v|volts?|w|watts?|k?wh|mah|tablets?|capsules?|pieces?|count|ct)"
)


@dataclass(frozen=True, slots=True)
class Value:
    """How a value is written.

    Attributes:
        noun: What it is called when there is none.
        form: Its own form, which is enough.
        loose: A form that other things share.
        words: Words that stand beside it.
        alone: Whether the loose form is enough without such words.
    """

    noun: str
    form: re.Pattern[str]
    loose: re.Pattern[str] | None = None
    words: re.Pattern[str] | None = None
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """A value in a line.

    Attributes:
        line: The line.
        value: As it is written there.
        fit: How well it fits, above 0 and at most 1.
        told: Whether its form, or words beside it, say what it is.
    """

    line: TextLine
    value: str
    fit: float
    told: bool = True


def _form(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), re.IGNORECASE)


VALUES: dict[TextWish, Value] = {
    "date": Value(
        "date",
        _form(
            rf"(?<![\d./-])\d{{1,2}}([./-])\d{{1,2}}\1(?:{_YEAR}|\d\d)(?![\d./-])",
            rf"(?<![\d./-]){_YEAR}[./-]\d{{1,2}}(?:[./-]\d{{1,2}})?(?![\d./-])",
            rf"(?<![\d./-])\d{{1,2}}[./-]{_YEAR}(?![\d./-])",
            rf"(?:(?<!\d)\d{{1,2}}[\s./-]*)?(?<![a-z]){_MONTH}(?![a-z])[\s.,'/-]*\d(?:[\d\s.,/-]*\d)?",
            rf"(?<!\d)\d{{1,2}}(?:st|nd|rd|th)?[\s./-]*(?<![a-z]){_MONTH}(?![a-z])",
        ),
        _form(r"(?<![\d./-])\d{1,2}[\s./-]\d{1,2}(?:[\s./-]\d\d)?(?![\d./-])", rf"(?<!\d){_YEAR}(?!\d)"),
        _form(r"\b(?:exp|expiry|expires?|expiration|best|before|use by|sell by|bb|bbe|bbd|date|until|mfg|mfd)\b"),
    ),
    "phone": Value(
        "telephone number",
        _form(
            r"\+\d[\d\s().-]{7,16}\d(?!\d)",
            r"(?<![\d-])(?:1[\s.-]?)?\(?\d{3}\)?[\s.-]\d{3}[\s.-]\d{4}(?![\d-])",
            r"(?<![\d-])0\d{2,4}[\s/-]\d{3,4}[\s-]?\d{2,5}(?![\d-])",
            r"(?<![\d-])\d{3}-\d{4}(?![\d-])",
        ),
        _form(r"(?<!\d)\d{7,11}(?!\d)", r"(?<!\d)\d{3}(?!\d)"),
        _form(r"\b(?:tel|telephone|phone|call|fax|mobile|dial|contact)\b"),
    ),
    "address": Value(
        "web or mail address",
        _form(
            r"(?:https?://|www\.)\S+",
            r"[\w.+-]+@[\w-]+\.\w{2,}",
            r"\b[\w-]{2,}\.(?:com|org|net|edu|gov|info|co\.uk|de|fr|eu|io|ca|au)(?:/\S*)?\b",
        ),
    ),
    "time": Value(
        "time",
        _form(
            r"(?<![\d:])(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:\s*[ap]\.?m\b\.?)?(?![\d:])",
            r"(?<!\d)(?:1[0-2]|0?[1-9])\s*[ap]\.?m\b",
        ),
    ),
    "duration": Value(
        "length of time",
        _form(r"\d+(?:\s*(?:-|–|to)\s*\d+)?\s*(?:minutes?|mins?|seconds?|secs?|hours?|hrs?)\b"),
    ),
    "temperature": Value(
        "temperature",
        _form(r"-?\d{1,3}(?:\.\d)?\s*(?:°|º|degrees?\b|deg\b)(?:\s*[cf]\b)?"),
        _form(r"^\W*-?\d{2,3}(?:\.\d)?\s*[cf]?$"),
        _form(r"\b(?:temp|temperature|set|heat|cool|inside|room|oven)\b"),
        alone=True,
    ),
    "money": Value(
        "amount of money",
        _form(
            r"[$€£¥₽₹]\s*\d+",
            r"\b(?:one|two|five|ten|twenty|fifty|(?:one )?hundred|\d+)\s+(?:dollars?|euros?|pounds?|rupees?|cents?)\b",
        ),
        _form(r"(?<![\d.,/-])(?:1|2|5|10|20|50|100|200|500|1000)(?![\d.,/-])"),
        _form(r"\b(?:dollars?|euros?|pounds?|rupees?|bank|america|reserve|cents?)\b"),
        alone=True,
    ),
    "price": Value(
        "price",
        _form(
            r"[$€£¥₽₹]\s*\d[\d.,]*",
            r"(?<![\d.,])\d[\d.,]*\s*(?:[€£¥₽₹¢]|(?:usd|eur|gbp|dollars?|cents?|euros?)\b)",
        ),
        _form(r"(?<![\d.,:/-])\d{1,4}[.,]\d\d(?![\d.,:/-]|\s*(?:%|(?:k?g|mg|oz|m?l|lbs?)\b))"),
        _form(r"\b(?:price|only|now|each|sale|total|save)\b"),
        alone=True,
    ),
    "amount": Value(
        "amount",
        _form(rf"(?<![\d.,])\d[\d.,]*\s*{_UNIT}(?![a-z])"),
        _form(r"\d+(?:[.,]\d+)?"),
        _form(r"\b(?:net|wt|weight|contents|contains|volume|dose)\b"),
    ),
    "number": Value(
        "number",
        _form(r"[\w.:/-]*\d[\w.:/-]*(?:\s\d[\w.:/-]*)*"),
        words=_form(r"\b(?:no|nr|number|lot|serial|model|ref|item|id)\b"),
    ),
}

_NO_MERE_NUMBERS: tuple[TextWish, ...] = ("date", "price", "time")
# Words of a question that say what sort of value is meant, and not which.
_SAID_OF_ANY = content_stems(
    "number numbers digit date price cost much say read text written time amount value phone telephone box package "
    "tell know see find thank picture"
)


def values_in(lines: Sequence[TextLine], wish: TextWish, question: str) -> list[Hit]:
    """Returns the lines that hold a value of the sort that is wished for, best first; those alike in their order."""
    value, asked = VALUES[wish], content_stems(question) - _SAID_OF_ANY
    hits = [_hit(line, wish, value, _told(line, lines, value, asked)) for line in lines]
    return sorted((hit for hit in hits if hit), key=lambda hit: -hit.fit)


def _hit(line: TextLine, wish: TextWish, value: Value, told: float) -> Hit | None:
    found = value.form.search(line.text)
    if found:
        # A date is a number too, but not the one that is meant when a number is asked for.
        other = wish == "number" and any(VALUES[each].form.search(line.text) for each in _NO_MERE_NUMBERS)
        return Hit(line, found[0].strip(), (_LOOSE if other else _FORM) + told)
    found = value.loose.search(line.text) if value.loose and (told or value.alone) else None
    return Hit(line, found[0].strip(), _LOOSE + told, told > 0) if found else None


def _told(line: TextLine, lines: Sequence[TextLine], value: Value, asked: frozenset[str]) -> float:
    """Returns what words for the value, or words of the question, add: in the line, to its left or above it."""
    texts = [other.text for other in lines if other is line or _leads_to(other, line)]
    if any(asked & content_stems(text) for text in texts):
        return _AS_ASKED
    return _BY_WORDS if value.words and any(value.words.search(text) for text in texts) else 0.0


def _leads_to(first: TextLine, second: TextLine) -> bool:
    a0, a1, a_down = first.span(second.orientation)
    b0, b1, b_down = second.span(second.orientation)
    height = (first.height + second.height) / 2
    if abs(b_down - a_down) <= _ONE_ROW * height:
        return -height <= b0 - a1 <= _FAR * height and a0 < b0
    return 0 < b_down - a_down <= _ABOVE * height and min(a1, b1) > max(a0, b0)
