"""Photos with a part filled in, and photos stretched to another size: what controls do to pixels."""

from __future__ import annotations

from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW

Pixels = NDArray[np.uint8]
Fill = Literal["mean", "blur", "inpaint"]
# Of the longer side: so wide a blur leaves colours and no shapes.
_BLUR = 1 / 10
# Of pixels: how far around a place inpainting looks.
_RADIUS = 5


def filled(pixels: Pixels, where: NDArray[np.bool_], fill: Fill = "mean") -> Pixels:
    """Returns a photo with a part filled in; the rest is as it was.

    `mean` is the photo's mean colour: whatever was there is gone, but its outline shows. `blur` keeps the colours about
    there. `inpaint` paints on from the border (Telea, 2004), so that the outline goes too.

    Args:
        pixels: ``uint8 (H, W, 3)``, RGB.
        where: ``bool (H, W)``, the part.
        fill: By what.
    """
    done = pixels.copy()
    if fill == "blur":
        done[where] = _blurred(pixels)[where]
    elif fill == "inpaint" and not where.all():
        painted = cv2.inpaint(np.ascontiguousarray(pixels), where.astype(np.uint8), _RADIUS, cv2.INPAINT_TELEA)
        done[where] = np.asarray(painted)[where]
    else:
        # Of a photo that is evidence all over there is no border to paint on from.
        done[where] = np.rint(pixels.reshape(-1, 3).mean(axis=0)).astype(np.uint8)
    return done


def stretched(pixels: Pixels, size_hw: SizeHW) -> Pixels:
    """Returns a photo at another size; where the proportions differ it is stretched."""
    height, width = size_hw
    if pixels.shape[:2] == size_hw:
        return pixels
    smaller = height * width < pixels.shape[0] * pixels.shape[1]
    way = cv2.INTER_AREA if smaller else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(pixels, (width, height), interpolation=way), dtype=np.uint8)


def _blurred(pixels: Pixels) -> Pixels:
    sigma = max(1.0, _BLUR * max(pixels.shape[:2]))
    # Blurred small: the same to the eye, and a hundred times as fast.
    scale = min(1.0, 4.0 / sigma)
    small = (max(1, round(pixels.shape[0] * scale)), max(1, round(pixels.shape[1] * scale)))
    soft = cv2.GaussianBlur(stretched(pixels, small), (0, 0), sigma * scale)
    return stretched(np.asarray(soft, dtype=np.uint8), (pixels.shape[0], pixels.shape[1]))
