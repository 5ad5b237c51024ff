"""The prior that every method must beat: the whole image is the region."""

from __future__ import annotations

from foveate.core.boxes import SizeHW
from foveate.core.cards import GrounderCard
from foveate.core.predictions import Prediction
from foveate.core.queries import Image
from foveate.core.regions import Box, Region

CARD = GrounderCard(
    name="whole_image",
    summary="The whole image, whatever the question.",
    reference="Chen, Anjum, Gurari, CVPR 2022, section 4 (the naive baseline, mean IoU 33 on VizWiz-VQA-Grounding).",
    needs_image=False,
    answers=False,
    regions="box",
    limits="Looks at nothing; it is here to be beaten.",
)


class Grounder:
    """Gives the box of the whole image."""

    def prepare(self, image: Image | None, size_hw: SizeHW) -> None:
        """Keeps the size."""
        self._size_hw = size_hw

    def ground(self, question: str) -> Prediction:
        """Returns one region of score 1 that covers the image."""
        height, width = self._size_hw
        region = Region(Box((0.0, 0.0, width, height)), score=1.0)
        return Prediction("", "ok", final=region, candidates=(region,), size_hw=self._size_hw)
