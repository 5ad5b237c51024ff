"""Masks as PNG files, the way of VizWiz: one channel, 0 outside and 255 inside, of the photo's own size."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import IO

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL.PngImagePlugin import PngImageFile

from foveate.core.boxes import SizeHW, size_difference
from foveate.core.rle import MaskArray, Rle, encode
from foveate.errors import InputError
from foveate.formats._other_kinds import kind_of_bytes

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_DEPTH, _GREY = 8, 0
_LOOKED_AT = 64


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
        # Not `PIL.Image.open`, whose own limit speaks before the size can be compared.
        with PngImageFile(file) as picture:
            _check_header(told, picture, size_hw)
            values = np.asarray(picture)
    except InputError:
        raise
    except FileNotFoundError as error:
        raise InputError(told, "there is no such file", "Look at the name and the folder.") from error
    except Exception as error:  # Pillow's reader raises of every kind on damaged files.
        text = str(error).strip() or type(error).__name__
        kind = _kind_of(file) or text
        raise InputError(told, f"this is not a mask that can be read ({kind})", "Give a PNG.", got=kind) from error
    # 255 + 1 is 0 again in 8 bits: the two values that a mask may have become 0 and 1.
    if values.dtype != bool and (values + np.uint8(1)).max() > 1:
        strange = np.setdiff1d(values, [0, 255])
        raise InputError(
            told,
            f"a mask has the values 0 and 255, this one also {strange[0]}{_hint(strange)}",
            "Write it again with 255 where the region is.",
            field="values",
            expected="0 and 255",
            got=", ".join(map(str, strange[:5])),
        )
    # The encoding runs down the columns; OpenCV turns the array faster than a copy by columns would.
    return encode(cv2.transpose(values.view(np.uint8)).T)


def mask_png(mask: MaskArray) -> bytes:
    """Returns the PNG file of a mask, ``bool (H, W)``: 8-bit grey, 0 and 255.

    Written here, without a filter and packed quickly: rows of a mask are mostly like the row before, which the packing
    finds by itself. Pillow's writer tries every filter on every row, and its files take three times as long to read.

    References:
        PNG specification, second edition: chunks (section 5) and compression (section 10).
    """
    height, width = mask.shape
    rows = np.zeros((height, 1 + width), dtype=np.uint8)  # Each row begins with its filter, 0 for none.
    # OpenCV turns an array several times faster than a copy by columns does.
    np.multiply(cv2.transpose(mask.T.view(np.uint8)), 255, out=rows[:, 1:])
    header = struct.pack(">IIBBBBB", width, height, _DEPTH, _GREY, 0, 0, 0)
    return _SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows.data, 1)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _check_header(where: str, picture: PngImageFile, size_hw: SizeHW) -> None:
    difference = size_difference((picture.height, picture.width), size_hw)
    if difference:
        raise InputError(
            where,
            f"the mask is {difference}",
            "Give the mask in the photo's own size.",
            field="size",
            expected=f"{size_hw[1]} x {size_hw[0]}",
            got=f"{picture.width} x {picture.height}",
        )
    if picture.mode not in {"1", "L"}:
        raise InputError(
            where,
            f"the mask is of the kind {picture.mode}, not of one 8-bit channel",
            "Save it as 8-bit grey.",
            field="channels",
            expected="one of 8 bits",
            got=picture.mode,
        )


def _kind_of(file: Path | IO[bytes]) -> str | None:
    """Returns what stands in the place of a PNG, where its first bytes tell; None for a PNG that is damaged."""
    if isinstance(file, Path):
        with file.open("rb") as opened:
            start = opened.read(_LOOKED_AT)
    else:
        file.seek(0)
        start = file.read(_LOOKED_AT)
    kind = None if start.startswith(_SIGNATURE) else kind_of_bytes(start)
    return kind and f"it is {kind}"


def _hint(strange: NDArray[np.uint8]) -> str:
    if strange.tolist() == [1]:
        return " (is 1 meant for 255?)"
    return " (was it smoothed or resized?)" if strange.size > 1 else ""
