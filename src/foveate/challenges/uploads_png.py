"""PNGs that must not be decoded: giants by their head, and texts or colour profiles that unpack without end.

References:
    PNG specification, second edition: chunks (section 5), iCCP, zTXt and iTXt (section 11.3).
"""

from __future__ import annotations

import struct
import zlib
from typing import IO

from foveate.challenges.uploads import Bounds, megabytes
from foveate.errors import InputError

_HEAD = struct.Struct(">I4s")
_CHECKSUM = 4
# Before the pixels few other chunks stand.
_MOST_CHUNKS = 64
_PACKED = (b"zTXt", b"iTXt", b"iCCP")


def scan_png(file: IO[bytes], where: str, bounds: Bounds) -> None:
    """Refuses a PNG that must not be decoded, by what stands before its pixels.

    Args:
        file: After the signature.
        where: What messages call it.
        bounds: Of pixels, and of what is beside them.

    Raises:
        InputError: It must not.
    """
    for _ in range(_MOST_CHUNKS):
        head = file.read(_HEAD.size)
        if len(head) < _HEAD.size:
            return
        length, kind = _HEAD.unpack(head)
        if kind in {b"IDAT", b"IEND"}:
            return
        if length > bounds.beside:
            raise InputError(where, f"a part of it that is no picture has {megabytes(length)}", "Save the mask alone.")
        data = file.read(length + _CHECKSUM)[:length]
        if kind == b"IHDR" and length >= 8:
            _refuse_giant(data, where, bounds)
        if kind in _PACKED:
            _refuse_packed(data, where, bounds)
    raise InputError(where, f"more than {_MOST_CHUNKS} parts stand before its pixels", "Save the mask alone.")


def _refuse_giant(data: bytes, where: str, bounds: Bounds) -> None:
    width, height = struct.unpack_from(">II", data)
    if width * height > bounds.pixels:
        raise InputError(
            where,
            f"the picture is {width} wide and {height} high by its head",
            f"A mask has its photo's size, at most {bounds.pixels / 1e6:g} megapixels.",
            field="size",
            expected=f"at most {bounds.pixels / 1e6:g} megapixels",
            got=f"{width} x {height}",
        )


def _refuse_packed(data: bytes, where: str, bounds: Bounds) -> None:
    """Refuses a text or profile that unpacks to more than it may; each begins somewhere after a 0."""
    at = data.find(0)
    while 0 <= at < len(data):
        try:
            unpacked = zlib.decompressobj().decompress(data[at:], bounds.beside + 1)
        except zlib.error:
            unpacked = b""
        if len(unpacked) > bounds.beside:
            said = f"a text or profile in it unpacks to more than {megabytes(bounds.beside)}"
            raise InputError(where, said, "Save the mask alone.")
        if unpacked:
            return
        at = data.find(b"\x78", at + 1)
