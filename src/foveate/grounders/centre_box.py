"""A prior: people hold the thing in the middle."""

from __future__ import annotations

from foveate.core.cards import GrounderCard
from foveate.grounders._fixed_box import SPEED, FixedBox

CARD = GrounderCard(
    name="centre_box",
    summary="The middle box of half the width and half the height, whatever the question.",
    reference="Foveate; regions of VizWiz-VQA-Grounding lie in the middle on average (CVPR 2022, section 3.2).",
    needs_image=False,
    answers=False,
    regions="box",
    limits="Looks at nothing; it is here to be beaten.",
    speed=SPEED,
    licence="code Apache-2.0",
)


class Grounder(FixedBox):
    """Gives the box from a quarter to three quarters of each side."""

    margin = 0.25
    always = "the middle half of its width and height"
