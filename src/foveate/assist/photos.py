"""Photos as the assistant takes them: upright pixels and nothing else of the file."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import numpy as np
import PIL.Image
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.errors import InputError
from foveate.sources.images import FileImage, opened, upright_pixels

_FIRST_OF_SEVERAL = "It holds several pictures; the first one was taken."
_PRINT_COLOURS = "Its colours are for print (CMYK), and were converted."


@dataclass(frozen=True, eq=False)
class Photo:
    """An upright photo in memory; satisfies `foveate.core.queries.Image`.

    Attributes:
        name: What messages call it.
        pixels: ``uint8 (H, W, 3)``, RGB, upright; transparency lies on white.
        notes: What was done to it when it was read, in sentences for people.
    """

    name: str
    pixels: NDArray[np.uint8]
    notes: tuple[str, ...] = field(default=())

    @property
    def size_hw(self) -> SizeHW:
        """Height and width."""
        return self.pixels.shape[0], self.pixels.shape[1]

    def load(self) -> NDArray[np.uint8]:
        """Returns the pixels."""
        return self.pixels


def read_photo(
    source: Path | str | bytes | BinaryIO, name: str | None = None, *, megapixels: float | None = None
) -> Photo:
    """Returns a photo's upright pixels; its EXIF, place, thumbnail and other pictures are left behind.

    Args:
        source: A file, its bytes, or a stream that is read to its end.
        name: What messages call it; the file's name where it is a file, else "the photo".
        megapixels: The largest that is read, by the file's header; None for `FOVEATE_MAX_MEGAPIXELS`.

    Raises:
        InputError: It is missing, no photo, cut off, damaged, or larger than the limit (`TooManyPixelsError`).
    """
    if isinstance(source, Path | str):
        path = Path(source)
        _ = FileImage(path).size_hw  # Says what is wrong with the file itself: a folder, a pipe, a missing one.
        return _read(path, str(path), name or path.name, megapixels)
    content = source if isinstance(source, bytes) else source.read()
    if not content:
        raise InputError(name or "the photo", "it is empty", "Send the bytes of a photo.")
    return _read(io.BytesIO(content), name or "the photo", name or "the photo", megapixels)


def _read(source: Path | io.BytesIO, where: str, name: str, megapixels: float | None) -> Photo:
    with opened(source, where, megapixels) as photo:
        notes = _notes(photo)
        return Photo(name, upright_pixels(photo, where), notes)


def _notes(photo: PIL.Image.Image) -> tuple[str, ...]:
    several = getattr(photo, "n_frames", 1) > 1
    return tuple(
        note for note, holds in ((_FIRST_OF_SEVERAL, several), (_PRINT_COLOURS, photo.mode == "CMYK")) if holds
    )
