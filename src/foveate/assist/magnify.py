"""A region seen larger: cut out with what is around it, and enlarged no further than helps."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import PIL.Image
from numpy.typing import NDArray

from foveate.assist.contrast import more_contrast
from foveate.assist.hide import named
from foveate.assist.photos import Photo
from foveate.assist.picture import Picture
from foveate.assist.shapes import Window, window_of
from foveate.assist.texts import gettext as _
from foveate.core.boxes import SizeHW
from foveate.core.regions import Region, Shape
from foveate.errors import UsageError

CONTEXT = 0.25
# Beyond it nothing new is seen, only larger pixels.
MOST_TIMES = 4.0
LONGEST_SIDE = 2048


@dataclass(frozen=True, slots=True)
class View:
    """How a region is shown.

    Attributes:
        window: What is cut out of the photo.
        times: By how much that is enlarged; less than 1 where it is longer than the picture may be.
    """

    window: Window
    times: float

    @property
    def size_hw(self) -> SizeHW:
        """Height and width of the picture."""
        height, width = (max(1, round(side * self.times)) for side in self.window.size_hw)
        return height, width


def larger(
    photo: Photo,
    region: Region | Shape,
    *,
    context: float = CONTEXT,
    aspect: float | None = None,
    contrast: bool = False,
    most_times: float = MOST_TIMES,
    longest: int = LONGEST_SIDE,
    said: str = "",
) -> Picture:
    """Returns a region with what is around it, enlarged by Lanczos' filter; its first note says how many times.

    Args:
        photo: The photo.
        region: What to show.
        context: How much of what is around it is shown, on each side, as a share of its width and its height.
        aspect: The picture's width over its height, as far as the photo reaches; the region's own where it is None.
        contrast: Whether contrast is enhanced.
        most_times: The most by which it is enlarged.
        longest: The longest side of the picture, pixels.
        said: What the region is called; its label where nothing is said.

    Raises:
        UsageError: The region is of another photo, or a number is none that makes sense.
    """
    view = view_of(region, photo.size_hw, context=context, aspect=aspect, most_times=most_times, longest=longest)
    pixels = resized(photo.pixels[view.window.place], view.size_hw)
    alt = _("{thing}, cut out of the photo and shown larger.").format(thing=_large(named(region, said)))
    notes = [times_said(view.times)]
    if contrast:
        pixels = more_contrast(pixels)
        notes.append(_("The contrast is enhanced."))
    return Picture(pixels, alt, tuple(notes))


def view_of(
    region: Region | Shape,
    size_hw: SizeHW,
    *,
    context: float = CONTEXT,
    aspect: float | None = None,
    most_times: float = MOST_TIMES,
    longest: int = LONGEST_SIDE,
) -> View:
    """Returns what `larger` cuts out, and by how much it enlarges that; the arguments are its own.

    Raises:
        UsageError: As for `larger`.
    """
    _check(context, aspect, most_times, longest)
    tight = window_of(region, size_hw)
    height, width = (side * (1 + 2 * context) for side in tight.size_hw)
    if aspect is not None:
        width, height = max(width, height * aspect), max(height, width / aspect)
    left, right = _span(tight.x0, tight.x1, width, size_hw[1])
    top, bottom = _span(tight.y0, tight.y1, height, size_hw[0])
    window = Window(left, top, right, bottom)
    return View(window, times_for(window.size_hw, most_times, longest))


def times_for(size_hw: SizeHW, most_times: float = MOST_TIMES, longest: int = LONGEST_SIDE) -> float:
    """Returns by how much a picture is enlarged: at most so many times, and to at most so many pixels a side."""
    return min(most_times, longest / max(size_hw))


def resized(pixels: NDArray[np.uint8], size_hw: SizeHW) -> NDArray[np.uint8]:
    """Returns a picture in another size, by Lanczos' filter; a new array always."""
    picture = PIL.Image.fromarray(np.ascontiguousarray(pixels))
    return np.array(picture.resize(size_hw[::-1], PIL.Image.Resampling.LANCZOS), dtype=np.uint8)


def times_said(times: float) -> str:
    """Returns in words by how much something was enlarged."""
    if times < 0.995:
        return _("It is larger than the picture may be, and is shown at {percent} per cent of its pixels.").format(
            percent=max(1, round(100 * times))
        )
    if times < 1.05:
        return _("It is shown pixel by pixel.")
    return _("It is enlarged {times} times.").format(times=f"{times:.1f}".removesuffix(".0"))


def _span(first: int, last: int, wanted: float, end: int) -> tuple[int, int]:
    """Returns where a window of a length begins and ends: around the middle, moved into the photo, never too short."""
    length = min(end, max(last - first, math.ceil(wanted)))
    start = min(max(0, round((first + last - length) / 2)), end - length)
    return start, start + length


def _large(said: str) -> str:
    return said[:1].upper() + said[1:]


def _check(context: float, aspect: float | None, most_times: float, longest: int) -> None:
    if not 0 <= context <= 10:
        raise UsageError("the context", f"{context} is none", "Say a share of the region's size from 0 to 10.")
    if aspect is not None and not 0.1 <= aspect <= 10:
        raise UsageError("the aspect", f"{aspect} is none", "Say width over height, from 0.1 to 10.")
    if not 1 <= most_times <= 16:
        raise UsageError("the most times", f"{most_times} is none", "Say a number from 1 to 16.")
    if not 16 <= longest <= 16_384:
        raise UsageError("the longest side", f"{longest} is none", "Say a number of pixels from 16 to 16,384.")
