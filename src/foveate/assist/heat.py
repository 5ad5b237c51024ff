"""The colours of a map: from dark blue over grey to yellow, each step as far from the last as the eye sees it.

They are a straight line in OKLab, along which lightness rises evenly: the same map is read in grey, and by people of
every colour vision, since blue and yellow are told apart by nearly all.

References:
    Ottosson: A perceptual color space for image processing, 2020 (OKLab); Nuñez, Anderton, Renslow: Optimizing
    colormaps with consideration for color vision deficiency, PLOS ONE 13, 2018 (cividis, the idea of such a line).
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

STEPS = 256
# Lightness, green to red, blue to yellow: what can be shown by a screen at both ends.
_WEAK, _STRONG = (0.30, -0.01, -0.11), (0.93, -0.02, 0.14)
_TO_LMS = np.array(
    [[1, 0.3963377774, 0.2158037573], [1, -0.1055613458, -0.0638541728], [1, -0.0894841775, -1.2914855480]]
)
_TO_RGB = np.array(
    [
        [4.0767416621, -3.3077115913, 0.2309699292],
        [-1.2684380046, 2.6097574011, -0.3413193965],
        [-0.0041960863, -0.7034186147, 1.7076147010],
    ]
)


@cache
def colours() -> NDArray[np.uint8]:
    """Returns the colours from weak to strong, ``uint8 (256, 3)``, RGB."""
    at = np.linspace(0.0, 1.0, STEPS)[:, None]
    line = (1 - at) * np.array(_WEAK) + at * np.array(_STRONG)
    linear = np.clip((line @ _TO_LMS.T) ** 3 @ _TO_RGB.T, 0.0, 1.0)
    srgb = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    table: NDArray[np.uint8] = np.round(255 * srgb).astype(np.uint8)
    table.setflags(write=False)
    return table


def coloured(values: NDArray[np.float32] | NDArray[np.float64]) -> NDArray[np.uint8]:
    """Returns values from 0 to 1 as colours, ``uint8 (…, 3)``."""
    steps = np.round(np.asarray(values, dtype=np.float64).clip(0.0, 1.0) * (STEPS - 1)).astype(np.intp)
    picture: NDArray[np.uint8] = colours()[steps]
    return picture
