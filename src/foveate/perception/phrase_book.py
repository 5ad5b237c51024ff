"""The phrase book: what things are called and are for; the detector's 80 kinds, and everyday things beside them."""

from __future__ import annotations

import math
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from foveate.perception.words import content_stems, stem, words


@dataclass(frozen=True, slots=True)
class Thing:
    """What the book says of one kind of thing.

    Attributes:
        name: The detector's name of it, or ours where the detector does not know it.
        display: What people are told.
        called: What people call it, the commonest name first.
        uses: Phrases of use.
        groups: Stems of the wider words for it ("animal").
        names: The same names, each as stems in order.
        name_stems: The same names, each as the stems that carry meaning.
        use_stems: The same phrases of use, in the same form.
    """

    name: str
    display: str
    called: tuple[str, ...]
    uses: tuple[str, ...]
    groups: frozenset[str]
    names: tuple[tuple[str, ...], ...]
    name_stems: tuple[frozenset[str], ...]
    use_stems: tuple[frozenset[str], ...]


@dataclass(frozen=True, slots=True)
class PhraseBook:
    """Things, and how telling each stem is.

    Attributes:
        things: By name, in the book's order.
        weights: The rarity of each stem: the logarithm of 1 + things / things that use it.
        unknown: The weight of a stem that the book does not have, that of the rarest.
    """

    things: Mapping[str, Thing]
    weights: Mapping[str, float]
    unknown: float

    def weigh(self, stems: frozenset[str]) -> float:
        """Returns the sum of the stems' weights; in a fixed order, for the last digit's sake."""
        return math.fsum(self.weights.get(s, self.unknown) for s in sorted(stems))


@lru_cache(maxsize=1)
def phrase_book() -> PhraseBook:
    """Returns the book of the 80 kinds that the detector finds, in its order."""
    return _book(_read("phrase_book.toml"))


@lru_cache(maxsize=1)
def whole_book() -> PhraseBook:
    """Returns the book of the 80 kinds and of the things that the detector does not know, in this order."""
    return _book({**phrase_book().things, **_read("more_things.toml")})


@lru_cache(maxsize=1)
def thing_of_name() -> Mapping[tuple[str, ...], str]:
    """Returns the thing that each name means, by the name's stems; where two share a name, the first of the book."""
    things = whole_book().things.values()
    return {stems: thing.name for thing in reversed(list(things)) for stems in thing.names}


def display_name(thing: str) -> str:
    """Returns what people are told of a thing: "motorcycle" for the detector's "motorbike"."""
    return whole_book().things[thing].display


def _read(file: str) -> dict[str, Thing]:
    text = files("foveate.perception").joinpath(file).read_text(encoding="utf-8")
    return {name: _thing(name, raw) for name, raw in tomllib.loads(text).items()}


def _book(things: Mapping[str, Thing]) -> PhraseBook:
    of_things = (frozenset[str]().union(*thing.name_stems, *thing.use_stems) for thing in things.values())
    used = Counter(each for stems in of_things for each in stems)
    weights = {s: math.log(1 + len(things) / count) for s, count in used.items()}
    return PhraseBook(things, weights, unknown=math.log(1 + len(things)))


def _thing(name: str, raw: Mapping[str, str | list[str]]) -> Thing:
    return Thing(
        name,
        display=str(raw.get("display", name)),
        called=tuple(raw["names"]),
        uses=tuple(raw["uses"]),
        groups=frozenset(stem(word) for word in raw.get("groups", ())),
        names=tuple(tuple(stem(word) for word in words(called)) for called in raw["names"]),
        name_stems=_phrases(raw["names"]),
        use_stems=_phrases(raw["uses"]),
    )


def _phrases(texts: str | list[str]) -> tuple[frozenset[str], ...]:
    # A name like "man" carries no meaning in a question about use, and leaves nothing to compare.
    return tuple(stems for stems in map(content_stems, texts) if stems)
