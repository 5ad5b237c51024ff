"""ImageNet's 1,000 names in plain words, and the things of the phrase book that they are: `imagenet_things.csv`."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from foveate.perception.phrase_book import whole_book
from foveate.perception.words import stem


@dataclass(frozen=True, slots=True)
class PlainName:
    """What one of ImageNet's names means.

    Attributes:
        said: In plain words, so coarse that the network can be right: "dog" for each of 120 breeds.
        thing: The name of the thing in the phrase book; empty where the book has none ("violin").
        groups: Stems of the wider words for it ("animal").
    """

    said: str
    thing: str
    groups: frozenset[str]


@lru_cache(maxsize=1)
def plain_names() -> Mapping[str, PlainName]:
    """Returns all of them by ImageNet's names, in the network's order."""
    text = files("foveate.perception").joinpath("imagenet_things.csv").read_text(encoding="utf-8")
    things = whole_book().things
    names: dict[str, PlainName] = {}
    for row in csv.DictReader(text.splitlines()):
        groups = things[row["thing"]].groups if row["thing"] else frozenset(stem(word) for word in row["group"].split())
        names[row["name"]] = PlainName(row["said"], row["thing"], groups)
    return names
