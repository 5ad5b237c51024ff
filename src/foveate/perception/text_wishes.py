"""What a question about text wants to hear: all of it, its main words, or a value such as a date."""

from __future__ import annotations

import re
from typing import Literal

from foveate.perception.words import words

TextWish = Literal[
    "all", "main", "longest",
    "date", "phone", "address", "time", "duration", "temperature", "price", "money", "amount", "number",
]  # fmt: skip

_IT = "(it|this|that|these|those|they|one|the|a|an|my)"
# The first that fits counts: a phone number is no other number, and a price no other amount.
_WISHES: tuple[tuple[TextWish, re.Pattern[str]], ...] = (
    ("date", re.compile(r"\b(dates?|dated|expir\w*|best (before|by)|sell by|use by|good (until|till)|outdated)\b")),
    ("phone", re.compile(r"\b((tele)?phone|fax|contact) (number|no)\b|\bnumber to (call|ring|phone)\b")),
    ("address", re.compile(r"\b(web ?sites?|web (address|page)|e ?mail( address)?|urls?)\b")),
    ("temperature", re.compile(r"\b(temperature|thermostat|degrees|how (hot|cold|warm))\b")),
    ("duration", re.compile(r"\bhow (long|many (minutes|hours|seconds))\b|\bcooking time\b")),
    ("time", re.compile(r"\b(what time|the time|time is it|clock (says?|shows?|reads?)|time left)\b")),
    ("money", re.compile(r"\b(denomination|how much money|(bank ?note|dollar|bill|coin) (is|are) (this|that|it)"
                         r"|(value|amount) of (this|the|that|my) (\w+ )?(bill|bank ?note|note|coin|money))\b")),
    ("price", re.compile(rf"\b(prices?|priced|cost|costs|costing|how much (is|are|for|do|does) {_IT}\b"
                         r"(?!.*\b(weigh\w*|hold|contain\w*|left|in)\b))\b")),
    ("amount", re.compile(r"\b(how much|calories|sodium|carbs|carbohydrates|grams|ounces|milligrams?|dosage|dose"
                          r"|strength|percent(age)?|weigh\w*|weight|servings?|volume|voltage|wattage)\b")),
    ("number", re.compile(r"\b(numbers?|digits?|how many)\b")),
    ("longest", re.compile(r"\bparagraphs?\b")),
    ("main", re.compile(r"\b(brand|title|titled|name|headline|logo|flavou?rs?|scent|fragrance|variety|who makes"
                        r"|(what|which) (kind|type|sort|book|movie|film|magazine|product|cd|dvd|game|album))\b")),
)  # fmt: skip
_EVERY_WORD = re.compile(
    r"\b(all|everything|entire|whole|full|small print|fine print|ingredients|instructions|directions)\b"
)


def text_wish(question: str) -> TextWish:
    """Returns what a question about text wants to hear.

    `all`: what it says. `main`: the brand, title, name or sort. `longest`: the paragraph. The others are values, each
    with a form of its own: a `date`, a `phone` number, a web or mail `address`, a `temperature`, a `duration`, a `time`
    of day, `money` (what a note is worth), a `price`, an `amount` with its unit, and any other `number`.

    Example:
        >>> text_wish("What does it say?"), text_wish("When does it expire?"), text_wish("How much sodium is in this?")
        ('all', 'date', 'amount')
    """
    plain = " ".join(words(question))
    return next((wish for wish, pattern in _WISHES if pattern.search(plain)), "all")


def wants_every_word(question: str) -> bool:
    """Returns whether a question asks for all of the text, the small print too.

    Example:
        >>> wants_every_word("Read me all of it."), wants_every_word("What does the box say?")
        (True, False)
    """
    return _EVERY_WORD.search(" ".join(words(question))) is not None
