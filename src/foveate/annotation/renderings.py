"""Photos as they are drawn on: upright, in the very size that geometry is in, and in tiles where they are large."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.errors import OutputError

Pixels = NDArray[np.uint8]

TILE = 512
THUMBNAIL = 320
# Beyond this a browser on a phone has trouble with one picture.
_LARGEST_SIDE = 4096
_LARGEST_PIXELS = 8_000_000
# Up to here no pixel is changed for the sake of a smaller file.
_LOSSLESS_PIXELS = 1_000_000
# At this quality, without less colour than light, not even noise differs by more than 20 of 255 (the tests look).
_QUALITY = 97


@dataclass(frozen=True)
class Pyramid:
    """A photo in tiles: each level is half of the next, rounded up; the last is the photo itself.

    Attributes:
        size_hw: Height and width of the photo.
    """

    size_hw: SizeHW

    @property
    def levels(self) -> int:
        """How many there are; the first fits one tile."""
        return max(0, math.ceil(math.log2(max(self.size_hw) / TILE))) + 1

    def level_size(self, level: int) -> SizeHW:
        """Returns height and width of a level, from 0 for the smallest."""
        height, width = self.size_hw
        part = 2 ** (self.levels - 1 - level)
        return -(-height // part), -(-width // part)

    def grid(self, level: int) -> tuple[int, int]:
        """Returns how many rows and columns of tiles a level has."""
        height, width = self.level_size(level)
        return -(-height // TILE), -(-width // TILE)

    def has(self, level: int, column: int, row: int) -> bool:
        """Returns whether there is such a tile."""
        if not 0 <= level < self.levels:
            return False
        rows, columns = self.grid(level)
        return 0 <= row < rows and 0 <= column < columns


def is_large(size_hw: SizeHW) -> bool:
    """Returns whether a photo is shown in tiles."""
    return max(size_hw) > _LARGEST_SIDE or size_hw[0] * size_hw[1] > _LARGEST_PIXELS


def encoded(pixels: Pixels) -> bytes:
    """Returns pixels as a PNG; as a JPEG, in which nobody sees a difference, where the photo is large.

    Args:
        pixels: uint8 (H, W, 3), RGB.
    """
    small = pixels.shape[0] * pixels.shape[1] <= _LOSSLESS_PIXELS
    return _png(pixels) if small else _jpeg(pixels)


def thumbnail(pixels: Pixels) -> bytes:
    """Returns a small JPEG, of `THUMBNAIL` pixels at its longer side at most."""
    height, width = pixels.shape[:2]
    scale = min(1.0, THUMBNAIL / max(height, width))
    size_wh = max(1, round(width * scale)), max(1, round(height * scale))
    small = cv2.resize(pixels, size_wh, interpolation=cv2.INTER_AREA) if scale < 1 else pixels
    return _written(".jpg", np.asarray(small, np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 85]).tobytes()


def write_tiles(pixels: Pixels, folder: Path) -> None:
    """Writes all tiles of a photo below a folder, as `LEVEL/COLUMN_ROW`; each is a JPEG.

    Args:
        pixels: uint8 (H, W, 3), RGB.
        folder: It is made.
    """
    height, width = pixels.shape[:2]
    pyramid = Pyramid((height, width))
    for level in reversed(range(pyramid.levels)):
        height, width = pyramid.level_size(level)
        if (height, width) != pixels.shape[:2]:
            # Each from the one above: the mean of the four pixels below each, and quick.
            pixels = np.asarray(cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
        _write_level(pixels, folder / str(level), pyramid.grid(level))


def media_type(head: bytes) -> str:
    """Returns what the first bytes of a rendering are of."""
    return "image/png" if head.startswith(b"\x89PNG") else "image/jpeg"


def _write_level(pixels: Pixels, folder: Path, grid: tuple[int, int]) -> None:
    folder.mkdir(parents=True)
    rows, columns = grid
    for row in range(rows):
        for column in range(columns):
            tile = pixels[row * TILE : (row + 1) * TILE, column * TILE : (column + 1) * TILE]
            (folder / f"{column}_{row}").write_bytes(_jpeg(tile))


def _jpeg(pixels: Pixels) -> bytes:
    settings = [cv2.IMWRITE_JPEG_QUALITY, _QUALITY]
    settings += [cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444]
    return _written(".jpg", pixels, settings).tobytes()


def _png(pixels: Pixels) -> bytes:
    return _written(".png", pixels, [cv2.IMWRITE_PNG_COMPRESSION, 3]).tobytes()


def _written(kind: str, pixels: Pixels, settings: list[int]) -> Pixels:
    done, data = cv2.imencode(kind, np.ascontiguousarray(pixels[:, :, ::-1]), settings)
    if not done:  # pragma: no cover - memory ran out
        raise OutputError("a photo", f"it cannot be written as {kind}", "Look at the server's memory.")
    return np.asarray(data, np.uint8)
