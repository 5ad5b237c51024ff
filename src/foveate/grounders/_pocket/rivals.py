"""What the same place in a photo looks like even more: a thing is one thing only."""

from __future__ import annotations

import numpy as np

from foveate.core.overlap import box_iou
from foveate.core.regions import Region
from foveate.grounders._pocket.places import SAME_PLACE
from foveate.grounders._pocket.seen import Seen
from foveate.perception.phrase_book import display_name
from foveate.perception.propose import kinds


def rival(seen: Seen, region: Region) -> str:
    """Returns the kind that is likelier at a thing's place than what it was found as; empty where there is none."""
    same = box_iou(np.array(region.shape.xyxy), seen.things.xyxy, empty=0.0) >= SAME_PLACE
    if not same.any():
        return ""
    best = int(np.where(same, seen.chances, -1.0).argmax())
    name = display_name(kinds()[seen.things.kind[best]])
    return "" if name == region.label else name
