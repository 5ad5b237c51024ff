"""The words for colours that people use, as the names that `name_colour` gives."""

from __future__ import annotations

import re
from collections.abc import Sequence

from foveate.perception.matching import named_spans
from foveate.perception.name_colour import NAMES
from foveate.perception.words import words

Shares = Sequence[tuple[str, float]]

_MEANS = {
    **{name: (name,) for name in NAMES},
    "gray": ("grey",),
    "silver": ("grey", "white"),
    "gold": ("yellow", "brown", "beige"),
    "golden": ("yellow", "brown", "beige", "orange"),
    "tan": ("beige", "brown"),
    "khaki": ("beige", "green", "brown"),
    "cream": ("beige", "white"),
    "navy": ("blue",),
    "olive": ("green",),
    "maroon": ("red", "purple", "brown"),
    "burgundy": ("red", "purple"),
    "violet": ("purple",),
    "lavender": ("purple",),
    "magenta": ("pink", "purple"),
    "teal": ("turquoise", "green", "blue"),
    "aqua": ("turquoise", "blue"),
}
# What one takes for the other where light is scarce or warm: white things are grey in the shade, dark red ones brown.
_IN_OTHER_LIGHT = frozenset(
    frozenset(pair.split("-"))
    for pair in re.findall(
        r"\S+",
        """
        white-grey white-beige grey-black red-brown orange-brown brown-black blue-black beige-brown yellow-beige
        """,
    )
)
# A colour counts as that of the thing from this share on, unless it is the largest.
LARGE = 0.3
_SHADES = frozenset({"light", "dark", "bright", "pale", "deep", "royal", "hot", "sky"})
_ARTICLES = frozenset({"a", "an", "any", "another", "oranges"})


def colours_in(text: str) -> tuple[str, ...]:
    """Returns the words for colours in a text, in its order; "an orange" is a fruit, "an orange cat" is none.

    Example:
        >>> colours_in("is there an orange on the dark blue plate")
        ('blue',)
    """
    tokens = words(text)
    return tuple(word for place, word in enumerate(tokens) if word in _MEANS and not _is_fruit(tokens, place))


def is_colour_word(word: str) -> bool:
    """Returns whether a word belongs to a colour: "red", "dark"."""
    return word in _MEANS or word in _SHADES


def share_of(word: str, shares: Shares) -> float:
    """Returns how much of a thing has a colour that the word may mean."""
    return sum(share for name, share in shares if name in _MEANS[word])


def has_colour(word: str, shares: Shares) -> bool:
    """Returns whether a thing is said to have a colour: its first one, or one with a large share."""
    return shares[0][0] in _MEANS[word] or share_of(word, shares) >= LARGE


def may_be(word: str, shares: Shares) -> bool:
    """Returns whether a thing's first colour is one that the word's may be taken for in other light."""
    return any(frozenset({shares[0][0], name}) in _IN_OTHER_LIGHT for name in _MEANS[word])


def _is_fruit(tokens: Sequence[str], place: int) -> bool:
    if tokens[place] != "orange" or place == 0 or tokens[place - 1] not in _ARTICLES:
        return False
    after = named_spans(tokens[place + 1 :])
    return not (after and after[0].start == 0)
