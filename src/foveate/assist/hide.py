"""Everything but a region hidden, for sharing: overwritten with one colour before any encoder sees it.

What stays is the region with a margin that depends on the photo's size alone, so that it tells nothing of what was cut.
Two photos that differ only in what is hidden give the same picture, and hence the same file.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foveate.assist.photos import Photo
from foveate.assist.picture import Picture
from foveate.assist.shapes import margin_of, pixels_of, widened, window_of
from foveate.assist.texts import gettext as _
from foveate.core.boxes import SizeHW
from foveate.core.regions import Region, Shape
from foveate.core.rle import MaskArray
from foveate.errors import UsageError

Colour = tuple[int, int, int]
GREY: Colour = (128, 128, 128)


def hide_rest(
    photo: Photo, region: Region | Shape, *, fill: Colour = GREY, crop: bool = False, said: str = ""
) -> Picture:
    """Returns the photo with everything hidden but a region and its margin.

    Args:
        photo: The photo.
        region: What stays: a box, a polygon or a mask.
        fill: The colour of what is hidden, RGB.
        crop: Whether the picture ends where what stays ends; else it is as large as the photo.
        said: What the region is called; its label where nothing is said.

    Raises:
        UsageError: The region is of another photo, or the colour is none.
    """
    kept = kept_pixels(region, photo.size_hw)
    pixels = filled(photo.pixels, ~kept, fill)
    if crop:
        around = window_of(region, photo.size_hw).grown(margin_of(photo.size_hw), photo.size_hw)
        pixels = np.ascontiguousarray(pixels[around.place])
    alt = _("The photo with everything hidden but {thing}.").format(thing=named(region, said))
    if kept.all():
        return Picture(pixels, alt, (_("Nothing is hidden: what stays is the whole photo."),))
    return Picture(pixels, alt, (_("What is hidden was overwritten with one colour; it is not in the file."),))


def kept_pixels(region: Region | Shape, size_hw: SizeHW) -> MaskArray:
    """Returns the pixels that stay, ``bool (H, W)``: the region's, and those within the margin around it.

    Raises:
        UsageError: The region is of another photo.
    """
    return widened(pixels_of(region, size_hw), margin_of(size_hw))


def filled(pixels: NDArray[np.uint8], hidden: MaskArray, fill: Colour) -> NDArray[np.uint8]:
    """Returns a new picture in which every hidden pixel has one colour.

    Args:
        pixels: ``uint8 (H, W, 3)``, RGB; it stays as it is.
        hidden: ``bool (H, W)``.
        fill: RGB.

    Raises:
        UsageError: The colour is none.
    """
    if len(fill) != 3 or not all(0 <= part <= 255 for part in fill):
        raise UsageError("the fill", f"{fill} is no colour", "Say red, green and blue, each from 0 to 255.")
    return np.where(hidden[:, :, None], np.array(fill, dtype=np.uint8), pixels)


def named(region: Region | Shape, said: str) -> str:
    """Returns what a region is called in an alternative text."""
    label = region.label if isinstance(region, Region) else None
    return said.strip() or (label or "").strip() or _("one part of it")
