"""Photos and score maps as data that stands in the page itself."""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass

import numpy as np
import PIL.Image
from numpy.typing import NDArray

from foveate.core.queries import Image
from foveate.core.soft_maps import SoftMap

_QUALITY = 80
# A map is shown on its own grid; one as fine as the photo would make the page heavy and look the same.
_MAP_SIDE = 160
# Dark purple to yellow, about as bright as its value, read from Matplotlib's viridis (CC0) at nine places.
_SHADES = ("440154", "482878", "3e4989", "31688e", "26828e", "1f9e89", "6ece58", "b5de2b", "fde725")
_OPAQUE = 185


@dataclass(frozen=True, slots=True)
class MapPicture:
    """A score map as a picture that is laid over the photo.

    Attributes:
        uri: The picture.
        x: Where its left edge is, upright pixels; likewise the others.
    """

    uri: str
    x: float
    y: float
    width: float
    height: float


def photo_uri(image: Image, side: int) -> str:
    """Returns a photo as a JPEG `data:` URI, its longer side at most `side`; what the file held beside pixels is gone.

    Raises:
        InputError: It cannot be read.
    """
    picture = PIL.Image.fromarray(image.load())
    scale = min(1.0, side / max(picture.size))
    if scale < 1:
        width, height = (max(1, round(length * scale)) for length in picture.size)
        picture = picture.resize((width, height), PIL.Image.Resampling.LANCZOS)
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=_QUALITY, optimize=True)
    return _uri("image/jpeg", file.getvalue())


def map_picture(soft: SoftMap) -> MapPicture:
    """Returns a score map in shades from 0 to its highest value, the weaker the more transparent.

    Attention that sums to 1 over a grid is small everywhere; on a scale up to 1 nothing of it would be seen.
    """
    values = soft.values / (float(soft.values.max()) or 1.0)
    rows, columns = values.shape
    picture = PIL.Image.fromarray(np.rint(values * 255).astype(np.uint8))
    scale = min(1.0, _MAP_SIDE / max(rows, columns))
    if scale < 1:
        size = (max(1, round(columns * scale)), max(1, round(rows * scale)))
        picture = picture.resize(size, PIL.Image.Resampling.BOX)
    picture.putpalette(_palette().tobytes())
    file = io.BytesIO()
    transparency = bytes(round(_OPAQUE * (value / 255) ** 0.5) for value in range(256))
    picture.save(file, "PNG", optimize=True, transparency=transparency)
    scale_x, scale_y, x, y = soft.affine
    return MapPicture(_uri("image/png", file.getvalue()), x, y, columns * scale_x, rows * scale_y)


def _palette() -> NDArray[np.uint8]:
    anchors = np.array([[int(shade[k : k + 2], 16) for k in (0, 2, 4)] for shade in _SHADES], dtype=np.float64)
    at = np.linspace(0, len(anchors) - 1, 256)
    return np.stack([np.rint(np.interp(at, np.arange(len(anchors)), channel)) for channel in anchors.T], axis=1).astype(
        np.uint8
    )


def _uri(kind: str, data: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode('ascii')}"
