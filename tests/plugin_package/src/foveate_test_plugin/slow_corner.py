"""A grounder that takes its time, so that a test can kill it in the middle of its work."""

from __future__ import annotations

import time

import numpy as np

from foveate.core.boxes import SizeHW
from foveate.core.cards import GrounderCard
from foveate.core.predictions import Prediction
from foveate.core.queries import Image
from foveate.core.regions import Box, Region
from foveate.core.soft_maps import SoftMap

CARD = GrounderCard(
    name="slow_corner",
    summary="The upper left quarter, after a pause.",
    reference="the tests",
    needs_image=False,
    answers=True,
    regions="box",
)


class Grounder:
    """Gives the upper left quarter; the answer holds letters of several alphabets and a line break.

    Its score map is of another grid for each length of question.
    """

    def __init__(self, pause: float = 0.002) -> None:
        self._pause = pause

    def prepare(self, image: Image | None, size_hw: SizeHW) -> None:
        self._size_hw = size_hw

    def ground(self, question: str) -> Prediction:
        time.sleep(self._pause)
        height, width = self._size_hw
        region = Region(Box((0, 0, width / 2, height / 2)), 0.1 + 0.2, "Ecke")
        answer = f"{question} — größer\n日本"
        grid = np.linspace(0, 1, 7 * len(question)).reshape(7, len(question))
        soft = SoftMap.over(grid, self._size_hw)
        return Prediction("", "ok", answer, 1 / 3, region, (region,), self._size_hw, map=soft)
