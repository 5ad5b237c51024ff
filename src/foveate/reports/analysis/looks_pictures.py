"""Small pictures of an analysis: photos with the outline of their target, means, and photos side by side."""

from __future__ import annotations

import io
from collections.abc import Sequence

import cv2
import numpy as np
import PIL.Image
from numpy.typing import NDArray

from foveate.assist._outlines import draw_outlines, outline
from foveate.assist.overlay import SKY_BLUE, YELLOW
from foveate.core.regions import Mask, Polygon
from foveate.core.rle import Rle, decode, encode
from foveate.perception.text_lines import TextLine

Pixels = NDArray[np.uint8]
SIDE = 320
_QUALITY = 82
_GAP = 6
_GREY = (128, 128, 128)


def small(pixels: Pixels, side: int = SIDE) -> PIL.Image.Image:
    """Returns a photo whose longer side is at most `side`."""
    picture = PIL.Image.fromarray(pixels)
    scale = min(1.0, side / max(picture.size))
    size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
    return picture if scale == 1.0 else picture.resize(size, PIL.Image.Resampling.LANCZOS)


def outlined(pixels: Pixels, region: Rle, lines: Sequence[TextLine] = ()) -> bytes:
    """Returns a small photo with the outline of a target, dashed, and those of lines of text, as JPEG."""
    picture = small(pixels)
    size_hw = (picture.height, picture.width)
    target = outline(Mask(encode(_smaller(region, size_hw))), size_hw, 1, SKY_BLUE, dashed=True)
    across, down = picture.width / pixels.shape[1], picture.height / pixels.shape[0]
    read = [shape for line in lines if (shape := _line(line, across, down, size_hw)) is not None]
    draw_outlines(picture, [outline(shape, size_hw, 1, YELLOW) for shape in read], [target])
    return jpeg(picture)


def beside(pictures: Sequence[PIL.Image.Image]) -> bytes:
    """Returns pictures side by side, as JPEG."""
    height = max(picture.height for picture in pictures)
    width = sum(picture.width for picture in pictures) + _GAP * (len(pictures) - 1)
    canvas = PIL.Image.new("RGB", (width, height), _GREY)
    left = 0
    for picture in pictures:
        canvas.paste(picture, (left, (height - picture.height) // 2))
        left += picture.width + _GAP
    return jpeg(canvas)


def heat(values: NDArray[np.floating], size_hw: tuple[int, int]) -> PIL.Image.Image:
    """Returns shares, 0 to 1, as a picture from dark violet (none) to yellow (all)."""
    height, width = size_hw
    shades = np.rint(np.clip(values, 0.0, 1.0) * 255).astype(np.uint8)
    large = cv2.resize(shades, (width, height), interpolation=cv2.INTER_LINEAR)
    return PIL.Image.fromarray(cv2.cvtColor(cv2.applyColorMap(large, cv2.COLORMAP_VIRIDIS), cv2.COLOR_BGR2RGB))


def enlarged(pixels: Pixels, size_hw: tuple[int, int]) -> PIL.Image.Image:
    """Returns a picture of another size."""
    height, width = size_hw
    return PIL.Image.fromarray(pixels).resize((width, height), PIL.Image.Resampling.BICUBIC)


def jpeg(picture: PIL.Image.Image) -> bytes:
    """Returns a picture as a JPEG file."""
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=_QUALITY, optimize=True)
    return file.getvalue()


def png(picture: PIL.Image.Image) -> bytes:
    """Returns a picture as a PNG file."""
    file = io.BytesIO()
    picture.save(file, "PNG", optimize=True)
    return file.getvalue()


def _smaller(region: Rle, size_hw: tuple[int, int]) -> NDArray[np.bool_]:
    height, width = size_hw
    mask = decode(region)
    if mask.shape == size_hw:
        return mask
    shares = cv2.resize(mask.astype(np.float32), (width, height), interpolation=cv2.INTER_AREA)
    # A target thinner than a small pixel must still be seen.
    return np.asarray(shares >= min(0.5, float(shares.max())))


def _line(line: TextLine, across: float, down: float, size_hw: tuple[int, int]) -> Polygon | None:
    height, width = size_hw
    corners = [(min(max(x * across, 0.0), width), min(max(y * down, 0.0), height)) for x, y in line.quad]
    try:
        return Polygon((tuple(corners),))
    except ValueError:
        return None  # A line so small that nothing of it is left.
