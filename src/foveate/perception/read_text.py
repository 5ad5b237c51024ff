"""The text in a photo, line by line, with its place: PP-OCR through RapidOCR, whose wheel holds the models."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import Boxes, SizeHW, box_area, clip_boxes

if TYPE_CHECKING:
    from rapidocr import RapidOCR

LEAST_SCORE = 0.85
LEAST_LENGTH = 3

# Larger photos are shrunk: beyond this the search takes many seconds and finds little more.
_LONGEST_SIDE = 2000
# The search enlarges the shorter side to 736 pixels. A strip one pixel high would become a wall of gigabytes, so that
# a photo is first filled up with black to a quarter of its longer side, and to this many pixels.
_SHORTEST_SIDE = 32
_MOST_STRETCHED = 4

_MODELS = {
    "Det.model_path": "PP-OCRv6_det_small.onnx",
    "Rec.model_path": "PP-OCRv6_rec_small.onnx",
    "Cls.model_path": "ch_ppocr_mobile_v2.0_cls_mobile.onnx",
}

# The settings of a reader belong to all its calls, and two searches at once would only share the processor.
_lock = threading.Lock()

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line of text.

    Attributes:
        text: What it says.
        score: How sure the reader is, 0 to 1.
        quad: Its four corners in pixels of the upright photo, clockwise from the start of the text's upper edge.
        xyxy: The upright box around them, clipped to the photo, never without area.
    """

    text: str
    score: float
    quad: tuple[Point, Point, Point, Point]
    xyxy: tuple[float, float, float, float]

    @property
    def height(self) -> float:
        """The height of the letters in pixels, whichever way the line runs."""
        corners = np.asarray(self.quad)
        sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
        return float(min(sides[0] + sides[2], sides[1] + sides[3])) / 2


def read_text(
    image: NDArray[np.uint8], *, least_score: float = LEAST_SCORE, least_length: int = LEAST_LENGTH
) -> tuple[TextLine, ...]:
    """Returns the lines of text in reading order: from row to row downwards, in a row from left to right.

    Args:
        image: ``uint8 (H, W, 3)``, RGB, upright.
        least_score: Lines that the reader is not surer of than this are left out.
        least_length: Lines with fewer characters are left out; short ones are mostly patterns taken for letters.

    References:
        PP-OCR, PaddlePaddle authors, https://github.com/PaddlePaddle/PaddleOCR; RapidOCR 3.10.0, RapidAI.
    """
    from rapidocr.utils.output import RapidOCROutput

    size_hw = (image.shape[0], image.shape[1])
    canvas, scale_xy = _canvas(image)
    with _lock:
        found = _reader()(canvas)
    # Any other class says that one of the reader's three steps found nothing.
    if not isinstance(found, RapidOCROutput) or not found.txts or not found.scores or found.boxes is None:
        return ()
    corners = np.asarray(found.boxes, dtype=np.float64) * scale_xy
    lines = (
        _line(text.strip(), float(score), quad, size_hw)
        for text, score, quad in zip(found.txts, found.scores, corners, strict=True)
    )
    return _reading_order([
        line for line in lines if line and line.score > least_score and len(line.text) >= least_length
    ])  # fmt: skip


@lru_cache(maxsize=1)
def _reader() -> RapidOCR:
    from rapidocr import RapidOCR

    with as_file(files("rapidocr")) as home:
        # Named one by one, because RapidOCR downloads a model that it has to look for and does not find.
        models = {option: str(home / "models" / name) for option, name in _MODELS.items()}
        return RapidOCR(
            params={
                **models,
                "Global.log_level": "critical",
                # Both are done in `_canvas`, within bounds.
                "Global.use_preprocess_img": False,
                "Global.use_vertical_padding": False,
                # One line at a time: in a batch, a line's score would depend on its neighbours.
                "Rec.rec_batch_num": 1,
            }
        )


def _canvas(image: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Returns the photo as the reader takes it, BGR, and the photo's pixels per pixel of it, ``(x, y)``."""
    import cv2

    height, width = image.shape[:2]
    shrink = min(1.0, _LONGEST_SIDE / max(height, width))
    new_hw = (max(1, round(height * shrink)), max(1, round(width * shrink)))
    bgr = cv2.cvtColor(np.ascontiguousarray(image), cv2.COLOR_RGB2BGR)
    if shrink < 1.0:
        bgr = cv2.resize(bgr, (new_hw[1], new_hw[0]), interpolation=cv2.INTER_AREA)
    least = max(_SHORTEST_SIDE, max(new_hw) // _MOST_STRETCHED)
    below, beside = (max(0, least - side) for side in new_hw)
    canvas = cv2.copyMakeBorder(bgr, 0, below, 0, beside, cv2.BORDER_CONSTANT, value=(0, 0, 0))
    return np.asarray(canvas, dtype=np.uint8), np.array([width / new_hw[1], height / new_hw[0]])


def _line(text: str, score: float, quad: NDArray[np.float64], size_hw: SizeHW) -> TextLine | None:
    """Returns a line, or None where nothing of it lies inside the photo."""
    box: Boxes = clip_boxes(np.concatenate([quad.min(axis=0), quad.max(axis=0)]), size_hw)
    if box_area(box) <= 0:
        return None
    first, second, third, fourth = ((float(x), float(y)) for x, y in quad)
    x0, y0, x1, y1 = box.tolist()
    return TextLine(text, min(max(score, 0.0), 1.0), (first, second, third, fourth), (x0, y0, x1, y1))


def _reading_order(lines: list[TextLine]) -> tuple[TextLine, ...]:
    """Returns the lines row by row; a line belongs to a row if its middle lies inside the row's first line."""
    rows: list[list[TextLine]] = []
    for line in sorted(lines, key=lambda a: (a.xyxy[1] + a.xyxy[3], a.xyxy[0])):
        middle = (line.xyxy[1] + line.xyxy[3]) / 2
        if rows and middle < rows[-1][0].xyxy[3]:
            rows[-1].append(line)
        else:
            rows.append([line])
    return tuple(line for row in rows for line in sorted(row, key=lambda a: a.xyxy[0]))
