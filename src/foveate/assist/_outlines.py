"""Outlines of regions on a picture: a light line between two dark ones, whole or dashed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
import PIL.Image
import PIL.ImageDraw

from foveate.assist._bands import Band, bands
from foveate.assist._pens import Pen, dashes, pen_for
from foveate.core.boxes import SizeHW
from foveate.core.polygons import Corners, as_corners, clip_corners, rasterise
from foveate.core.regions import Box, Polygon
from foveate.core.rle import MaskArray, area, decode
from foveate.core.truths import TargetShape

DARK = (16, 16, 16)
Colour = tuple[int, int, int]
Pixels = tuple[int, int, int, int]


class Outline(Protocol):
    """What surrounds a region on a picture, in layers, since those of several regions are interleaved."""

    def paint_casing(self, picture: PIL.Image.Image) -> None:
        """Paints the dark line, over which the light one comes."""

    def paint_line(self, picture: PIL.Image.Image) -> None:
        """Paints the light line; where it is dashed, with a dark line around each dash, to set it off on another's."""


@dataclass(frozen=True)
class _AroundBox:
    """A line around a box.

    Attributes:
        sides: Left, top, right and bottom of the light line's outer edge, pixels of the picture, both ends included.
        pen: Its widths.
    """

    sides: Pixels
    pen: Pen
    colour: Colour
    dashed: bool

    def paint_casing(self, picture: PIL.Image.Image) -> None:
        casing = _grown(self.sides, self.pen.rim)
        PIL.ImageDraw.Draw(picture).rectangle(casing, outline=DARK, width=self.pen.reach)

    def paint_line(self, picture: PIL.Image.Image) -> None:
        draw = PIL.ImageDraw.Draw(picture)
        if not self.dashed:
            draw.rectangle(self.sides, outline=self.colour, width=self.pen.light)
            return
        around = _dashes_around(self.sides, self.pen.light)
        for dash in around:
            draw.rectangle(_grown(dash, self.pen.rim), fill=DARK)
        for dash in around:
            draw.rectangle(dash, fill=self.colour)


@dataclass(frozen=True)
class _AlongPixels:
    """A line along the border of a set of pixels."""

    bands: tuple[Band, ...]
    colour: Colour

    def paint_casing(self, picture: PIL.Image.Image) -> None:
        for band in self.bands:
            picture.paste(DARK, band.corner, PIL.Image.fromarray(band.casing))

    def paint_line(self, picture: PIL.Image.Image) -> None:
        for band in self.bands:
            if band.dash_casing is not None:
                picture.paste(DARK, band.corner, PIL.Image.fromarray(band.dash_casing))
            picture.paste(self.colour, band.corner, PIL.Image.fromarray(band.line))


def outline(shape: TargetShape, size_hw: SizeHW, factor: int, colour: Colour, *, dashed: bool = False) -> Outline:
    """Returns the outline of a region, just outside it where the picture has room there.

    Args:
        shape: The region on the photo.
        size_hw: The photo's size.
        factor: How many times larger the picture is.
        colour: Of the light line.
        dashed: Whether it is dashed.

    Raises:
        ValueError: The region is a mask of another size.
    """
    height, width = size_hw[0] * factor, size_hw[1] * factor
    if isinstance(shape, Box):
        return _around_box([side * factor for side in shape.xyxy], (width, height), colour, dashed)
    if isinstance(shape, Polygon):
        pixels = _polygon_pixels([as_corners(part) * factor for part in shape.parts], (height, width))
    else:
        pixels = decode(shape.rle(size_hw)).repeat(factor, axis=0).repeat(factor, axis=1)
    return _AlongPixels(tuple(bands(pixels, dashed=dashed)), colour)


def draw_outlines(picture: PIL.Image.Image, found: Sequence[Outline], accepted: Sequence[Outline]) -> None:
    """Draws every dark casing, then the solid lines, then the dashes, so that two that coincide are both seen."""
    for each in (*found, *accepted):
        each.paint_casing(picture)
    for each in (*found, *accepted):
        each.paint_line(picture)


def _polygon_pixels(parts: Sequence[Corners], size_hw: SizeHW) -> MaskArray:
    """Returns the pixels of a polygon, and those along a part too thin to hold the centres of its pixels."""
    pixels = np.ascontiguousarray(decode(rasterise(parts, size_hw)), dtype=np.uint8)
    height, width = size_hw
    for part in parts:
        corners = clip_corners(part, size_hw)
        if area(rasterise([part], size_hw)) < np.ptp(corners, axis=0).max():
            path = np.minimum(corners, (width - 1, height - 1)).astype(np.int32)
            cv2.polylines(pixels, [path], True, 1)
    return pixels.astype(bool)


def _around_box(sides: Sequence[float], size: tuple[int, int], colour: Colour, dashed: bool) -> _AroundBox:
    x0, y0, x1, y1 = sides
    pen = pen_for(size, min(x1 - x0, y1 - y0))
    # The line lies just outside the region, so that a small one is not painted over, but never leaves the picture.
    around = (
        max(math.floor(x0) - pen.gap, 0),
        max(math.floor(y0) - pen.gap, 0),
        min(math.ceil(x1) - 1 + pen.gap, size[0] - 1),
        min(math.ceil(y1) - 1 + pen.gap, size[1] - 1),
    )
    return _AroundBox(around, pen, colour, dashed)


def _grown(sides: Pixels, by: int) -> Pixels:
    left, top, right, bottom = sides
    return left - by, top - by, right + by, bottom + by


def _dashes_around(sides: Pixels, width: int) -> list[Pixels]:
    left, top, right, bottom = sides
    across = dashes(left, right, width)
    down = dashes(top, bottom, width)
    inside_right, inside_bottom = max(right - width + 1, left), max(bottom - width + 1, top)
    return [
        *((begin, top, end, min(top + width - 1, bottom)) for begin, end in across),
        *((begin, inside_bottom, end, bottom) for begin, end in across),
        *((left, begin, min(left + width - 1, right), end) for begin, end in down),
        *((inside_right, begin, right, end) for begin, end in down),
    ]
