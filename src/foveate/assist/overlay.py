"""A photo with its prediction drawn on it: the region outlined, question and answer in a strip below.

The outline is a light line between two dark ones, so that it stands out on any photo, and its colour (Okabe and Ito's
yellow; their sky blue, dashed, for a target) is told apart by people of every colour vision, also by its dash. Text
stands below the photo, never on it: it hides nothing and has the same contrast always.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import PIL.Image
import PIL.ImageDraw
from numpy.typing import NDArray

from foveate.assist._fonts import Font, font_for
from foveate.core.predictions import Prediction
from foveate.core.regions import Shape

YELLOW = (240, 228, 66)
SKY_BLUE = (86, 180, 233)
_DARK = (16, 16, 16)
_GREY = (190, 190, 190)
_WHITE = (255, 255, 255)
_MIN_SIDE = 480
# Control characters, lone surrogates, and the separators of lines and paragraphs.
_NO_GLYPH = frozenset({"Cc", "Cs", "Zl", "Zp"})
Colour = tuple[int, int, int]
Pixels = tuple[int, int, int, int]


@dataclass(frozen=True)
class _Line:
    text: str
    colour: Colour
    mark: Colour | None = None
    dashed: bool = False


@dataclass(frozen=True)
class _Outline:
    """A line around a region, in pixels of the picture, both ends included.

    Attributes:
        sides: Left, top, right and bottom of the light line's outer edge.
        light: Its width.
        rim: The width of the dark line on either side of it.
    """

    sides: Pixels
    light: int
    rim: int
    colour: Colour


def overlay(
    photo: NDArray[np.uint8], prediction: Prediction, question: str, *, targets: Sequence[Shape] = ()
) -> PIL.Image.Image:
    """Returns the picture of a prediction.

    Args:
        photo: The upright photo, ``uint8 (H, W, 3)``, RGB. A photo with both sides under 480 is enlarged by a whole
            number, so that the line and the text are readable.
        prediction: Its final region is drawn; without one the strip says why.
        question: Written in the strip.
        targets: The accepted regions, drawn dashed. Of a polygon or mask the surrounding box is drawn.
    """
    factor = max(1, -(-_MIN_SIDE // max(photo.shape[:2])))
    picture = PIL.Image.fromarray(photo).resize((photo.shape[1] * factor, photo.shape[0] * factor), _filter(factor))
    accepted = [_around(target, factor, picture.size, SKY_BLUE) for target in targets]
    found = [_around(prediction.final.shape, factor, picture.size, YELLOW)] if prediction.final else []
    _draw_outlines(PIL.ImageDraw.Draw(picture), found, accepted)
    return _with_strip(picture, _lines(prediction, question, bool(targets)))


def _filter(factor: int) -> PIL.Image.Resampling:
    return PIL.Image.Resampling.NEAREST if factor == 1 else PIL.Image.Resampling.BICUBIC


def _lines(prediction: Prediction, question: str, with_target: bool) -> list[_Line]:
    lines = [_Line(question, _GREY)]
    if prediction.final:
        answer = prediction.answer or "(no answer in words)"
        lines.append(_Line(f"{answer}   (score {prediction.final.score:.2f})", _WHITE, YELLOW))
    else:
        lines.append(_Line(f"No region. {prediction.reason}", _WHITE))
    if with_target:
        lines.append(_Line("accepted region", _GREY, SKY_BLUE, dashed=True))
    return lines


def _around(shape: Shape, factor: int, size: tuple[int, int], colour: Colour) -> _Outline:
    x0, y0, x1, y1 = (side * factor for side in shape.xyxy)
    short = min(x1 - x0, y1 - y0)
    # Thin around a small region, lest the line hide what stands beside it, but never lost in a large photo.
    least = max(2, round(min(size) / 600))
    light = max(least, round(min(min(size) / 160, short / 6)))
    rim = max(1, light // 2)
    gap = light + rim
    # The line lies just outside the region, so that a small one is not painted over, but never leaves the picture.
    sides = (
        max(math.floor(x0) - gap, 0),
        max(math.floor(y0) - gap, 0),
        min(math.ceil(x1) - 1 + gap, size[0] - 1),
        min(math.ceil(y1) - 1 + gap, size[1] - 1),
    )
    return _Outline(sides, light, rim, colour)


def _draw_outlines(draw: PIL.ImageDraw.ImageDraw, found: list[_Outline], accepted: list[_Outline]) -> None:
    """Draws every dark casing, then the solid lines, then the dashes, so that two that coincide are both seen."""
    for line in (*found, *accepted):
        draw.rectangle(_grown(line.sides, line.rim), outline=_DARK, width=line.light + 2 * line.rim)
    for line in found:
        draw.rectangle(line.sides, outline=line.colour, width=line.light)
    for line in accepted:
        dashes = _dashes_around(line.sides, line.light)
        for dash in dashes:
            # On the casing this changes nothing; on a solid line it sets the dash off.
            draw.rectangle(_grown(dash, line.rim), fill=_DARK)
        for dash in dashes:
            draw.rectangle(dash, fill=line.colour)


def _grown(sides: Pixels, by: int) -> Pixels:
    left, top, right, bottom = sides
    return left - by, top - by, right + by, bottom + by


def _dashes_around(sides: Pixels, width: int) -> list[Pixels]:
    left, top, right, bottom = sides
    across = _dashes(left, right, width)
    down = _dashes(top, bottom, width)
    inside_right, inside_bottom = max(right - width + 1, left), max(bottom - width + 1, top)
    return [
        *((begin, top, end, min(top + width - 1, bottom)) for begin, end in across),
        *((begin, inside_bottom, end, bottom) for begin, end in across),
        *((left, begin, min(left + width - 1, right), end) for begin, end in down),
        *((inside_right, begin, right, end) for begin, end in down),
    ]


def _dashes(first: int, last: int, width: int) -> list[tuple[int, int]]:
    """Returns where the dashes of a line begin and end, both included: at least two, one at each end of the line."""
    length = last + 1 - first
    parts = 2 * max(1, round(length / (10 * width))) + 1
    places = [first + round(length * part / parts) for part in range(parts + 1)]
    return [(places[part], max(places[part + 1] - 1, places[part])) for part in range(0, parts, 2)]


def _with_strip(picture: PIL.Image.Image, lines: list[_Line]) -> PIL.Image.Image:
    width = max(picture.width, _MIN_SIDE)
    # By the smaller of width and mean side: a long low panorama would else get text taller than itself.
    size = max(16, round(min(width, math.sqrt(width * picture.height)) / 28))
    pad = size // 2
    indent = size * 2
    written = []
    for line in lines:
        font = font_for(line.text, size)
        written.append((line, font, _wrap(line.text, font, width - indent - 2 * pad)))
    rows = sum(len(texts) for *_, texts in written)
    step = round(size * 1.4)
    canvas = PIL.Image.new("RGB", (width, picture.height + rows * step + 2 * pad), _DARK)
    canvas.paste(picture, ((width - picture.width) // 2, 0))
    draw = PIL.ImageDraw.Draw(canvas)
    y = picture.height + pad
    for line, font, texts in written:
        _draw_mark(draw, line, (pad, y + step // 2), size)
        for text in texts:
            draw.text((pad + indent, y), text, fill=line.colour, font=font)
            y += step
    return canvas


def _draw_mark(draw: PIL.ImageDraw.ImageDraw, line: _Line, start: tuple[int, int], size: int) -> None:
    x, y = start
    width = max(2, size // 6)
    end = x + size * 3 // 2
    for begin, stop in _dashes(x, end, width) if line.dashed else [(x, end)]:
        if line.mark:
            draw.rectangle((begin, y - width // 2, stop, y - width // 2 + width - 1), fill=line.mark)


def _wrap(text: str, font: Font, width: int) -> list[str]:
    plain = "".join(" " if unicodedata.category(letter) in _NO_GLYPH else letter for letter in text)
    lines = [""]
    for word in plain.split():
        longer = f"{lines[-1]} {word}".strip()
        if font.getlength(longer) <= width:
            lines[-1] = longer
        else:
            lines += _pieces(word, font, width)
    return lines if lines[0] or len(lines) == 1 else lines[1:]


def _pieces(word: str, font: Font, width: int) -> list[str]:
    """Returns a word in pieces that fit: one, but for an address, or a script that sets no spaces."""
    pieces = [""]
    for letter in word:
        if pieces[-1] and font.getlength(pieces[-1] + letter) > width:
            pieces.append(letter)
        else:
            pieces[-1] += letter
    return pieces
