"""Questions that deny ("Is there no dog?"), and those that only sound so ("Isn't there a dog?")."""

from __future__ import annotations

import re

# "Isn't there a dog?" wants the answer that "Is there a dog?" gets.
_SOUNDS_SO = re.compile(r"^(is|are|was|were|do|does|did|has|have|could|can)nt?\b(?= )")
NOBODY = re.compile(r"\b(?:nobody|no ?one)\b")
# A "there" at the end was taken for a courtesy.
_NOBODY_THERE = re.compile(r"^(is|are) no people(?: there| here)?$")
_DENIES = re.compile(
    r"^(?P<asks>(?:is|are|was|were) (?:there|it|this|that|these|those|they|he|she)(?: also)?"
    r"|(?:do|does|did|can|could|has|have) (?:\w+ ){1,3}?(?:see|have|find|spot|show|contain|include|depict|got)"
    r"|(?:is|was) (?:the|this|that|my) (?:picture|photo|image|photograph|pic|shot)"
    r"|(?:do|does) (?:it|(?:the|this|that|my) \w+)(?= not (?:say|read|mention|show|contain|include|have)\b))"
    r" (?:not any|not|no)(?: (?P<rest>.+))?$"
)
# Where one of these is left in a question, what is not found is no "no".
NEGATIONS = frozenset(
    {"no", "not", "nor", "neither", "never", "none", "nothing", "without", "isn", "aren", "doesn", "don"}
)


def stated(plain: str) -> tuple[str, bool]:
    """Returns the words of a question without its denial, and whether there was one.

    A bare yes or no to a question that denies means both when it is read aloud.

    Example:
        >>> stated("is there no dog"), stated("isn there a dog"), stated("is nobody there")
        (('is there dog', True), ('is there a dog', False), ('is there people', True))
    """
    plain = NOBODY.sub("no people", _SOUNDS_SO.sub(r"\1", plain))
    plain = _NOBODY_THERE.sub(r"\1 there no people", plain)
    denies = _DENIES.search(plain)
    return (f"{denies['asks']} {denies['rest'] or ''}".strip(), True) if denies else (plain, False)
