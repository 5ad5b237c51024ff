"""Examples for the three steps, beside the instructions: questions of the demo's photos with their hand-drawn outlines.

Photo and outline are those of the data set `photos`, so that a page can show them whole, drawn as people draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from foveate.annotation._marked import gettext_noop as _


@dataclass(frozen=True)
class Example:
    """One example.

    Attributes:
        step: Which of the three steps it is about.
        sample: The id of a sample of the data set `photos`.
        outcome: What is right to choose there.
        told: Why, in a sentence.
    """

    step: Literal[2, 3]
    sample: str
    outcome: Literal["several_regions", "one_region", "polygon", "whole_image", "cannot_draw"]
    told: str


EXAMPLES: Sequence[Example] = (
    Example(2, "chelsea#eyes", "several_regions", _("The two eyes do not touch: two regions are needed.")),
    Example(2, "coffee#empty", "one_region", _("The coffee in the cup is one region.")),
    Example(3, "coffee#stir", "polygon", _("The outline follows the spoon, and nothing of the saucer is inside.")),
    Example(3, "astronaut#suit", "polygon", _("A colour is read from all of the suit that can be seen.")),
    Example(3, "camera#place", "whole_image", _("What kind of place it is can be seen everywhere: the whole image.")),
    Example(3, "motorcycle#helmet", "cannot_draw", _("No helmet is in the photo: it cannot be drawn.")),
)
