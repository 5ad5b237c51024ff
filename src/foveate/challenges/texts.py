"""Whether a text is what it seems to be, wherever organisers and teams write some that others read."""

from __future__ import annotations

import unicodedata

# Control letters and halves of letters.
_UNSEEN = frozenset({"Cc", "Cs"})
# These turn the writing around also beyond the text that they are in. Marks of direction and isolates do not.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e")
_LINES = "\n\r\t"


def problem_of_text(text: str, most: int, *, lines: bool = True) -> str | None:
    r"""Returns what is wrong with a text, to follow "it"; or None.

    Args:
        text: The text.
        most: How many letters it may have.
        lines: Whether it may have several lines.

    Example:
        >>> problem_of_text("The \u202epuc", 200), problem_of_text("The cup", 200)
        ('holds letters that turn the writing around', None)
    """
    if len(text) > most:
        return f"has {len(text):,} letters, and at most {most:,} may be"
    if any(unicodedata.category(letter) in _UNSEEN and not (lines and letter in _LINES) for letter in text):
        return "holds control letters, which nobody sees"
    if not _TURNING.isdisjoint(text):
        return "holds letters that turn the writing around"
    return None
