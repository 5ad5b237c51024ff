"""Photos that are only pretended, and what `pocket` pretends to see in them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.core.predictions import Prediction
from foveate.core.soft_maps import SoftMap
from foveate.grounders import pocket
from foveate.grounders._pocket import things
from foveate.perception import blank, embed_image, mask_in_box, name_things, propose, read_text, spot_things
from foveate.perception.matching import match_things
from foveate.perception.phrase_book import phrase_book, whole_book
from foveate.perception.rank_things import chances

Sides = tuple[float, float, float, float]
KINDS = tuple(phrase_book().things)
SIZE: SizeHW = (200, 300)


@dataclass
class Photo:
    """A photo in memory that counts how often it is decoded."""

    size_hw: SizeHW = SIZE
    name: str = "photo.jpg"
    loads: int = 0

    def load(self) -> NDArray[np.uint8]:
        self.loads += 1
        return np.zeros((*SIZE, 3), dtype=np.uint8)


@dataclass
class Eyes:
    """What the perceptions pretend to see, and how often two of them looked.

    Attributes:
        names: ImageNet's names of the photo.
        spots: Of each place that ImageNet's name has, its chance there: 4 x 6 places, the rest goes to all names.
        salient: The box that stands out.
    """

    things: list[tuple[str, float, Sides]] = field(default_factory=list)
    lines: list[read_text.TextLine] = field(default_factory=list)
    names: list[tuple[str, float]] = field(default_factory=list)
    spots: dict[str, tuple[tuple[int, int], float]] = field(default_factory=dict)
    salient: Sides = (30.0, 20.0, 60.0, 60.0)
    looks: int = 0
    reads: int = 0

    def propose(self, image: NDArray[np.uint8]) -> propose.Proposals:
        self.looks += 1
        ordered = sorted(self.things, key=lambda thing: -thing[1])
        return propose.Proposals(
            np.array([xyxy for _, _, xyxy in ordered], dtype=np.float64).reshape(-1, 4),
            np.array([KINDS.index(kind) for kind, _, _ in ordered], dtype=np.int64),
            np.array([score for _, score, _ in ordered], dtype=np.float64),
        )

    def read_text(self, image: NDArray[np.uint8]) -> tuple[read_text.TextLine, ...]:
        self.reads += 1
        return tuple(self.lines)

    def name_things(self, image: NDArray[np.uint8]) -> name_things.Named:
        return tuple(sorted(self.names, key=lambda named: -named[1]))

    def map_names(self, image: NDArray[np.uint8]) -> spot_things.NameMap:
        chances = np.full((1000, 4, 6), 1e-6, dtype=np.float32)
        for name, ((row, column), chance) in self.spots.items():
            chances[name_things.thing_names().index(name), row, column] = chance
        return spot_things.NameMap(chances, SIZE)

    def embed_image(self, image: NDArray[np.uint8]) -> embed_image.ImageTokens:
        values = np.where(filled(self.salient), 0.9, 0.0)
        tokens = embed_image.ImageTokens(np.zeros((2, 3, 384), dtype=np.float32), SIZE)
        # Where a cached property keeps what it worked out.
        tokens.__dict__["saliency"] = SoftMap.over(values, SIZE)
        return tokens


def by_words(question: str, embed: object, phrases: object) -> dict[str, float]:
    """Returns what a question may ask for by its words alone, as shares of 1, without the sentence encoder."""
    strengths = {thing: 1e-3 for thing in whole_book().things} | match_things(question)
    return {thing: strength / sum(strengths.values()) for thing, strength in strengths.items()}


def filled(xyxy: Sides) -> NDArray[np.bool_]:
    """Returns a box as pixels, at least one: nothing is told apart in it."""
    x0, y0, x1, y1 = (round(side) for side in xyxy)
    mask = np.zeros(SIZE, dtype=bool)
    mask[y0 : max(y1, y0 + 1), x0 : max(x1, x0 + 1)] = True
    return mask


def open_eyes(seen: Eyes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets `pocket` see what `seen` holds, without any network."""
    monkeypatch.setattr(things, "kinds", lambda: KINDS)
    monkeypatch.setattr(things, "things_of", by_words)
    monkeypatch.setattr(propose, "propose", seen.propose)
    monkeypatch.setattr(blank, "is_blank", lambda image: False)
    monkeypatch.setattr(read_text, "read_text", seen.read_text)
    monkeypatch.setattr(name_things, "name_things", seen.name_things)
    monkeypatch.setattr(spot_things, "map_names", seen.map_names)
    monkeypatch.setattr(embed_image, "embed_image", seen.embed_image)
    monkeypatch.setattr(mask_in_box, "mask_in_box", lambda tokens, xyxy, image: filled(xyxy))
    monkeypatch.setattr(mask_in_box, "mask_close_up", lambda image, xyxy: filled(xyxy))


def chance_of(seen: Eyes, kind: str) -> float:
    """Returns how likely the best box of a kind holds it, by the fitted weights, among all that is pretended."""
    found = seen.propose(np.zeros((*SIZE, 3), dtype=np.uint8))
    return float(chances(found, SIZE)[found.kind == KINDS.index(kind)].max())


def score_of(chance: float, likely: float = 1.0) -> float:
    """Returns the score of a region by its definition: a logistic curve of the log of both chances."""
    return 1 / (1 + math.exp(-(things.STEEPNESS * math.log(chance * likely) + things.LEVEL)))


def line(text: str, xyxy: Sides, score: float = 0.9) -> read_text.TextLine:
    x0, y0, x1, y1 = xyxy
    return read_text.TextLine(text, score, ((x0, y0), (x1, y0), (x1, y1), (x0, y1)), xyxy)


def ask(question: str) -> Prediction:
    grounder = pocket.Grounder()
    grounder.prepare(Photo(), SIZE)
    return grounder.ground(question)
