"""A photo with all that can be chosen outlined on it, for who has no JavaScript."""

from __future__ import annotations

import numpy as np
import PIL.Image
import PIL.ImageDraw

from foveate.app.adjudicate.colours import TARGET, Colour, line_of
from foveate.app.adjudicate.services.candidates import candidates
from foveate.app.adjudicate.services.given import rings_of
from foveate.app.annotate.models import Task
from foveate.app.annotate.pictures import LARGE, as_png
from foveate.app.annotate.services.photos import pixels_of
from foveate.assist._outlines import DARK, Outline, draw_outlines, outline
from foveate.core.polygons import Corners, is_flat
from foveate.core.regions import Box, Polygon


def picture_of_all(task: Task) -> bytes:
    """Returns a PNG of a photo with each region outlined in its colour, and its letter at its top.

    Raises:
        RefusedError: The photo is not there any more, is another, or cannot be read.
    """
    picture = PIL.Image.fromarray(pixels_of(task))
    picture.thumbnail((LARGE, LARGE), PIL.Image.Resampling.LANCZOS)
    factor = np.asarray((picture.width / task.width, picture.height / task.height))
    found, _problem = candidates(task)
    # What is made of several follows people's own outlines, which it must not hide: it is drawn below them.
    below: tuple[list[Outline], list[Outline]] = ([], [])
    above: tuple[list[Outline], list[Outline]] = ([], [])
    labels: list[tuple[str, Colour, tuple[float, float]]] = []
    for at, one in enumerate(found):
        if one.shape is None:
            continue
        rings = [np.asarray(ring, dtype=np.float64) * factor for ring in rings_of(one.shape, (task.height, task.width))]
        colour, dashes = (TARGET, (12, 6)) if one.how == "given" else line_of(at)
        scaled = _shape(rings, is_box=isinstance(one.shape, Box))
        drawn = outline(scaled, (picture.height, picture.width), 1, colour, dashed=bool(dashes))
        (below if one.how == "mended" else above)[bool(dashes)].append(drawn)
        x, y = min(np.concatenate(rings).tolist(), key=lambda point: point[1])
        labels.append((one.letter, colour, (x, y)))
    for whole, dashed in (below, above):
        draw_outlines(picture, whole, dashed)
    draw = PIL.ImageDraw.Draw(picture)
    for letter, colour, place in labels:
        _label(draw, letter, colour, place, picture.size)
    return as_png(picture)


def _shape(rings: list[Corners], *, is_box: bool) -> Box | Polygon:
    if is_box:
        (x0, y0), (x1, y1) = rings[0][0].tolist(), rings[0][2].tolist()
        return Box((x0, y0, x1, y1))
    # A line of no area, such as what is left of a region on a small picture, is outlined as a triangle of one pixel.
    grown = [_triangle(ring) if is_flat(ring) else ring for ring in rings]
    return Polygon(tuple(tuple((float(x), float(y)) for x, y in ring) for ring in grown))


def _triangle(ring: Corners) -> Corners:
    return np.asarray(ring[0] + np.asarray([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), dtype=np.float64)


def _label(
    draw: PIL.ImageDraw.ImageDraw, letter: str, colour: Colour, at: tuple[float, float], size: tuple[int, int]
) -> None:
    x, y = min(max(at[0], 2), size[0] - 22), min(max(at[1] - 22, 2), size[1] - 22)
    draw.rectangle((x, y, x + 8 + 11 * len(letter), y + 20), fill=DARK, outline=colour)
    draw.text((x + 5, y + 1), letter, fill=colour, font_size=16)
