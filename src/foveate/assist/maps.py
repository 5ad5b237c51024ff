"""A map laid over its photo, to be read in colour, without colour, and without eyes.

The photo lies below in grey; above it the colours of `heat`, lines where the map passes a quarter, half and three
quarters of its highest value (the higher, the thicker), and below a bar with the same lines and a word at each end. The
alternative text says what a strong place means, and where the strongest are.
"""

from __future__ import annotations

import cv2
import numpy as np
import PIL.Image
import PIL.ImageDraw
from numpy.typing import NDArray

from foveate.assist import placing
from foveate.assist._fonts import font_for
from foveate.assist.heat import coloured
from foveate.assist.picture import Picture
from foveate.assist.place import place_of
from foveate.assist.placing import Style
from foveate.assist.texts import gettext, in_language
from foveate.core.boxes import SizeHW
from foveate.core.explanations import Explanation
from foveate.core.regions import Mask
from foveate.core.rle import encode
from foveate.core.soft_maps import SoftMap, Values

Pixels = NDArray[np.uint8]
# The picture is for a screen: a photo is made no larger than this, and one below the lesser side is made larger.
LONGEST, SHORTEST = 1600, 480
LEVELS = (0.25, 0.5, 0.75)
_SHARE = 0.6
_DARK, _LIGHT = (0, 0, 0), (255, 255, 255)


def map_picture(
    pixels: Pixels, explanation: Explanation, style: Style = "plain", language: str | None = None
) -> Picture | None:
    """Returns an explanation's map over its photo, with its legend; None where the explanation has no map.

    Args:
        pixels: The upright photo, ``uint8 (H, W, 3)``, RGB.
        explanation: Of an answer about it (`Asker.ask` with `with_map`).
        style: How the place of the strongest is told.
        language: As for `reply`.
    """
    if explanation.map is None:
        return None
    with in_language(language):
        height, width = pixels.shape[:2]
        scale = min(LONGEST / max(height, width), max(1.0, SHORTEST / max(height, width)))
        size_hw = max(round(height * scale), 1), max(round(width * scale), 1)
        values = _resized(explanation.map.load(), (height, width), size_hw).on(size_hw)
        picture = _with_legend(_overlaid(pixels, values), (gettext("weak"), gettext("strong")))
        return Picture(picture, _alt(values, explanation.map_means, style))


def _resized(score_map: SoftMap, size_hw: SizeHW, to_hw: SizeHW) -> SoftMap:
    """Returns the map of a photo as that of the same photo in another size."""
    scale_x, scale_y, offset_x, offset_y = score_map.affine
    down, across = to_hw[0] / size_hw[0], to_hw[1] / size_hw[1]
    return SoftMap(
        score_map.values, (scale_x * across, scale_y * down, offset_x * across, offset_y * down), score_map.reading
    )


def _alt(values: Values, means: str, style: Style) -> str:
    text = gettext("A map over the photo: {means}.").format(means=means)
    highest = float(values.max())
    if highest <= values.min():
        return f"{text} {gettext('It is the same everywhere.')}"
    region = Mask(encode(values >= highest / 2))
    where = placing.told(place_of(region, (values.shape[0], values.shape[1])), style)
    # A map of chances may be faint all over, which its colours do not show.
    most = gettext("The highest value there is {value} of 100.").format(value=round(100 * highest))
    return " ".join((text, gettext("It is strongest here:"), where, most))


def _overlaid(pixels: Pixels, values: Values) -> Pixels:
    """Returns the photo in grey, in the size of the map's values, with the map's colours and lines."""
    height, width = values.shape
    shrinks = width < pixels.shape[1]
    photo = cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR)
    grey = cv2.cvtColor(photo, cv2.COLOR_RGB2GRAY).astype(np.float64)[..., None]
    heights = values / max(float(values.max()), 1e-9)
    picture: Pixels = np.round((1 - _SHARE) * grey + _SHARE * coloured(heights)).astype(np.uint8)
    # Lines around every speck would hide the photo.
    smooth = cv2.GaussianBlur(heights, (0, 0), max(height, width) / 200)
    for level in LEVELS:
        _draw_line(picture, smooth >= level, _width_of(level, picture))
    return picture


def _width_of(level: float, picture: Pixels) -> int:
    longest: int = max(picture.shape[:2])
    return (1 + LEVELS.index(level)) * max(1, longest // 700)


def _draw_line(picture: Pixels, above: NDArray[np.bool_], width: int) -> None:
    """Draws the border of an area into a picture: a light line within a dark one, so that it shows on any ground."""
    if above.all() or not above.any():
        return
    outlines, _ = cv2.findContours(above.astype(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(picture, outlines, -1, _DARK, width + 2, cv2.LINE_AA)
    cv2.drawContours(picture, outlines, -1, _LIGHT, width, cv2.LINE_AA)


def _with_legend(picture: Pixels, words: tuple[str, str]) -> Pixels:
    """Returns the picture with a bar of the colours below, its lines where the map has them, and a word at each end."""
    height, width = picture.shape[:2]
    wide = max(width, SHORTEST)
    # Words that can be read where a phone shows the picture 330 points wide.
    size = max(16, wide // 24)
    pad = size // 2
    font = font_for("".join(words), size)
    ends = [int(font.getlength(word)) + 2 * pad for word in words]
    bar = np.linspace(0.0, 1.0, max(wide - sum(ends), 2))
    strip: Pixels = np.repeat(coloured(bar)[None], size + pad, axis=0)
    for level in LEVELS:
        at, half = round(level * (len(bar) - 1)), _width_of(level, picture)
        strip[:, max(at - half // 2 - 1, 0) : at + half - half // 2 + 1] = _DARK
        strip[:, max(at - half // 2, 0) : at + half - half // 2] = _LIGHT
    canvas = PIL.Image.new("RGB", (wide, height + size + 3 * pad), _DARK)
    canvas.paste(PIL.Image.fromarray(picture), ((wide - width) // 2, 0))
    canvas.paste(PIL.Image.fromarray(strip), (ends[0], height + pad))
    draw = PIL.ImageDraw.Draw(canvas)
    middle = height + pad + (size + pad) // 2
    for word, x in zip(words, (pad, ends[0] + len(bar) + pad), strict=True):
        draw.text((x, middle), word, fill=_LIGHT, font=font, anchor="lm")
    return np.asarray(canvas)
