"""Everything but a region blurred, in squares or faded: for the screen only, since all of it can be undone in part.

Sharp letters are read out of blurred and pixelated ones, and faded edges show what they fade. For sharing there is
`hide.hide_rest`.
"""

from __future__ import annotations

from typing import Literal, get_args

import cv2
import numpy as np
from numpy.typing import NDArray

from foveate.assist.hide import GREY, kept_pixels, named
from foveate.assist.photos import Photo
from foveate.assist.picture import Picture
from foveate.assist.texts import gettext as _
from foveate.core.regions import Region, Shape
from foveate.errors import UsageError

How = Literal["blur", "pixelate", "feather"]
HOWS: tuple[How, ...] = get_args(How)
# Of the photo's longer side.
_BLUR, _SQUARE, _FADE = 0.02, 0.03, 0.06
_BLUR_SIDE = 640
_ROWS = 256


def soften(photo: Photo, region: Region | Shape, how: How = "blur", *, said: str = "") -> Picture:
    """Returns the photo with everything but a region and its margin made hard to see; `Picture.save` refuses it.

    Args:
        photo: The photo.
        region: What stays as it is.
        how: `blur`, `pixelate` (squares of one colour each), or `feather` (faded to grey away from the region).
        said: What the region is called; its label where nothing is said.

    Raises:
        UsageError: The region is of another photo, or there is no such way.
    """
    if how not in HOWS:
        raise UsageError(str(how), "nothing is softened that way", f"Use one of {', '.join(HOWS)}.")
    kept = kept_pixels(region, photo.size_hw)
    longer = max(photo.size_hw)
    if how == "feather":
        away = cv2.distanceTransform(np.where(kept, 0, 1).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
        soft = _faded(photo.pixels, np.asarray(away, dtype=np.float32) / np.float32(max(1.0, _FADE * longer)))
    elif how == "blur":
        soft = _blurred(photo.pixels)
    else:
        soft = _in_squares(photo.pixels, max(2, round(_SQUARE * longer)))
    alt = _("The photo with everything softened but {thing}.").format(thing=named(region, said))
    note = _("This is for the screen only: what is softened can be made out again. To share it, hide the rest.")
    return Picture(np.where(kept[:, :, None], photo.pixels, soft), alt, (note,), to_share=False)


def _faded(pixels: NDArray[np.uint8], away: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Returns pixels that turn grey where `away`, ``float32 (H, W)``, goes from 0 to 1."""
    out = np.empty_like(pixels)
    # Some rows at a time: a large photo in floating point is eight photos.
    for first in range(0, len(pixels), _ROWS):
        rows = slice(first, first + _ROWS)
        share = np.minimum(away[rows], 1.0)[:, :, None]
        out[rows] = np.rint(pixels[rows] * (1 - share) + np.float32(GREY[0]) * share)
    return out


def _blurred(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Returns pixels blurred in a small copy: nothing finer is left, and a large photo takes no longer than a small."""
    height, width = pixels.shape[:2]
    scale = min(1.0, _BLUR_SIDE / max(height, width))
    small_wh = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.resize(np.ascontiguousarray(pixels), small_wh, interpolation=cv2.INTER_AREA)
    # Mirrored borders are folded over and over in a photo that is narrower than the blur.
    soft = cv2.GaussianBlur(small, (0, 0), max(1.0, _BLUR * max(small_wh)), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(soft, (width, height), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


def _in_squares(pixels: NDArray[np.uint8], side: int) -> NDArray[np.uint8]:
    height, width = pixels.shape[:2]
    few = (-(-width // side), -(-height // side))
    small = cv2.resize(np.ascontiguousarray(pixels), few, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_NEAREST), dtype=np.uint8)
