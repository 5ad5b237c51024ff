"""What in a text looks private: numbers of cards and accounts, addresses, letters to a person. A hint, never a proof.

Text that was read from a photo has mistakes, so patterns are wide where a check digit says whether they are right, and
narrow where nothing does. What is found is said by kind and place, and never kept in full: `shown` hides the middle.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

# What a kind is called in tables, with what it means.
KINDS = {
    "face": "a face",
    "card_number": "a number with the check digit of a bank card (Luhn)",
    "expiry_date": "the date until which a card is valid",
    "account_number": "an account number (IBAN) with right check digits",
    "identity_paper": "words of a passport, identity card, driving or insurance paper",
    "machine_readable_zone": "the lines of a passport or identity card that machines read",
    "e_mail": "an e-mail address",
    "phone_number": "a phone number",
    "street_address": "a postal address",
    "letter": "words of a letter to a person, a bill or a prescription",
}


@dataclass(frozen=True, slots=True)
class Found:
    """Something private-looking in a text.

    Attributes:
        kind: A key of `KINDS`.
        said: What was found, its middle hidden.
        line: The number of the line that it begins in, from 0.
    """

    kind: str
    said: str
    line: int


def private_text(lines: Sequence[str]) -> list[Found]:
    """Returns what looks private in lines of text, in their order, each kind once a line.

    Args:
        lines: As they were read, one printed line each; a card's number may be broken over neighbours.

    Example:
        >>> [found.kind for found in private_text(["VISA", "4111 1111 1111 1111", "VALID THRU 09/27"])]
        ['card_number', 'expiry_date']
    """
    found = [Found(kind, hidden(text), number) for number, line in enumerate(lines) for kind, text in _of_line(line)]
    known = {(one.kind, one.line) for one in found}
    for number, text in _over_lines(lines):
        if not {("card_number", at) for at in range(number, number + 4)} & known:
            found.append(Found("card_number", hidden(text), number))
    found += [Found("expiry_date", hidden(text), number) for number, text in _expiry(lines)]
    return sorted(found, key=lambda one: (one.line, list(KINDS).index(one.kind)))


def hidden(text: str) -> str:
    """Returns a text with its middle hidden, so that a list of findings does not spread what it warns of.

    Example:
        >>> hidden("4111 1111 1111 1111"), hidden("ann@x.org")
        ('41…11', 'an…rg')
    """
    plain = " ".join(text.split())
    return plain if len(plain) <= 4 else f"{plain[:2]}…{plain[-2:]}"


def luhn(digits: str) -> bool:
    """Returns whether the last digit is the check digit of those before (ISO/IEC 7812-1).

    Example:
        >>> luhn("4111111111111111"), luhn("4111111111111112")
        (True, False)
    """
    doubled = [int(digit) * (2 if place % 2 else 1) for place, digit in enumerate(reversed(digits))]
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0


def iban(text: str) -> bool:
    """Returns whether the check digits of an account number are right (ISO 13616, remainder 1 of 97).

    Example:
        >>> iban("GB82 WEST 1234 5698 7654 32"), iban("GB82 WEST 1234 5698 7654 33")
        (True, False)
    """
    plain = "".join(text.split()).upper()
    return int("".join(str(int(letter, 36)) for letter in plain[4:] + plain[:4])) % 97 == 1


# Of the payment networks: Visa 4, Mastercard 2 and 5, American Express 34 and 37, Discover and Maestro 6, others 3.
_CARD = re.compile(r"(?<![\d.,])[2-6](?:[ -]?\d){12,18}(?!\d)")
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b")
_DATE = re.compile(r"\b(?:0[1-9]|1[0-2])\s?/\s?(?:\d{2}|20\d{2})\b")
_UNTIL = re.compile(r"\b(?:valid|thru|good thru|expires?|expiry|exp|month/year|until end)\b", re.IGNORECASE)
_FOOD = re.compile(r"\b(?:best|use|sell|bb|lot|enjoy)\b", re.IGNORECASE)
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PAPER = re.compile(
    r"\b(?:passport|identity card|identification card|driver'?s? licen[cs]e|driving licen[cs]e|date of birth|"
    r"social security|member id|policy (?:no|number)|medicare|personalausweis)\b|\bDOB\b",
    re.IGNORECASE,
)
_ZONE = re.compile(r"^[A-Z0-9<]{20,}$")
_PHONE = re.compile(
    r"(?<![\d.])(?:\+\d{1,3}[ .-]?(?:\(?\d{1,4}\)?[ .-]?){2,5}\d{2,4}|\(\d{3}\) ?\d{3}[ .-]\d{4}|"
    r"(?:1[-. ])?[2-9]\d{2}([-. ])\d{3}\1\d{4})(?!\d)"
)
# A business' number that everybody may call is nobody's private one.
_TOLL_FREE = re.compile(r"^(?:\+?1[-. ]?)?\(?8(?:00|33|44|55|66|77|88)\)?")
_STREET = re.compile(
    r"\b\d{1,5}[A-Za-z]?,? (?:[NSEW]\.? )?(?:[A-Z][\w'.-]+ ){1,3}"
    r"(?:St(?:reet)?|Ave(?:nue)?|R(?:oa)?d|Dr(?:ive)?|Lane|Ln|Blvd|Boulevard|Court|Ct|Way|Place|Pl|Hwy|Terrace)\b\.?",
    re.IGNORECASE,
)
_TOWN = re.compile(r"\b[A-Z][A-Za-z .]+,? [A-Z]{2},? \d{5}(?:-\d{4})?\b|\bP\.? ?O\.? Box \d+", re.IGNORECASE)
_LETTER = re.compile(
    r"^(?:dear|to whom it may)\b|\b(?:amount due|account (?:no|number)|statement date|invoice (?:no|number)|"
    r"billing address|pay this amount|prescription|refills?|patient(?: name)?|dr\. [A-Z]\w+ ?, ?m\.?d)\b|\brx ?#",
    re.IGNORECASE,
)


def _of_line(line: str) -> Iterator[tuple[str, str]]:
    for kind, find in _FINDERS:
        text = find(line)
        if text:
            yield kind, text


def _first(pattern: re.Pattern[str]) -> Callable[[str], str | None]:
    def find(line: str) -> str | None:
        match = pattern.search(line)
        return match.group() if match else None

    return find


def _card(line: str) -> str | None:
    return next((m.group() for m in _CARD.finditer(line) if _is_card(re.sub(r"\D", "", m.group()))), None)


def _is_card(digits: str) -> bool:
    return 13 <= len(digits) <= 19 and len(set(digits)) > 1 and luhn(digits)


def _account(line: str) -> str | None:
    return next((m.group() for m in _IBAN.finditer(line) if iban(m.group())), None)


def _zone(line: str) -> str | None:
    plain = line.replace(" ", "")
    return plain if plain.count("<") >= 4 and _ZONE.match(plain) else None


def _phone(line: str) -> str | None:
    return next((m.group() for m in _PHONE.finditer(line) if not _TOLL_FREE.match(m.group())), None)


def _expiry(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yields dates of months beside words of validity, on their line or a neighbouring one; those of food not."""
    for number, line in enumerate(lines):
        date = _DATE.search(line)
        near = " ".join(lines[max(number - 1, 0) : number + 2])
        if date and _UNTIL.search(near) and not _FOOD.search(near):
            yield number, date.group()


def _over_lines(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yields card numbers whose groups of four were read as up to four lines, one after another."""
    for number in range(len(lines)):
        group = lines[number : number + 4]
        if len(group) == 4 and all(re.fullmatch(r"\d{4}", line.strip()) for line in group):
            digits = "".join(line.strip() for line in group)
            if digits[0] in "23456" and _is_card(digits):
                yield number, digits


_FINDERS: tuple[tuple[str, Callable[[str], str | None]], ...] = (
    ("card_number", _card),
    ("account_number", _account),
    ("identity_paper", _first(_PAPER)),
    ("machine_readable_zone", _zone),
    ("e_mail", _first(_MAIL)),
    ("phone_number", _phone),
    ("street_address", lambda line: _first(_STREET)(line) or _first(_TOWN)(line)),
    ("letter", _first(_LETTER)),
)
