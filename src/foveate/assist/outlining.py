"""The photo with a region outlined and nothing else: the words stand beside it, as its alternative text does."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from foveate.assist._outlines import draw_outlines, outline
from foveate.assist.hide import named
from foveate.assist.overlay import SKY_BLUE, YELLOW, enlarged
from foveate.assist.photos import Photo
from foveate.assist.picture import Picture
from foveate.assist.shapes import shape_of, window_of
from foveate.assist.texts import gettext as _
from foveate.core.regions import Region, Shape


def outlined(photo: Photo, region: Region | Shape, *, others: Sequence[Region | Shape] = (), said: str = "") -> Picture:
    """Returns the photo with a region outlined, as `overlay` draws it, without the strip of text.

    Args:
        photo: The photo; one with both sides under 480 is enlarged by a whole number.
        region: Outlined by a whole line.
        others: Outlined in dashes.
        said: What the region is called; its label where nothing is said.

    Raises:
        UsageError: A region is of another photo.
    """
    for each in (region, *others):
        window_of(each, photo.size_hw)
    picture, factor = enlarged(photo.pixels)
    found = [outline(shape_of(region), photo.size_hw, factor, YELLOW)]
    dashed = [outline(shape_of(other), photo.size_hw, factor, SKY_BLUE, dashed=True) for other in others]
    draw_outlines(picture, found, dashed)
    alt = _("The photo with {thing} outlined in yellow.").format(thing=named(region, said))
    return Picture(np.array(picture, dtype=np.uint8), alt)
