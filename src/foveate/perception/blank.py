"""Whether there is anything to see in a photo at all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# The mean lightness of 8 x 8 fields differs by less than this (0 to 1) in black, white and noisy pictures.
_LEAST_CONTRAST = 0.012
_FIELDS = 8


def is_blank(photo: NDArray[np.uint8]) -> bool:
    """Returns whether a photo is of one lightness all over, such as a black, a white or a merely noisy one.

    Noise is taken out by the mean over each of 8 x 8 fields; what differs from field to field is something to see.

    Args:
        photo: ``uint8 (H, W, 3)``, RGB.
    """
    import cv2

    fields = cv2.resize(photo.astype(np.float32) / 255, (_FIELDS, _FIELDS), interpolation=cv2.INTER_AREA)
    return bool(fields.std(axis=(0, 1)).max() < _LEAST_CONTRAST)
