"""Questions and answers as they are counted together."""

from __future__ import annotations

# Enough to tell "what color" from "what is", few enough that many questions begin alike.
PREFIX_WORDS = 2


def normalised(text: str) -> str:
    """Returns a question or answer as it is counted: lower case, single spaces, a final ? or . dropped.

    Example:
        >>> normalised("  What is  this? "), normalised("Blue.")
        ('what is this', 'blue')
    """
    plain = " ".join(text.lower().split())
    return plain[:-1].rstrip() if plain.endswith(("?", ".")) and len(plain) > 1 else plain


def question_prefix(question: str) -> str:
    """Returns the first two words of a question, normalised.

    Example:
        >>> question_prefix("What color  is this?"), question_prefix("Why?")
        ('what color', 'why')
    """
    return " ".join(normalised(question).split(" ")[:PREFIX_WORDS])
