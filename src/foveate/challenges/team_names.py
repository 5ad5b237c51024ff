"""Names of teams: which there may be, which two look alike, and what a team is called where it is to be nameless."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Final

from foveate.errors import InputError

LONGEST: Final = 60
LONGEST_KEY: Final = 200

# Categories of characters that nobody sees, or that turn a line around.
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Scripts whose letters are taken for one another.
_LOOK_ALIKE: Final = frozenset({"LATIN", "CYRILLIC", "GREEK"})
# Small letters by the Latin ones that they are taken for: Cyrillic, Greek, and what is one thing to a hasty eye.
_ALIKE: Final = {
    ord(letter): latin
    for latin, letters in {
        "a": "\u0430\u03b1",
        "b": "\u0432\u044c\u03b2",
        "c": "\u0441\u03f2",
        "d": "\u0501",
        "e": "\u0435\u03b5",
        "h": "\u04bb",
        "j": "\u0458",
        "k": "\u043a\u03ba",
        "l": "i1|\u0456\u04cf\u03b9",
        "m": "\u043c",
        "n": "\u03b7",
        "o": "0\u043e\u03bf",
        "p": "\u0440\u03c1",
        "q": "\u051b",
        "s": "\u0455",
        "t": "\u0442\u03c4",
        "u": "\u03c5",
        "v": "\u03bd",
        "w": "\u051d\u03c9",
        "x": "\u0445\u03c7",
        "y": "\u0443\u03b3",
    }.items()
    for letter in letters
}
_PAIRS: Final = (("rn", "m"), ("vv", "w"))

_COLOURS: Final = (
    *("Amber", "Azure", "Beige", "Bronze", "Cobalt", "Copper", "Coral", "Cream", "Cyan", "Ebony", "Emerald", "Garnet"),
    *("Gold", "Grey", "Indigo", "Ivory", "Jade", "Khaki", "Lemon", "Lilac", "Lime", "Magenta", "Maroon", "Mint"),
    *("Ochre", "Olive", "Opal", "Orange", "Pearl", "Pink", "Plum", "Purple", "Rose", "Ruby", "Rust", "Saffron"),
    *("Sand", "Scarlet", "Sepia", "Sienna", "Silver", "Teal", "Topaz", "Turquoise", "Umber", "Violet", "White", "Zinc"),
)
_MOST_NUMBER: Final = 999


def check_name(name: str) -> str:
    """Returns a name for a team in its one spelling: composed, without spaces around it or several in a row.

    Raises:
        InputError: It is empty, too long, has characters that nobody sees, mixes letters that are taken for one
            another in one word, or is kept for something else.
    """
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if not name:
        raise InputError("name", "it is empty", "Give the team a name.")
    if any(unicodedata.category(letter) in _UNSEEN for letter in name):
        raise InputError("name", "it has characters that cannot be seen", "Type it again instead of copying it.")
    if len(name) > LONGEST:
        raise InputError("name", f"it has {len(name)} characters, {LONGEST} may be", "Choose a shorter one.")
    for word in name.split():
        if len(scripts := sorted(_LOOK_ALIKE.intersection(map(_script, word)))) > 1:
            both = " and ".join(script.title() for script in scripts)
            raise InputError("name", f"{word} mixes {both} letters", "Write each word in letters of one kind.")
    key = folded(name)
    if not key or len(key) > LONGEST_KEY:
        raise InputError("name", "it has no letter or digit that tells it from others", "Choose another name.")
    if _is_alias(name):
        raise InputError("name", f"{name} is what a nameless team may be called", "Choose another name.")
    return name


def folded(name: str) -> str:
    """Returns what two names have in common that are taken for one another.

    Only letters and digits count, without case. Accents of Latin, Greek and Cyrillic letters do not; marks of other
    scripts, which make other sounds, do. Cyrillic and Greek letters are those that they look like; i, l, 1 and | are
    one, so are o and 0, rn and m, vv and w.

    References:
        Unicode Technical Standard #39, section 4 (confusable detection): the idea, not its table.

    Example:
        >>> folded("The  Öwls!") == folded("the 0WLS")
        True
    """
    kept, before = [], ""
    for letter in unicodedata.normalize("NFKD", name.casefold()).casefold():
        if unicodedata.category(letter).startswith("M"):
            kept.append("" if before in _LOOK_ALIKE else letter)
            continue
        before = _script(letter)
        kept.append(letter if letter.isalnum() or letter == "|" else "")
    plain = "".join(kept).translate(_ALIKE)
    for two, one in _PAIRS:
        plain = plain.replace(two, one)
    return plain


def alias(draw: Callable[[int], int], teams: int = 0) -> str:
    """Returns a name for a nameless team, as `Team Amber 12`.

    Args:
        draw: Draws a number from 0 up to its argument, not included; one that cannot be foreseen, so that the order in
            which teams were made is not told.
        teams: How many have one already; there are always many more names than these.
    """
    return f"Team {_COLOURS[draw(len(_COLOURS))]} {draw(max(_MOST_NUMBER, teams)) + 1}"


def _is_alias(name: str) -> bool:
    words = name.split()
    named = len(words) == 3 and words[2].isdecimal() and words[0].casefold() == "team"
    return named and words[1].casefold() in {colour.casefold() for colour in _COLOURS}


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]
