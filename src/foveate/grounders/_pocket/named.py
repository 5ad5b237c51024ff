"""What the words for a thing name: kinds of the detector, a group of them, one sort of a kind, or nothing it finds."""

from __future__ import annotations

import re
from dataclasses import dataclass

from foveate.perception.matching import named_spans
from foveate.perception.phrase_book import phrase_book
from foveate.perception.words import stem, words

_PERSON = "person"
_ANYONE = frozenset(re.findall(r"\w+", "anyone anybody someone somebody everyone everybody humans he she him her"))
# What is one sort of a kind only: the detector sees a person, and cannot tell a woman from a man.
_ONE_SORT = frozenset(
    stem(word)
    for word in re.findall(
        r"\w+",
        """
        man woman boy girl child kid baby lady guy player athlete driver rider surfer skier skateboarder batter pitcher
        chef taxi cab sedan van suv hearse pickup ship sailboat canoe kayak yacht ferry coach minibus tram subway metro
        locomotive seagull pigeon duck parrot eagle owl goose swan chicken penguin crow sparrow hen kitten puppy pup
        hound pony foal lamb goat bull calf ox grizzly panda football basketball baseball volleyball armchair stool
        sausage cupcake cheesecake thermos canteen ladle teaspoon novel textbook freezer
        """,
    )
)
_ONE_SORT_IN_TWO = frozenset(
    {"police car", "fire truck", "fire engine", "polar bear", "soccer ball", "tennis ball", "alarm clock"}
)


@dataclass(frozen=True, slots=True)
class Named:
    """What the words for a thing name.

    Attributes:
        head: The words of the thing itself, "car" of "red car"; all of them where nothing is named.
        before: What is said of it before, "red".
        kinds: The detector's kinds that it may be; empty for a thing that the detector does not know.
        exact: Whether such a kind is the very thing; not so for a group ("animals": there are others beside the ten
            kinds) and for one sort of a kind ("puppy").
    """

    head: str
    before: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    exact: bool = False


def named(text: str) -> Named:
    """Returns what the words for a thing name; the last noun decides, so that a cat's eyes are no cat.

    Example:
        >>> named("red car")
        Named(head='car', before=('red',), kinds=('car',), exact=True)
        >>> named("cat's eyes").kinds
        ()
    """
    tokens = words(text)
    if not tokens:
        return Named("")
    if tokens[-1] in _ANYONE:
        return Named(tokens[-1], tokens[:-1], (_PERSON,), exact=True)
    spans = named_spans(tokens)
    start = spans[-1].start if spans and spans[-1].stop == len(tokens) else len(tokens) - 1
    head, before = tokens[start:], tokens[:start]
    kinds = _kinds_called(tuple(stem(word) for word in head))
    if kinds:
        return Named(" ".join(head), before, kinds, exact=not _is_one_sort(head))
    members = _members(tokens[-1])
    return Named(tokens[-1], tokens[:-1], members) if members else Named(" ".join(tokens))


def last_named(plain: str) -> str:
    """Returns the words of the last thing of the book that a text names, or an empty text."""
    tokens = words(plain)
    spans = named_spans(tokens)
    return " ".join(tokens[spans[-1].start : spans[-1].stop]) if spans else ""


def _kinds_called(stems: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(thing.name for thing in phrase_book().things.values() if stems in thing.names)


def _is_one_sort(head: tuple[str, ...]) -> bool:
    return stem(head[-1]) in _ONE_SORT if len(head) == 1 else " ".join(head).removesuffix("s") in _ONE_SORT_IN_TWO


def _members(word: str) -> tuple[str, ...]:
    return tuple(thing.name for thing in phrase_book().things.values() if stem(word) in thing.groups)
