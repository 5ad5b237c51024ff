"""Questions made of the names of kinds, for data sets that have instances and no questions."""

from __future__ import annotations

_PLURALS = {
    "person": "people",
    "man": "men",
    "woman": "women",
    "child": "children",
    "knife": "knives",
    "mouse": "mice",
    "sheep": "sheep",
    "broccoli": "broccoli",
}
_ALWAYS_SEVERAL = frozenset({"scissors", "skis", "people", "glasses", "trousers"})
# What is not counted stands in the singular, however many pieces there are.
_UNCOUNTED = frozenset({"broccoli"})


def where_question(kind: str, *, several: bool) -> str:
    """Returns the question for the instances of a kind.

    Example:
        >>> where_question("dining table", several=False), where_question("person", several=True)
        ('Where is the dining table?', 'Where are the people?')
        >>> where_question("skis", several=False), where_question("broccoli", several=True)
        ('Where are the skis?', 'Where is the broccoli?')
    """
    if kind in _ALWAYS_SEVERAL:
        return f"Where are the {kind}?"
    if several and kind not in _UNCOUNTED:
        return f"Where are the {plural(kind)}?"
    return f"Where is the {kind}?"


def plural(kind: str) -> str:
    """Returns the plural of a kind's name; of several words the last one changes.

    Example:
        >>> plural("wine glass"), plural("bench"), plural("teddy bear"), plural("puppy"), plural("toy")
        ('wine glasses', 'benches', 'teddy bears', 'puppies', 'toys')
    """
    before, space, last = kind.rpartition(" ")
    if last in _PLURALS or last in _ALWAYS_SEVERAL:
        last = _PLURALS.get(last, last)
    elif last.endswith("y") and last[-2:-1] not in set("aeiou"):
        last = f"{last[:-1]}ies"
    else:
        last += "es" if last.endswith(("s", "x", "z", "ch", "sh")) else "s"
    return f"{before}{space}{last}"
