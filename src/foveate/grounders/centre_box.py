"""A prior: people hold the thing in the middle."""

from __future__ import annotations

from foveate.core.boxes import SizeHW
from foveate.core.cards import GrounderCard
from foveate.core.predictions import Prediction
from foveate.core.queries import Image
from foveate.core.regions import Box, Region

CARD = GrounderCard(
    name="centre_box",
    summary="The middle box of half the width and half the height, whatever the question.",
    reference="Foveate; regions of VizWiz-VQA-Grounding lie in the middle on average (CVPR 2022, section 3.2).",
    needs_image=False,
    answers=False,
    regions="box",
    limits="Looks at nothing; it is here to be beaten.",
)


class Grounder:
    """Gives the box from a quarter to three quarters of each side."""

    def prepare(self, image: Image | None, size_hw: SizeHW) -> None:
        """Keeps the size."""
        self._size_hw = size_hw

    def ground(self, question: str) -> Prediction:
        """Returns one region of score 1 in the middle; a quarter of an odd side is not rounded."""
        height, width = self._size_hw
        region = Region(Box((width / 4, height / 4, width * 3 / 4, height * 3 / 4)), score=1.0)
        return Prediction("", "ok", final=region, candidates=(region,), size_hw=self._size_hw)
