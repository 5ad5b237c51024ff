"""How many of a thing a question claims there are: "two", "at least 2", "fewer than three"."""

from __future__ import annotations

import re
import sys

_SPELT = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBERS = {word: number for number, word in enumerate(_SPELT)}
_NUMBER = rf"(?P<number>\d{{1,4}}|{'|'.join(_SPELT)})"
_ANY_MORE = sys.maxsize
# "This one" and "no one" are no numbers.
_CLAIM = re.compile(
    r"(?<!\bthis )(?<!\bthat )(?<!\bno )(?<!\bany )(?<!\bwhich )(?<!\bthe )"
    r"\b(?:(?P<before>no more than|no (?:fewer|less) than|more than|over|at least|(?:fewer|less) than|under|at most"
    rf"|up to|exactly|only|just) )?{_NUMBER}(?: or (?P<after>more|fewer|less))?\b"
)


def claimed(plain: str) -> tuple[range | None, str]:
    """Returns how many there are if the claim is right, None without a claim; and the words that are left.

    Several numbers ("two or three dogs") are no claim that is understood.

    Example:
        >>> claimed("are there at most two dogs"), claimed("is there only one cat")[0]
        ((range(0, 3), 'are there dogs'), range(1, 2))
    """
    found = list(_CLAIM.finditer(plain))
    if len(found) != 1:
        return None, plain
    left = " ".join((plain[: found[0].start()] + plain[found[0].end() :]).split())
    return _claimed(found[0]), left


def _claimed(found: re.Match[str]) -> range:
    number = _NUMBERS[found["number"]] if found["number"] in _NUMBERS else int(found["number"])
    said = found["before"] or found["after"]
    if said in {"more than", "over"}:
        return range(number + 1, _ANY_MORE)
    if said in {"at least", "more", "no fewer than", "no less than"}:
        return range(number, _ANY_MORE)
    if said in {"fewer than", "less than", "under"}:
        return range(number)
    if said in {"at most", "up to", "no more than", "fewer", "less"}:
        return range(number + 1)
    return range(number, number + 1)
