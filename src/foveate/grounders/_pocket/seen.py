"""One photo and what was seen in it; each is worked out when it is first asked for, and kept."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW, size_difference
from foveate.core.queries import Image
from foveate.errors import InputError
from foveate.perception import embed_image, name_things, propose, read_text, spot_things


class Seen:
    """A photo as `pocket` sees it.

    Args:
        image: The photo; nothing is decoded before something is asked for.
        size_hw: Of the upright photo, as the data set or the file's header says.
    """

    def __init__(self, image: Image, size_hw: SizeHW) -> None:
        self._image = image
        self.size_hw = size_hw

    @cached_property
    def things(self) -> propose.Proposals:
        """The boxes of the detector."""
        return propose.propose(self.pixels)

    @cached_property
    def lines(self) -> tuple[read_text.TextLine, ...]:
        """The lines of text."""
        return read_text.read_text(self.pixels)

    @cached_property
    def tokens(self) -> embed_image.ImageTokens:
        """The photo as a grid of vectors, with its saliency."""
        return embed_image.embed_image(self.pixels)

    @cached_property
    def named(self) -> name_things.Named:
        """ImageNet's names for the main thing, with their probabilities."""
        return name_things.name_things(self.pixels)

    @cached_property
    def names(self) -> spot_things.NameMap:
        """ImageNet's names at each place."""
        return spot_things.map_names(self.pixels)

    @cached_property
    def pixels(self) -> NDArray[np.uint8]:
        """The upright photo, ``uint8 (H, W, 3)``, RGB.

        Raises:
            InputError: It cannot be decoded, or has another size than was said.
        """
        photo = self._image.load()
        height, width = photo.shape[:2]
        difference = size_difference((height, width), self.size_hw)
        if difference:
            raise InputError(
                self._image.name, f"the photo is {difference}", "Its file changed, or the sizes belong to another copy."
            )
        return photo
