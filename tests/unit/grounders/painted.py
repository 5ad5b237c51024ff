"""Photos that are painted, and what is pretended to stand out in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.core.predictions import Prediction
from foveate.core.soft_maps import SoftMap
from foveate.grounders import pocket
from foveate.perception import embed_image
from foveate.perception.embed_image import ImageTokens
from tests.unit.grounders.eyes import SIZE

Sides = tuple[int, int, int, int]
Colour = tuple[int, int, int]
WALL: Colour = (160, 200, 160)
RED: Colour = (200, 20, 20)
WHITE: Colour = (240, 240, 240)
BLUE: Colour = (20, 40, 200)
GREY: Colour = (110, 110, 110)


@dataclass
class Painted:
    """A pale green photo with coloured boxes on it, the later ones on top."""

    boxes: Mapping[Sides, Colour] = field(default_factory=dict)
    wall: Colour = WALL
    size_hw: SizeHW = SIZE
    name: str = "painted.png"

    def load(self) -> NDArray[np.uint8]:
        pixels = np.full((*self.size_hw, 3), self.wall, dtype=np.uint8)
        for (x0, y0, x1, y1), colour in self.boxes.items():
            pixels[y0:y1, x0:x1] = colour
        return pixels


def ask(photo: Painted, question: str) -> Prediction:
    grounder = pocket.Grounder()
    grounder.prepare(photo, photo.size_hw)
    return grounder.ground(question)


def stands_out(patch: pytest.MonkeyPatch, *boxes: Sides) -> None:
    """Pretends that these places stand out in every photo."""
    saliency = np.zeros(SIZE)
    for x0, y0, x1, y1 in boxes:
        saliency[y0:y1, x0:x1] = 1.0

    def embed(image: NDArray[np.uint8]) -> ImageTokens:
        tokens = ImageTokens(np.zeros((1, 1, 384), dtype=np.float32), SIZE)
        tokens.__dict__["saliency"] = SoftMap.over(saliency, SIZE)
        return tokens

    patch.setattr(embed_image, "embed_image", embed)
