"""One photo and what was seen in it; each is worked out when it is first asked for, and kept."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW, box_area, size_difference
from foveate.core.queries import Image
from foveate.core.regions import Mask, Sides
from foveate.core.rle import encode
from foveate.errors import InputError
from foveate.perception import (
    blank,
    embed_image,
    mask_in_box,
    name_things,
    photo_quality,
    propose,
    rank_things,
    read_text,
    segments,
    spot_things,
)
from foveate.perception.meaning import Phrases

# Chosen on dev photos: of what is not there nine in ten questions are refused (design/pocket.md).
THRESHOLD = 0.01
# What a person asks about fills more: of VizWiz-VQA-Grounding's outlines 6 % are smaller.
_LEAST_SHARE = 0.02


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user may choose.

    Attributes:
        threshold: What is asked for counts as being there from this presence on (`things.presence`), 0 to 1.
        phrases: What questions are compared with; None for the package's own (`foveate.perception.meaning`).
    """

    threshold: float = THRESHOLD
    phrases: Phrases | None = None


DEFAULTS = Settings()


class Seen:
    """A photo as `pocket` sees it.

    Args:
        image: The photo; nothing is decoded before something is asked for.
        size_hw: Of the upright photo, as the data set or the file's header says.
        settings: The user's.
    """

    def __init__(self, image: Image, size_hw: SizeHW, settings: Settings = DEFAULTS) -> None:
        self._image = image
        self.size_hw = size_hw
        self.settings = settings
        self._outlines: dict[tuple[Sides, bool], Mask] = {}

    @cached_property
    def things(self) -> propose.Proposals:
        """The boxes of the detector."""
        return propose.propose(self.pixels)

    @property
    def looked_for_things(self) -> bool:
        """Whether the detector has looked already, so that its boxes cost nothing."""
        return "things" in self.__dict__

    @cached_property
    def chances(self) -> rank_things.Chances:
        """How likely each box of `things` holds its kind."""
        return rank_things.chances(self.things, self.size_hw)

    @cached_property
    def lines(self) -> tuple[read_text.TextLine, ...]:
        """The lines of text."""
        return read_text.read_text(self.pixels)

    @cached_property
    def tokens(self) -> embed_image.ImageTokens:
        """The photo as a grid of vectors, with its saliency."""
        return embed_image.embed_image(self.pixels)

    @cached_property
    def standing_out(self) -> Mask | None:
        """The pixels of the one thing that stands out most; None where nothing does, or only a speck."""
        found = segments.salient_thing(self.tokens)
        return Mask(encode(found.mask)) if found and found.mask.mean() >= _LEAST_SHARE else None

    def outline(self, xyxy: Sides, *, close: bool = False) -> Mask:
        """Returns the pixels of the thing in a box; of a small one by a look at it alone, which takes its time.

        Args:
            xyxy: The box.
            close: Whether a small thing is worth that look: it is for the one that is shown.
        """
        if (xyxy, close) not in self._outlines:
            small = box_area(np.array(xyxy)) < mask_in_box.CLOSE_UP_SHARE * self.size_hw[0] * self.size_hw[1]
            pixels = (
                mask_in_box.mask_close_up(self.pixels, xyxy)
                if small and close
                else mask_in_box.mask_in_box(self.tokens, xyxy, self.pixels)
            )
            self._outlines[xyxy, close] = Mask(encode(pixels))
        return self._outlines[xyxy, close]

    @cached_property
    def named(self) -> name_things.Named:
        """ImageNet's names for the main thing, with their probabilities."""
        return name_things.name_things(self.pixels)

    @cached_property
    def quality(self) -> photo_quality.PhotoQuality:
        """What may be wrong with the photo: its light, sharpness and colours."""
        return photo_quality.photo_quality(self.pixels)

    @cached_property
    def blank(self) -> bool:
        """Whether there is nothing to see: it is black, white or mere noise."""
        return blank.is_blank(self.pixels)

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
