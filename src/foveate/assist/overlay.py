"""A photo with its prediction drawn on it: the region outlined, question and answer in a strip below.

The outline is a light line between two dark ones, so that it stands out on any photo, and its colour (Okabe and Ito's
yellow; their sky blue, dashed, for a target) is told apart by people of every colour vision, also by its dash. It
follows the region itself, parts and holes, just outside it; at the photo's edge, where there is no outside, it lies on
a region deep enough and stays open on one that it would hide. Text stands below the photo, never on it: it hides
nothing and has the same contrast always.
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
from foveate.assist._outlines import DARK, Colour, draw_outlines, outline
from foveate.assist._pens import dashes
from foveate.core.predictions import Prediction
from foveate.core.truths import TargetShape

YELLOW = (240, 228, 66)
SKY_BLUE = (86, 180, 233)
_GREY = (190, 190, 190)
_WHITE = (255, 255, 255)
_MIN_SIDE = 480
# Control characters, lone surrogates, and the separators of lines and paragraphs.
_NO_GLYPH = frozenset({"Cc", "Cs", "Zl", "Zp"})


@dataclass(frozen=True)
class _Line:
    text: str
    colour: Colour
    mark: Colour | None = None
    dashed: bool = False


def overlay(
    photo: NDArray[np.uint8], prediction: Prediction, question: str, *, targets: Sequence[TargetShape] = ()
) -> PIL.Image.Image:
    """Returns the picture of a prediction.

    Args:
        photo: The upright photo, ``uint8 (H, W, 3)``, RGB. A photo with both sides under 480 is enlarged by a whole
            number, so that the line and the text are readable.
        prediction: Its final region is outlined; without one the strip says why.
        question: Written in the strip.
        targets: The accepted regions, outlined in dashes.

    Raises:
        ValueError: A region is a mask of another size than the photo.
    """
    picture, factor = enlarged(photo)
    size_hw = (photo.shape[0], photo.shape[1])
    accepted = [outline(target, size_hw, factor, SKY_BLUE, dashed=True) for target in targets]
    found = [outline(prediction.final.shape, size_hw, factor, YELLOW)] if prediction.final else []
    draw_outlines(picture, found, accepted)
    return _with_strip(picture, _lines(prediction, question, bool(targets)))


def enlarged(photo: NDArray[np.uint8]) -> tuple[PIL.Image.Image, int]:
    """Returns a photo as a picture to draw on, and how many times larger: at least once."""
    factor = max(1, -(-_MIN_SIDE // max(photo.shape[:2])))
    how = PIL.Image.Resampling.NEAREST if factor == 1 else PIL.Image.Resampling.BICUBIC
    return PIL.Image.fromarray(photo).resize((photo.shape[1] * factor, photo.shape[0] * factor), how), factor


def _lines(prediction: Prediction, question: str, with_target: bool) -> list[_Line]:
    lines = [_Line(question, _GREY)]
    if prediction.final:
        answer = prediction.answer or "(no answer in words)"
        # How sure the answer is, where that is told: a box may be sure, and the number of boxes not.
        score = prediction.final.score if prediction.answer_score is None else prediction.answer_score
        lines.append(_Line(answer if score is None else f"{answer}   (score {score:.2f})", _WHITE, YELLOW))
    else:
        # "no" and "0" are answers without a place.
        lines += [_Line(prediction.answer, _WHITE)] if prediction.answer else []
        lines.append(_Line(f"No region. {prediction.reason}", _WHITE))
    if with_target:
        lines.append(_Line("accepted region", _GREY, SKY_BLUE, dashed=True))
    return lines


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
    canvas = PIL.Image.new("RGB", (width, picture.height + rows * step + 2 * pad), DARK)
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
    for begin, stop in dashes(x, end, width) if line.dashed else [(x, end)]:
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
