"""More contrast where a photo has little: lightness spread out, over the whole and place by place; colours stay."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

_DARKEST, _BRIGHTEST = 0.01, 0.99
# Steps of lightness out of 255: fewer are the noise of a plain wall, of which contrast would make a picture.
_FEWEST_STEPS = 4
_CLIP, _TILES = 2.0, (8, 8)


def more_contrast(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Returns a picture whose lightness is stretched to all there is, then evened out by places (CLAHE).

    Of the lightness of CIELAB the darkest and the brightest hundredth are clipped. A picture of one lightness stays.

    Args:
        pixels: ``uint8 (H, W, 3)``, RGB.

    References:
        Zuiderveld: Contrast limited adaptive histogram equalization, Graphics Gems IV, 1994; as OpenCV has it.
    """
    lab = np.asarray(cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_RGB2LAB), dtype=np.uint8)
    low, high = np.quantile(lab[:, :, 0], [_DARKEST, _BRIGHTEST]).tolist()
    if high - low < _FEWEST_STEPS:
        return pixels.copy()
    steps = np.clip((np.arange(256) - low) / (high - low), 0, 1)
    stretched = np.rint(255 * steps).astype(np.uint8)[lab[:, :, 0]]
    lab[:, :, 0] = cv2.createCLAHE(_CLIP, _TILES).apply(stretched)
    return np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2RGB), dtype=np.uint8)
