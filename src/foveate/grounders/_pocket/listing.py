"""Things with their numbers in words, as they are read aloud: "at least two people, a dog and a frisbee"."""

from __future__ import annotations

from collections.abc import Sequence

_PLURALS = {
    "person": "people", "man": "men", "woman": "women", "child": "children",
    "knife": "knives", "mouse": "mice", "sheep": "sheep",
}  # fmt: skip
# What is not counted, beside what stands in the plural by itself ("skis").
_UNCOUNTED = frozenset({"broccoli", "coffee", "soup", "food", "bread", "pasta", "wine", "water", "corn", "wool", "hay"})


def counted(name: str, least: int) -> str:
    """Returns how many of a thing there are at least, in words.

    Example:
        >>> counted("person", 1), counted("person", 2), counted("wine glass", 7)
        ('a person', 'at least two people', 'several wine glasses')
    """
    if least == 1:
        return with_article(name)
    return f"at least two {plural(name)}" if least == 2 else f"several {plural(name)}"


def with_article(name: str) -> str:
    """Returns one thing with its article; what is not counted goes without.

    Example:
        >>> with_article("umbrella"), with_article("unicycle"), with_article("skis"), with_article("coffee")
        ('an umbrella', 'a unicycle', 'skis', 'coffee')
    """
    if name in _UNCOUNTED or _is_plural(name):
        return name
    return f"{'an' if name[0].lower() in 'aeiou' and not name.startswith('uni') else 'a'} {name}"


def plural(name: str) -> str:
    """Returns the plural of what a thing is called.

    Example:
        >>> plural("hair dryer"), plural("bus"), plural("toothbrush"), plural("scissors")
        ('hair dryers', 'buses', 'toothbrushes', 'scissors')
    """
    *before, last = name.split()
    if last in _PLURALS:
        last = _PLURALS[last]
    elif not _is_plural(last):
        last += "es" if last.endswith(("s", "ch", "sh", "x")) else "s"
    return " ".join([*before, last])


def listed(told: Sequence[str]) -> str:
    """Returns several as one phrase.

    Example:
        >>> listed(["a cat"]), listed(["a cat", "a dog", "two birds"])
        ('a cat', 'a cat, a dog and two birds')
    """
    return told[0] if len(told) == 1 else f"{', '.join(told[:-1])} and {told[-1]}"


def shortened(text: str, most: int = 12) -> str:
    """Returns the first words of a text, with a sign that there are more."""
    parts = text.split()
    return " ".join(parts[:most]) + (" …" if len(parts) > most else "")


def _is_plural(name: str) -> bool:
    return name in _PLURALS.values() or (name.endswith("s") and not name.endswith(("ss", "us")))
