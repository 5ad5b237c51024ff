"""Masks as PNG files, the way of VizWiz: one channel, 0 outside and 255 inside, of the photo's own size."""

from __future__ import annotations

from pathlib import Path
from typing import IO

import numpy as np
import PIL.Image

from foveate.core.boxes import SizeHW, size_difference
from foveate.core.rle import Rle, encode
from foveate.errors import InputError


def read_mask_png(file: Path | IO[bytes], size_hw: SizeHW, *, where: str | None = None) -> Rle:
    """Returns the mask of a PNG file; its size is read from the header and nothing is decoded when that differs.

    Args:
        file: The file, or its bytes.
        size_hw: Height and width that it must have.
        where: What messages call it; its path by default.

    Raises:
        InputError: It is missing, no PNG, of another size, of several channels, or has other values than 0 and 255.
    """
    told = where or str(file)
    try:
        with PIL.Image.open(file, formats=("PNG",)) as picture:
            _check_header(told, picture, size_hw)
            values = np.asarray(picture)
    except InputError:
        raise
    except Exception as error:  # Pillow's reader raises of every kind on damaged files.
        text = str(error).strip() or type(error).__name__
        raise InputError(told, f"this is not a mask that can be read ({text})", "Give a PNG.") from error
    strange = np.setdiff1d(values, [0, 255])
    if values.dtype != bool and strange.size:
        raise InputError(
            told,
            f"a mask has the values 0 and 255, this one also {strange[0]}{_hint(strange)}",
            "Write it again with 255 where the region is.",
        )
    return encode(values)


def _check_header(where: str, picture: PIL.Image.Image, size_hw: SizeHW) -> None:
    difference = size_difference((picture.height, picture.width), size_hw)
    if difference:
        raise InputError(where, f"the mask is {difference}", "Give the mask in the photo's own size.")
    if picture.mode not in {"1", "L"}:
        raise InputError(
            where, f"the mask is of the kind {picture.mode}, not of one 8-bit channel", "Save it as 8-bit grey."
        )


def _hint(strange: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> str:
    if strange.tolist() == [1]:
        return " (is 1 meant for 255?)"
    return " (was it smoothed or resized?)" if strange.size > 1 else ""
