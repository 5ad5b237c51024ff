"""Numbers and texts as a report writes them."""

from __future__ import annotations

import re
import unicodedata

from markupsafe import Markup

from foveate.evaluation import wording

# What turns the direction of all text after it around, so that a sentence reads as another than it is.
_TURNS = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)])
_UNREADABLE = {"Cc", "Cs"}
_MARKDOWN = re.compile(r"([\\`*\[\]<>|#~])")
_PARTS = re.compile(r"(?<=[/_-])|(?=[.#])")
# What still fits a column of a table.
_LONG = 26
_WORDS = {"iou": "IoU", "vqa": "VQA", "aurc": "AURC", "ece": "ECE", "ap": "AP"}
MINUS = "\u2212"


def digits(value: float | None, *, sign: bool = False) -> str:
    """Returns a value to four digits with a minus as it is printed, or that it is not there."""
    return wording.digits(value, sign=sign).replace("-", MINUS)


def interval(low: float | None, high: float | None, *, sign: bool = False) -> str:
    """Returns an interval to four digits with a minus as it is printed, or that it is not there."""
    return wording.interval(low, high, sign=sign).replace("-", MINUS)


def short(value: float | None) -> str:
    """Returns a value to two digits, as a sample needs it."""
    return "n/a" if value is None else f"{value:.2f}"


def percent(share: float | None) -> str:
    """Returns a share in percent: two digits below ten, so that a small target does not become 0 %.

    Example:
        >>> percent(0.256), percent(0.0123), percent(0.00042)
        ('26 %', '1.2 %', '0.042 %')
    """
    if share is None:
        return "n/a"
    return f"{share * 100:.0f} %" if share >= 0.0995 or share == 0 else f"{share * 100:.2g} %"


def size_text(size: int) -> str:
    """Returns a file's size: `3.1 MB`, `12 KB`."""
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(1, round(size / 1e3)):,} KB"


def prose(metric: str) -> str:
    """Returns a metric's name as a sentence has it.

    Example:
        >>> prose("mean_iou"), prose("accuracy@0.5")
        ('mean IoU', 'accuracy@0.5')
    """
    name, at, parameter = metric.partition("@")
    return " ".join(_WORDS.get(word, word) for word in name.split("_")) + at + parameter


def plain(text: str) -> str:
    r"""Returns a text on one line, without what turns its direction, with a mark for each character that is no letter.

    Example:
        >>> plain("two\nlines\u202e and a \x00")
        'two lines and a \ufffd'
    """
    seen = ("\ufffd" if _unreadable(letter) else letter for letter in text.translate(_TURNS))
    return " ".join("".join(seen).split())


def _unreadable(letter: str) -> bool:
    """Returns whether a character is a control character, space apart, or half of one."""
    return unicodedata.category(letter) in _UNREADABLE and not letter.isspace()


def code_marked(text: str) -> Markup:
    """Returns a text in which what stands between backticks is shown as code."""
    parts = plain(text).split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if n % 2 and n < len(parts) - 1 else ("`" + part if n % 2 else part)
        for n, part in enumerate(parts)
    )


def parted(text: str) -> Markup:
    """Returns an id, a name or a path on one line; a long one may be parted after `/`, `_`, `-`, before `.` and `#`."""
    shown = plain(text)
    return Markup("<wbr>").join([shown] if len(shown) <= _LONG else _PARTS.split(shown))


def markdown(text: str) -> str:
    """Returns a text from outside for a cell or a line of Markdown, where it can start nothing."""
    return _MARKDOWN.sub(r"\\\1", plain(text))


def cut(text: str, length: int) -> str:
    """Returns a text of at most so many characters, with `…` where the rest was."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"
