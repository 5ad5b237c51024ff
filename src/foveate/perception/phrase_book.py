"""The phrase book: what the 80 kinds of things are called and what they are for."""

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
class Kind:
    """What the book says of one kind.

    Attributes:
        name: The detector's name of it.
        display: What people are told.
        names: What people call it, each as stems in order.
        groups: Stems of the wider words for it ("animal").
        called: The same names, each as the stems that carry meaning.
        uses: Phrases of use, in the same form.
    """

    name: str
    display: str
    names: tuple[tuple[str, ...], ...]
    groups: frozenset[str]
    called: tuple[frozenset[str], ...]
    uses: tuple[frozenset[str], ...]


@dataclass(frozen=True, slots=True)
class PhraseBook:
    """All kinds, and how telling each stem is.

    Attributes:
        kinds: By the detector's names, in its order.
        weights: The rarity of each stem: the logarithm of 1 + kinds / kinds that use it.
        unknown: The weight of a stem that the book does not have, that of the rarest.
    """

    kinds: Mapping[str, Kind]
    weights: Mapping[str, float]
    unknown: float

    def weigh(self, stems: frozenset[str]) -> float:
        """Returns the sum of the stems' weights; in a fixed order, for the last digit's sake."""
        return math.fsum(self.weights.get(s, self.unknown) for s in sorted(stems))


@lru_cache(maxsize=1)
def phrase_book() -> PhraseBook:
    """Returns the book that ships with the package."""
    text = files("foveate.perception").joinpath("phrase_book.toml").read_text(encoding="utf-8")
    kinds = {name: _kind(name, raw) for name, raw in tomllib.loads(text).items()}
    used = Counter(s for kind in kinds.values() for s in frozenset[str]().union(*kind.called, *kind.uses))
    weights = {s: math.log(1 + len(kinds) / count) for s, count in used.items()}
    return PhraseBook(kinds, weights, unknown=math.log(1 + len(kinds)))


def display_name(kind: str) -> str:
    """Returns what people are told of a kind: "motorcycle" for the detector's "motorbike"."""
    return phrase_book().kinds[kind].display


def _kind(name: str, raw: Mapping[str, str | list[str]]) -> Kind:
    return Kind(
        name,
        display=str(raw["display"]),
        names=tuple(tuple(stem(word) for word in words(called)) for called in raw["names"]),
        groups=frozenset(stem(word) for word in raw["groups"]),
        called=_phrases(raw["names"]),
        uses=_phrases(raw["uses"]),
    )


def _phrases(texts: str | list[str]) -> tuple[frozenset[str], ...]:
    # A name like "man" carries no meaning in a question about use, and leaves nothing to compare.
    return tuple(stems for stems in map(content_stems, texts) if stems)
