"""Photos whose bytes lie in another file, a row of Parquet say; decoded as files are, when they are asked for."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.sources.images import opened, orientation, upright_pixels, upright_size


@dataclass(frozen=True)
class EmbeddedImage:
    """A photo in a row; satisfies `foveate.core.queries.Image`.

    Attributes:
        name: Its file name, as the row has it.
        where: The row, for messages; it tells one photo from another.
        read: Returns the bytes, each time it is asked.
    """

    name: str
    where: str
    read: Callable[[], bytes] = field(repr=False, compare=False)
    _size: list[SizeHW] = field(default_factory=list, repr=False, compare=False)

    @property
    def size_hw(self) -> SizeHW:
        """Height and width of the upright photo, read from the header once.

        Raises:
            InputError: The row has no photo, or what it has is none.
        """
        if not self._size:
            with opened(io.BytesIO(self.read()), self.where) as photo:
                self._size.append(upright_size(photo))
        return self._size[0]

    @property
    def orientation(self) -> int:
        """How the file holds the photo, 1 to 8 as EXIF counts; 1 is upright.

        Raises:
            InputError: As for `size_hw`.
        """
        with opened(io.BytesIO(self.read()), self.where) as photo:
            return orientation(photo)

    def load(self) -> NDArray[np.uint8]:
        """Returns the upright photo: ``uint8 (H, W, 3)``, RGB.

        Raises:
            InputError: As for `size_hw`, or it is cut off or damaged.
        """
        with opened(io.BytesIO(self.read()), self.where) as photo:
            return upright_pixels(photo, self.where)
