"""Pixels to the bytes of a file that holds these pixels and nothing else.

What is encoded is an array: no file that was read, hence none of its EXIF, place, comment, colour profile or thumbnail,
is at hand here. The same array always gives the same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
from numpy.typing import NDArray

from foveate.errors import UsageError


@dataclass(frozen=True, slots=True)
class Format:
    """A form of file that pictures are written in.

    Attributes:
        name: What people call it, in small letters.
        endings: Of its files' names, the usual one first, with the dot.
        media_type: What HTTP calls it.
        lossless: Whether every pixel comes back as it was.
        longest: The longest side that it holds, pixels.
        quality: What is taken where no quality is said; None where it has none.
        settings: Of Pillow's writer.
        in_haste: Of it for a picture of more than `LARGE` pixels, beside these: somebody waits for it.
    """

    name: str
    endings: tuple[str, ...]
    media_type: str
    lossless: bool
    longest: int
    quality: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    in_haste: Mapping[str, Any] = field(default_factory=dict)


# In pixels: more than most phones take. 49 megapixels took 19 s of a core as AVIF and 13 s as WebP; in haste 6 and 2 s,
# for files 2 to 4 per cent larger; PNG a tenth.
LARGE = 16_000_000
_ALL = (
    Format("png", (".png",), "image/png", True, 2**31 - 1, in_haste={"compress_level": 3}),
    # Without subsampling of colours: else a hard edge bleeds into the region.
    Format("jpeg", (".jpg", ".jpeg"), "image/jpeg", False, 65_500, 92, {"subsampling": 0}),
    Format("webp", (".webp",), "image/webp", False, 16_383, 90, {"method": 4}, {"method": 2}),
    # One thread, lest the bytes depend on how many cores there are.
    Format(
        "avif",
        (".avif",),
        "image/avif",
        False,
        65_535,
        85,
        {"subsampling": "4:4:4", "speed": 8, "max_threads": 1},
        {"speed": 9},
    ),
    Format("tiff", (".tif", ".tiff"), "image/tiff", True, 2**31 - 1, None, {"compression": "tiff_deflate"}),
)
FORMATS: Mapping[str, Format] = {each.name: each for each in _ALL}
_NAMED = {name: each for each in _ALL for name in (each.name, *(ending[1:] for ending in each.endings))}


def encode(pixels: NDArray[np.uint8], format: str = "png", quality: int | None = None) -> bytes:
    """Returns the bytes of a file.

    Args:
        pixels: ``uint8 (H, W, 3)``, RGB.
        format: A key of `FORMATS`, or an ending such as ``jpg``.
        quality: 1 to 100 where the format loses something: more is larger and nearer to the pixels.

    Raises:
        UsageError: There is no such format, the quality is none, or the format holds no picture of this size.

    Example:
        >>> encode(np.zeros((1, 1, 3), dtype=np.uint8))[1:4]
        b'PNG'
    """
    form = find_format(format)
    height, width = pixels.shape[:2]
    if max(height, width) > form.longest:
        raise UsageError(
            "the picture",
            f"it is {width} x {height}, and {form.name} holds {form.longest:,} pixels a side",
            "Write a PNG.",
        )
    settings = {**form.settings, **(form.in_haste if height * width > LARGE else {})}
    if form.quality is not None:
        settings["quality"] = _checked(form.quality if quality is None else quality)
    out = io.BytesIO()
    try:
        PIL.Image.fromarray(np.ascontiguousarray(pixels)).save(out, form.name, **settings)
    except (OSError, ValueError) as error:  # WebP has too little room for the tables of some pictures.
        raise UsageError("the picture", f"{form.name} cannot hold it ({error})", "Write a PNG.") from error
    return out.getvalue()


def find_format(name: str) -> Format:
    """Returns the format of a name or an ending, in any case, with its dot or without.

    Raises:
        UsageError: There is none.
    """
    form = _NAMED.get(name.lower().removeprefix("."))
    if form is None:
        raise UsageError(name or "the format", "pictures are not written in it", f"Use one of {', '.join(FORMATS)}.")
    return form


def format_of(path: Path) -> str:
    """Returns the name of the format that a file's name tells.

    Raises:
        UsageError: It tells none.
    """
    if path.suffix.lower().removeprefix(".") not in _NAMED:
        endings = ", ".join(form.endings[0] for form in _ALL)
        raise UsageError(str(path), "its ending tells no format of pictures", f"Let it end in one of {endings}.")
    return find_format(path.suffix).name


def _checked(quality: int) -> int:
    if not 1 <= quality <= 100:
        raise UsageError("the quality", f"{quality} is none", "Say a number from 1 to 100.")
    return quality
