"""A panel of text made straight: level, upright, and seen from the front."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from foveate.assist.contrast import more_contrast
from foveate.assist.hide import GREY, named
from foveate.assist.magnify import LONGEST_SIDE, MOST_TIMES, larger, resized, times_for, times_said
from foveate.assist.panels import Panel, outermost, panel_of_lines, panel_of_mask
from foveate.assist.photos import Photo
from foveate.assist.picture import Picture
from foveate.assist.shapes import Window, pixels_of, shape_of, window_of
from foveate.assist.texts import gettext as _
from foveate.core.boxes import SizeHW
from foveate.core.regions import Box, Region, Shape
from foveate.perception.text_lines import TextLine, text_line

# OpenCV's warp counts in 16 bits.
_LONGEST_WARP = 32_000
# Lines over less than this share of a region are some words on a thing (a caption on a television), not its panel.
_LEAST_SHARE = 0.1


def straighten(
    photo: Photo,
    region: Region | Shape,
    *,
    lines: Sequence[TextLine] | None = None,
    contrast: bool = False,
    most_times: float = MOST_TIMES,
    longest: int = LONGEST_SIDE,
    said: str = "",
) -> Picture:
    """Returns a panel of text as seen from the front; where nothing is clearly tilted, the region larger, with a note.

    The panel is that of the lines of text in the region, and has all of the region in it, also where no line was read;
    of a box, whose corners may show what is behind the panel, it has the lines. Without lines it is the region's own
    shape where that is a quadrilateral.

    Args:
        photo: The photo.
        region: Where the panel is.
        lines: The photo's lines of text where they were read already; else the region is read.
        contrast: Whether contrast is enhanced.
        most_times: The most by which it is enlarged.
        longest: The longest side of the picture, pixels.
        said: What the region is called; its label where nothing is said.

    Raises:
        UsageError: The region is of another photo, or a number is none that makes sense.
        UnavailableError: The reader's weights are not here and cannot be fetched.
    """
    plain = larger(photo, region, contrast=contrast, most_times=most_times, longest=longest, said=said)
    panel = find_panel(photo, region, lines)
    if panel is None:
        return dataclasses.replace(plain, notes=(_("No panel was found that could be made straight."), *plain.notes))
    if not panel.tilted:
        return dataclasses.replace(plain, notes=(_("It is straight already."), *plain.notes))
    pixels, times = flattened(photo.pixels, panel, most_times=most_times, longest=longest)
    notes = [_("It was tilted, and is made straight."), times_said(times)]
    if contrast:
        pixels = more_contrast(pixels)
        notes.append(_("The contrast is enhanced."))
    alt = _("The panel with {thing}, made straight and shown larger.").format(thing=named(region, said))
    return Picture(pixels, alt, tuple(notes))


def find_panel(photo: Photo, region: Region | Shape, lines: Sequence[TextLine] | None = None) -> Panel | None:
    """Returns the panel in a region, or None; the arguments and errors are those of `straighten`."""
    window, pixels = window_of(region, photo.size_hw), pixels_of(region, photo.size_hw)
    inside = [line for line in (_read(photo, window) if lines is None else lines) if _is_inside(line, window)]
    panel = panel_of_lines(inside)
    if panel is not None and _area(panel) < _LEAST_SHARE * np.count_nonzero(pixels):
        panel = None
    # A box has the shape of a box whatever is in it: its corners tell nothing of where the panel ends.
    if isinstance(shape_of(region), Box):
        return panel
    return panel_of_mask(pixels) if panel is None else panel_of_lines(inside, outermost(pixels))


def _area(panel: Panel) -> float:
    """Returns how many pixels of the photo a panel covers, with what is shown around it."""
    width, height = panel.size_wh
    shown, bare = (width + 2 * panel.around) * (height + 2 * panel.around), width * height
    return float(cv2.contourArea(panel.corners.astype(np.float32)) * shown / bare)


def flattened(
    pixels: NDArray[np.uint8], panel: Panel, *, most_times: float = MOST_TIMES, longest: int = LONGEST_SIDE
) -> tuple[NDArray[np.uint8], float]:
    """Returns the panel seen from the front, and by how much it is enlarged; what lies outside the photo is grey."""
    height, width = pixels.shape[:2]
    size = _size_hw(panel)
    times = times_for(size, most_times, longest)
    sampled = min(max(1.0, times), _LONGEST_WARP / max(size))
    # Only the part around the panel is warped: the rest of a large photo would be copied in vain.
    window = _around(panel, (height, width))
    part = np.ascontiguousarray(pixels[window.place][:_LONGEST_WARP, :_LONGEST_WARP])
    matrix = to_front(panel, sampled) @ np.array([[1, 0, window.x0], [0, 1, window.y0], [0, 0, 1]], dtype=np.float64)
    # OpenCV's coordinates are of the middles of pixels, ours of their corners.
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    wh = (max(1, round(size[1] * sampled)), max(1, round(size[0] * sampled)))
    inner = np.linalg.inv(half) @ matrix @ half
    warped = cv2.warpPerspective(
        part, inner, wh, flags=cv2.INTER_LANCZOS4, borderMode=cv2.BORDER_CONSTANT, borderValue=GREY
    )
    front: NDArray[np.uint8] = np.asarray(warped, dtype=np.uint8)
    if times < sampled:
        front = resized(front, (max(1, round(size[0] * times)), max(1, round(size[1] * times))))
    return front, min(times, sampled)


def to_front(panel: Panel, times: float = 1.0) -> NDArray[np.float64]:
    """Returns the homography ``float64 (3, 3)`` from the photo's pixels to those of the panel seen from the front."""
    width, height = panel.size_wh
    near = panel.around
    front = np.array([(near, near), (near + width, near), (near + width, near + height), (near, near + height)])
    return np.asarray(
        cv2.getPerspectiveTransform(panel.corners.astype(np.float32), (times * front).astype(np.float32)),
        dtype=np.float64,
    )


def _around(panel: Panel, size_hw: SizeHW) -> Window:
    """Returns the part of a photo in which a panel lies, at least one pixel."""
    height, width = size_hw
    x0, y0 = (math.floor(side - panel.around) - 2 for side in panel.corners.min(axis=0))
    x1, y1 = (math.ceil(side + panel.around) + 2 for side in panel.corners.max(axis=0))
    left, top = min(max(0, x0), width - 1), min(max(0, y0), height - 1)
    return Window(left, top, min(max(left + 1, x1), width), min(max(top + 1, y1), height))


def _size_hw(panel: Panel) -> SizeHW:
    width, height = panel.size_wh
    return max(1, round(height + 2 * panel.around)), max(1, round(width + 2 * panel.around))


def _read(photo: Photo, window: Window) -> list[TextLine]:
    """Returns the lines of text in a part of the photo and a little around it, where they are in the photo."""
    from foveate.perception.read_text import read_text

    around = window.grown(max(window.size_hw) // 10, photo.size_hw)
    corner = np.array([around.x0, around.y0], dtype=np.float64)
    found = read_text(np.ascontiguousarray(photo.pixels[around.place]))
    moved = (text_line(line.text, line.score, np.asarray(line.quad) + corner, photo.size_hw) for line in found)
    return [line for line in moved if line is not None]


def _is_inside(line: TextLine, window: Window) -> bool:
    x, y = np.asarray(line.quad).mean(axis=0).tolist()
    return bool(window.x0 <= x <= window.x1 and window.y0 <= y <= window.y1)
