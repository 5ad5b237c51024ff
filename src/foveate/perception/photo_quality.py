"""What may be wrong with a photo: too dark, blown out, blurred, tilted, without colours; and where a thing is cut off.

Measures of light, sharpness and lines, with thresholds. Little is known of how well these serve, and all of it stands
here (`python benchmarks/photo_quality.py` measures it again). *VizWiz*: 36 photos by blind people, five votes on each
flaw, of which three are enough. *Good*: 127 photos of COCO, with which few people would find fault.

| flaw | by the votes | found | false alarms, VizWiz | false alarms, good |
|---|---|---|---|---|
| blurred | 27 | 23 | 0 of 9 | 4 of 127 |
| bright | 4 | 4 | 1 of 32 | 0 of 127 |
| dark | 3 | 2 | 1 of 33 | 3 of 127 |

The thresholds were chosen with all of these at hand, so that the table flatters. The AUC of sharpness against the votes
is .95. The dark photos show a lit thing in black, and one a grey fog, which is not found; so darkness rests on the good
photos made darker: by three stops all are found, by two 83 %. Made brighter by two stops, 66 % are bright. Blurred by
2.5 pixels (at a width of 640) all are blurred, by 1.5 pixels 58 %.

Tilt is that of the lines in the photo, told for 76 of the good photos; 8 of these are then called tilted, rightly or
not. Of those turned by 10 or 20 degrees half are told, and 86 % of these within 4 degrees. A photo that stands on its
head or on its side has level lines too: only text tells that. There are no votes on tilt; VizWiz's "rotation" means the
latter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW

Side = Literal["left", "top", "right", "bottom"]
Luma = NDArray[np.uint8]

# The brighter tenth is darker than this, or half of the photo is as good as black (both of 1).
_DARK_AT_90, _BLACK_AT_50 = 0.46, 0.10
_BLOWN_OUT, _MOST_BLOWN_OUT = 0.97, 0.25
_LEAST_SHARP = 0.55
_LEAST_TILT = 5.0
# A pixel is at least so light as this share of its strongest primary: a red that fills the photo is not dark.
_OF_STRONGEST = 0.6
# In OKLab's chroma; JPEG's grey photos have a little.
_LEAST_COLOUR = 0.01

_SHARP_SIDE, _WINDOW, _LEAST_STEP = 480, 13, 25
_LINE_SIDE, _SHORTEST_LINE = 640, 0.05
_LINES_AGREE, _LEAST_AGREEING, _LEAST_LENGTH = 4.0, 0.45, 1.5
_EDGE = 0.01


@dataclass(frozen=True, slots=True)
class PhotoQuality:
    """What was measured of a photo, and what follows from it.

    Attributes:
        median: The lightness that half of the photo is darker than, 0 to 1 (as stored, not linear): luma, or six
            tenths of the strongest of red, green and blue where that is more.
        light: The lightness that nine tenths of the photo are darker than.
        blown_out: The share of the photo that is as good as white.
        sharpness: How suddenly the sharpest edges rise: the steepest slope over the step's height, 1 for a step from
            one pixel to the next and 0 where there is no edge; at a size of 480 pixels.
        tilted_degrees: By how much the photo's lines are turned clockwise, -45 to 45; None where no lines agree.
        grey: Whether it is a photo without colours, so that none can be told from it.
    """

    median: float
    light: float
    blown_out: float
    sharpness: float
    tilted_degrees: float | None
    grey: bool

    @property
    def dark(self) -> bool:
        """Whether even the brighter parts are dark, or most of it is black."""
        return self.light < _DARK_AT_90 or self.median < _BLACK_AT_50

    @property
    def bright(self) -> bool:
        """Whether a large part is blown out."""
        return self.blown_out > _MOST_BLOWN_OUT

    @property
    def blurred(self) -> bool:
        """Whether nothing in it is sharp; so is a photo in which there is nothing to see."""
        return self.sharpness < _LEAST_SHARP

    @property
    def featureless(self) -> bool:
        """Whether there is no edge in it: a lens that is covered, a white wall, or all of it lost in blur."""
        return self.sharpness == 0

    @property
    def tilted(self) -> bool:
        """Whether its lines are turned by more than five degrees."""
        return self.tilted_degrees is not None and abs(self.tilted_degrees) > _LEAST_TILT


def photo_quality(photo: NDArray[np.uint8]) -> PhotoQuality:
    """Returns what may be wrong with a photo.

    Args:
        photo: ``uint8 (H, W, 3)``, RGB, upright.

    References:
        Chiu, Zhao, Gurari, "Assessing image quality issues for real-world problems", CVPR 2020 (the votes). Lines: von
        Gioi, Jakubowicz, Morel, Randall, "LSD", 2010, as OpenCV has it.
    """
    import cv2

    luma = np.asarray(cv2.cvtColor(np.ascontiguousarray(photo), cv2.COLOR_RGB2GRAY), dtype=np.uint8)
    lit, bright = _counts(_lit(photo, luma)), _counts(luma)
    return PhotoQuality(
        median=_lightness(lit, 0.5),
        light=_lightness(lit, 0.9),
        blown_out=float(bright[np.arange(256) / 255.0 > _BLOWN_OUT].sum() / luma.size),
        sharpness=_sharpness(_sized(luma, _SHARP_SIDE)),
        tilted_degrees=_tilt(_sized(luma, _LINE_SIDE)),
        grey=_is_grey(photo),
    )


def cut_off(xyxy: tuple[float, float, float, float], size_hw: SizeHW) -> tuple[Side, ...]:
    """Returns the sides of the photo at which a thing is probably cut off: those that its box touches within 1 %.

    Of the 1,131 outlines of VizWiz-VQA-Grounding's validation split 57 % touch a side; of those photos 41 % are badly
    framed by the votes of at least 3 of 5 people, of the others 19 %.

    Args:
        xyxy: The box around the thing, upright pixels, half-open; of any shape it is `shape.xyxy`.
        size_hw: Height and width of the upright photo.
    """
    height, width = size_hw
    x0, y0, x1, y1 = xyxy
    touched: dict[Side, bool] = {
        "left": x0 <= _EDGE * width,
        "top": y0 <= _EDGE * height,
        "right": x1 >= (1 - _EDGE) * width,
        "bottom": y1 >= (1 - _EDGE) * height,
    }
    return tuple(side for side, touches in touched.items() if touches)


def _lit(photo: NDArray[np.uint8], luma: Luma) -> Luma:
    """Returns the lightness of each pixel, as a whole number of 255."""
    import cv2

    strongest = np.maximum(np.maximum(photo[..., 0], photo[..., 1]), photo[..., 2])
    return np.asarray(cv2.max(luma, cv2.convertScaleAbs(strongest, alpha=_OF_STRONGEST)), dtype=np.uint8)


def _counts(values: Luma) -> NDArray[np.float64]:
    """Returns how many pixels have each value: it tells what they all tell, which would take eight times the room."""
    import cv2

    return np.asarray(cv2.calcHist([values], [0], None, [256], [0, 256]), dtype=np.float64)[:, 0]


def _lightness(counts: NDArray[np.float64], share: float) -> float:
    """Returns the lightness, 0 to 1, that a share of the pixels are darker than, as `numpy.quantile` takes it.

    Args:
        counts: ``float64 (256,)``, how many pixels have each value.
        share: 0 to 1.
    """
    place = share * (counts.sum() - 1)
    below, above = np.searchsorted(np.cumsum(counts), [np.floor(place), np.ceil(place)], side="right") / 255.0
    return float(below + (above - below) * (place - np.floor(place)))


def _sized(luma: Luma, side: int) -> Luma:
    """Returns the photo with its longer side of so many pixels; people judge a small photo enlarged, too."""
    import cv2

    height, width = luma.shape
    scale = side / max(height, width)
    size_wh = (max(1, round(width * scale)), max(1, round(height * scale)))
    return np.asarray(
        cv2.resize(luma, size_wh, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC), dtype=np.uint8
    )


def _sharpness(luma: Luma) -> float:
    """Returns how suddenly the sharpest 2 % of the edges rise; contrast does not matter."""
    import cv2

    grey = luma.astype(np.float32)
    slope = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)) / 4
    window = np.ones((_WINDOW, _WINDOW), dtype=np.uint8)
    step = np.asarray(cv2.dilate(grey, window)) - np.asarray(cv2.erode(grey, window))
    edge = step > _LEAST_STEP
    return float(np.quantile(slope[edge] / step[edge], 0.98)) if edge.mean() > 0.002 else 0.0


def _tilt(luma: Luma) -> float | None:
    """Returns the main turn of the lines against level and upright, in degrees clockwise, or None."""
    import cv2

    # Typed as if there were always lines.
    found = cast("NDArray[np.float32] | None", cv2.createLineSegmentDetector().detect(luma)[0])
    if found is None:
        return None
    ends = np.asarray(found, dtype=np.float64).reshape(-1, 4)
    along = ends[:, 2:] - ends[:, :2]
    length = np.hypot(along[:, 0], along[:, 1]) / max(luma.shape)
    along, length = along[length > _SHORTEST_LINE], length[length > _SHORTEST_LINE]
    if length.sum() < _LEAST_LENGTH:
        return None
    turn = np.degrees(np.arctan2(along[:, 1], along[:, 0]))
    # Level and upright lines tell the same.
    candidates = np.arange(-45.0, 45.0, 0.5)
    apart = _quarter(turn - candidates[:, None])
    best = int((np.exp(-((apart / 2.0) ** 2) / 2) * length).sum(axis=1).argmax())
    agree = np.abs(apart[best]) < _LINES_AGREE
    if length[agree].sum() < _LEAST_AGREEING * length.sum():
        return None
    turned = candidates[best] + np.average(apart[best][agree], weights=length[agree])
    return float(_quarter(np.array([turned]))[0])


def _quarter(degrees: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns angles as the nearest ones to zero that differ by right angles, -45 to 45."""
    return (degrees + 45.0) % 90.0 - 45.0


def _is_grey(photo: NDArray[np.uint8]) -> bool:
    from foveate.perception.name_colour import oklab

    step = max(1, int((photo.shape[0] * photo.shape[1] / 10_000) ** 0.5))
    colours = oklab(photo[::step, ::step])
    return float(np.quantile(np.hypot(colours[..., 1], colours[..., 2]), 0.95)) < _LEAST_COLOUR
