"""A photo with its prediction drawn on it: the region outlined, question and answer in a strip below.

The outline is a light line between two dark ones, so that it stands out on any photo, and its colour (Okabe and Ito's
yellow; their sky blue, dashed, for a target) is told apart by people of every colour vision, also by its dash. Text
stands below the photo, never on it: it hides nothing and has the same contrast always.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import PIL.Image
import PIL.ImageDraw
import PIL.ImageFont
from numpy.typing import NDArray

from foveate.core.predictions import Prediction
from foveate.core.regions import Box

YELLOW = (240, 228, 66)
SKY_BLUE = (86, 180, 233)
_DARK = (16, 16, 16)
_GREY = (190, 190, 190)
_WHITE = (255, 255, 255)
_MIN_SIDE = 480
_FONTS = ("DejaVuSans.ttf", "NotoSans-Regular.ttf", "Arial.ttf", "Helvetica.ttc")
Colour = tuple[int, int, int]
_Font = PIL.ImageFont.FreeTypeFont | PIL.ImageFont.ImageFont


@dataclass(frozen=True)
class _Line:
    text: str
    colour: Colour
    mark: Colour | None = None
    dashed: bool = False


def overlay(
    photo: NDArray[np.uint8], prediction: Prediction, question: str, *, targets: Sequence[Box] = ()
) -> PIL.Image.Image:
    """Returns the picture of a prediction.

    Args:
        photo: The upright photo, ``uint8 (H, W, 3)``, RGB. A photo with both sides under 480 is enlarged by a whole
            number, so that the line and the text are readable.
        prediction: Its final region is drawn; without one the strip says why.
        question: Written in the strip.
        targets: The accepted regions, drawn dashed.
    """
    factor = max(1, -(-_MIN_SIDE // max(photo.shape[:2]))) if max(photo.shape[:2]) < _MIN_SIDE else 1
    picture = PIL.Image.fromarray(photo).resize((photo.shape[1] * factor, photo.shape[0] * factor), _filter(factor))
    stroke = max(2, round(min(picture.size) / 160))
    draw = PIL.ImageDraw.Draw(picture)
    for target in targets:
        _outline(draw, target, factor, stroke, SKY_BLUE, dashed=True)
    if prediction.final:
        _outline(draw, prediction.final.shape, factor, stroke, YELLOW, dashed=False)
    return _with_strip(picture, _lines(prediction, question, bool(targets)))


def _filter(factor: int) -> PIL.Image.Resampling:
    return PIL.Image.Resampling.NEAREST if factor == 1 else PIL.Image.Resampling.BICUBIC


def _lines(prediction: Prediction, question: str, with_target: bool) -> list[_Line]:
    lines = [_Line(question, _GREY)]
    if prediction.final:
        answer = prediction.answer or "(this method gives no answer in words)"
        lines.append(_Line(f"{answer}   (score {prediction.final.score:.2f})", _WHITE, YELLOW))
    else:
        lines.append(_Line(f"No region. {prediction.reason}", _WHITE))
    if with_target:
        lines.append(_Line("accepted region", _GREY, SKY_BLUE, dashed=True))
    return lines


def _outline(
    draw: PIL.ImageDraw.ImageDraw, box: Box, factor: int, stroke: int, colour: Colour, *, dashed: bool
) -> None:
    x0, y0, x1, y1 = (side * factor for side in box.xyxy)
    width, height = draw.im.size
    # The line lies just outside the region, so that a small one is not painted over, but never leaves the picture.
    gap = stroke + 1
    left, top = max(round(x0) - gap, 0), max(round(y0) - gap, 0)
    right, bottom = min(round(x1) - 1 + gap, width - 1), min(round(y1) - 1 + gap, height - 1)
    corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
    for start, end in zip(corners, corners[1:], strict=False):
        _line(draw, start, end, stroke, colour, dashed)


def _line(
    draw: PIL.ImageDraw.ImageDraw,
    start: tuple[int, int],
    end: tuple[int, int],
    stroke: int,
    colour: Colour,
    dashed: bool,
) -> None:
    draw.line([start, end], fill=_DARK, width=stroke * 2 + 1)
    length = max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1)
    # A short line, as in the legend, still shows three dashes.
    dash = max(1, min(stroke * 5, length // 5)) if dashed else length
    for begin in range(0, length, dash * 2):
        first, last = _between(start, end, begin / length), _between(start, end, min(1.0, (begin + dash) / length))
        draw.line([first, last], fill=colour, width=stroke)


def _between(start: tuple[int, int], end: tuple[int, int], share: float) -> tuple[int, int]:
    return round(start[0] + (end[0] - start[0]) * share), round(start[1] + (end[1] - start[1]) * share)


def _with_strip(picture: PIL.Image.Image, lines: list[_Line]) -> PIL.Image.Image:
    width = max(picture.width, _MIN_SIDE)
    size = max(16, round(width / 34))
    font = _font(size)
    pad = size // 2
    indent = size * 2
    wrapped = [(line, _wrap(line.text, font, width - indent - 2 * pad)) for line in lines]
    rows = sum(len(texts) for _, texts in wrapped)
    step = round(size * 1.4)
    canvas = PIL.Image.new("RGB", (width, picture.height + rows * step + 2 * pad), _DARK)
    canvas.paste(picture, ((width - picture.width) // 2, 0))
    draw = PIL.ImageDraw.Draw(canvas)
    y = picture.height + pad
    for line, texts in wrapped:
        if line.mark:
            middle = y + step // 2
            _line(draw, (pad, middle), (pad + indent - size // 2, middle), max(2, size // 6), line.mark, line.dashed)
        for text in texts:
            draw.text((pad + indent, y), text, fill=line.colour, font=font)
            y += step
    return canvas


def _wrap(text: str, font: _Font, width: int) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and font.getlength(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _font(size: int) -> _Font:
    for name in _FONTS:
        try:
            return PIL.ImageFont.truetype(name, size)
        except OSError:
            continue
    return PIL.ImageFont.load_default(size)
