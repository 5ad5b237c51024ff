"""The prior that every method must beat: the whole image is the region."""

from __future__ import annotations

from foveate.core.cards import GrounderCard
from foveate.grounders._fixed_box import SPEED, FixedBox

CARD = GrounderCard(
    name="whole_image",
    summary="The whole image, whatever the question.",
    reference="Chen, Anjum, Gurari, CVPR 2022, section 4 (the naive baseline, mean IoU 33 on VizWiz-VQA-Grounding).",
    needs_image=False,
    answers=False,
    regions="box",
    limits="Looks at nothing; it is here to be beaten.",
    speed=SPEED,
    licence="code Apache-2.0",
)


class Grounder(FixedBox):
    """Gives the box of the whole image."""

    margin = 0.0
    always = "the whole photo"
