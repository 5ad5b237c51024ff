"""Photos that are only pretended, and what `pocket` pretends to see in them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.core.predictions import Prediction
from foveate.grounders import pocket
from foveate.grounders._pocket import things
from foveate.perception import propose, read_text
from foveate.perception.matching import match_things
from foveate.perception.phrase_book import phrase_book, whole_book

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
    """What the two perceptions pretend to see, and how often each looked."""

    things: list[tuple[str, float, Sides]] = field(default_factory=list)
    lines: list[read_text.TextLine] = field(default_factory=list)
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


def by_words(question: str, embed: object, phrases: object) -> dict[str, float]:
    """Returns what a question may ask for by its words alone, as shares of 1, without the sentence encoder."""
    strengths = {thing: 1e-3 for thing in whole_book().things} | match_things(question)
    return {thing: strength / sum(strengths.values()) for thing, strength in strengths.items()}


def open_eyes(seen: Eyes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets `pocket` see what `seen` holds, without any network."""
    monkeypatch.setattr(things, "kinds", lambda: KINDS)
    monkeypatch.setattr(things, "things_of", by_words)
    monkeypatch.setattr(propose, "propose", seen.propose)
    monkeypatch.setattr(read_text, "read_text", seen.read_text)


def line(text: str, xyxy: Sides, score: float = 0.9) -> read_text.TextLine:
    x0, y0, x1, y1 = xyxy
    return read_text.TextLine(text, score, ((x0, y0), (x1, y0), (x1, y1), (x0, y1)), xyxy)


def ask(question: str) -> Prediction:
    grounder = pocket.Grounder()
    grounder.prepare(Photo(), SIZE)
    return grounder.ground(question)
