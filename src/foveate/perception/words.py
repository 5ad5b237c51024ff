"""Words of a question as the phrase book compares them: lower case, without endings, without empty words."""

from __future__ import annotations

import re
import unicodedata

# Words that say how one asks, not what for. People stand here because nearly every question is about what they do.
EMPTY = frozenset(
    re.findall(
        r"\w+",
        """
        a about after all also am an and another any anything are around as at be been being because by can commonly
        could did do does during each either else etc ever everyday for from generally get give go had has have he help
        her here him his how i if in into is it item items its just kind let like made main make many may me might more
        most much must my need no not object objects of often on one or other others our out over own person people
        photo picture image place placed places please purpose put shall she should show so some somebody someone
        something sort such than that the their them then there these they thing things this those through to too type
        typically up us use used useful uses using usually very want was we were what when where which while why
        will with would you your yours man men woman women boy girl child children kid kids guy lady name called
        ladies adults humans
        """,
    )
)

# fmt: off
_IRREGULAR = {
    "knives": "knife", "mice": "mouse", "teeth": "tooth", "feet": "foot", "leaves": "leaf", "geese": "goose",
    "children": "child", "men": "man", "women": "woman", "calves": "calf", "shelves": "shelf", "drove": "drive",
    "ate": "eat", "eaten": "eat", "written": "write", "wrote": "write", "worn": "wear", "thrown": "throw",
    "caught": "catch", "drunk": "drink", "sat": "sit", "slept": "sleep", "ridden": "ride", "flown": "fly",
    "flies": "fly", "kept": "keep", "shown": "show", "skiing": "ski", "lying": "lie", "laid": "lay",
}
# fmt: on
# Nouns of their own, which would else be an ear, ice, a rail, cloth, …
_NO_ENDING = frozenset(
    ("earring", "icing", "railing", "clothing", "ceiling", "building", "pudding", "wedding", "stocking")
)
_VOWEL = re.compile("[aeiouy]")


def words(text: str) -> tuple[str, ...]:
    """Returns the words of a text in lower case, letters and digits of any script; ``'s`` and the like fall away.

    Example:
        >>> words("What's on the CAT's bed?")
        ('what', 'on', 'the', 'cat', 'bed')
    """
    plain = unicodedata.normalize("NFKC", text).lower().replace("’", "'")
    return tuple(re.findall(r"[^\W_]+", re.sub(r"'(s|re|ve|ll|d|m|t)\b", "", plain)))


def stem(word: str) -> str:
    """Returns a word without its commonest English endings, so that "rides", "riding" and "ride" are one.

    Example:
        >>> [stem(word) for word in ("rides", "riding", "cutting", "cherries", "dishes", "glass")]
        ['rid', 'rid', 'cut', 'cherry', 'dish', 'glass']
    """
    word = _IRREGULAR.get(word, word)
    if word.endswith(("ies", "ied")) and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes", "zes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        word = word[:-1]
    for ending in () if word in _NO_ENDING else ("ing", "ed"):
        root = word.removesuffix(ending)
        if root != word and len(root) > 2 and _VOWEL.search(root):
            # "cutting", but not "calling": l, s and z are double in the word itself.
            word = root[:-1] if root[-1] == root[-2] and root[-1] not in "lsz" else root
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def content_stems(text: str) -> frozenset[str]:
    """Returns the stems of the words that carry meaning.

    Example:
        >>> sorted(content_stems("What do we use to cut the bread?"))
        ['bread', 'cut']
    """
    return frozenset(stem(word) for word in words(text) if not {word, stem(word)} & EMPTY)
