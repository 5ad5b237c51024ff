"""What the priors share: a box at a fixed place, whatever the question."""

from __future__ import annotations

from typing import ClassVar

from foveate.core.boxes import SizeHW
from foveate.core.explanations import Evidence, Explanation
from foveate.core.predictions import Prediction
from foveate.core.queries import Image
from foveate.core.regions import Box, Region

SPEED = "under a thousandth of a second a question (two CPU cores)"


class FixedBox:
    """Gives the box that leaves out the same share of each side; a share of an odd side is not rounded."""

    margin: ClassVar[float]
    always: ClassVar[str]

    def prepare(self, image: Image | None, size_hw: SizeHW) -> None:
        """Keeps the size; the photo is not needed."""
        self._size_hw = size_hw

    def ground(self, question: str) -> Prediction:
        """Returns one region, without a score: a prior is as sure of one photo as of the next."""
        region = self._region()
        return Prediction("", "ok", final=region, candidates=(region,), size_hw=self._size_hw)

    def explain(self) -> Explanation:
        """Returns that it looked at nothing, and what it always gives."""
        return Explanation(
            (Evidence("photo", f"nothing in the photo; it is always {self.always}", None, self._region()),)
        )

    def _region(self) -> Region:
        height, width = self._size_hw
        x, y = width * self.margin, height * self.margin
        return Region(Box((x, y, width - x, height - y)), score=None)
