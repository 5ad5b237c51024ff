"""PP-OCR, step by step through RapidOCR's parts: where text is, which way it runs, what it says.

RapidOCR's own pipeline is not used: it does not tell which lines it turned round, does not bound its work, lets idle
threads spin, and resizes a strip of 1 x 500 pixels to gigabytes. The models lie inside its wheel.
"""

from __future__ import annotations

import os
import threading
from functools import lru_cache
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foveate.perception.sessions import session_options
from foveate.perception.text_lines import TextLine, text_line

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from rapidocr.ch_ppocr_cls import TextClassifier
    from rapidocr.ch_ppocr_det import TextDetector
    from rapidocr.ch_ppocr_rec import TextRecognizer

# The shorter side is enlarged to this: letters of small photos are read better from finer pixels.
_SHORTER_SIDE = 736
_LONGEST_SIDE = 2000
# Beyond this, the search finds no more in the photos that were tried.
_SEARCHED_SIDE = 1600
# A strip one pixel high would become a wall, so that a photo is filled up with black to a quarter of its longer side.
_MOST_STRETCHED = 4
_SMALLEST_SIDE = 32
# What is read takes time by its length: this many pixels of letters 48 high, about 1,500 letters; a word is padded.
_MOST_STRIP = 30_000.0
_STRIP_HEIGHT = 48
_PADDED_TO = 320
# Letters of a size within this ratio are read from the top; larger ones before smaller ones.
_SAME_SIZE = 1.5
# From this share of height to width, RapidOCR stands a line upright before it is read.
_TALL = 1.5
_TURNED = "180"
_SURELY_TURNED = 0.9
_UNSURE = 0.85

# The settings of a part belong to all its calls, and two searches at once would only share the processor.
_lock = threading.Lock()


class _Parts(NamedTuple):
    """The three networks: where lines are, whether they stand on their heads, what they say."""

    search: TextDetector
    turn: TextClassifier
    read: TextRecognizer


class _Settings(dict[str, Any]):
    """Settings as RapidOCR takes them, by key and by name."""

    def __getattr__(self, name: str) -> Any:
        return self[name]


def read(image: NDArray[np.uint8]) -> list[TextLine]:
    """Returns every line that PP-OCR makes out, however unsure it is, in no order.

    Args:
        image: ``uint8 (H, W, 3)``, RGB, upright.

    References:
        PP-OCR, PaddlePaddle authors, https://github.com/PaddlePaddle/PaddleOCR; RapidOCR 3.10.0, RapidAI.
    """
    canvas, scale_xy = _canvas(image)
    with _lock:
        parts = _parts()
        found = parts.search(canvas)
        if found.boxes is None:
            return []
        quads = _affordable(np.asarray(found.boxes, dtype=np.float32))
        said, turns = _said(parts, canvas, quads)
    size_hw = (image.shape[0], image.shape[1])
    lines = (
        text_line(text.strip(), score, np.roll(quad.astype(np.float64) * scale_xy, -turn, axis=0), size_hw)
        for (text, score), quad, turn in zip(said, quads, turns, strict=True)
    )
    return [line for line in lines if line]


def _said(
    parts: _Parts, canvas: NDArray[np.uint8], quads: NDArray[np.float32]
) -> tuple[list[tuple[str, float]], list[int]]:
    """Returns what each line says, with a score, and by how many corners its text begins after its upper left one."""
    from rapidocr.utils.process_img import get_rotate_crop_image

    turned = parts.turn([get_rotate_crop_image(canvas, quad.copy()) for quad in quads])
    strips = list(turned.img_list or ())
    said = _read(parts, strips)
    on_head = [_TURNED in label and score > _SURELY_TURNED for label, score in turned.cls_res or ()]
    # Which way a line stands is often taken wrongly; what cannot be read is tried the other way round.
    unsure = [row for row, (_, score) in enumerate(said) if score < _UNSURE]
    again = _read(parts, [np.ascontiguousarray(strips[row][::-1, ::-1]) for row in unsure])
    for row, other in zip(unsure, again, strict=True):
        if other[1] > said[row][1]:
            said[row], on_head[row] = other, not on_head[row]
    return said, [int(_is_tall(quad)) + 2 * head for quad, head in zip(quads, on_head, strict=True)]


def _read(parts: _Parts, strips: list[NDArray[np.uint8]]) -> list[tuple[str, float]]:
    from rapidocr.ch_ppocr_rec import TextRecInput

    if not strips:
        return []
    read = parts.read(TextRecInput(img=strips, return_word_box=False))
    return [(str(text), float(score)) for text, score in zip(read.txts or (), read.scores or (), strict=True)]


def _is_tall(quad: NDArray[np.float32]) -> bool:
    width, height = (int(side) for side in _sides(quad))
    return height >= _TALL * width


def _sides(quad: NDArray[np.float32]) -> tuple[float, float]:
    """Returns the longer of the two edges that run across, and of those that run down."""
    edges = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    return float(max(edges[0], edges[2])), float(max(edges[1], edges[3]))


def _affordable(quads: NDArray[np.float32]) -> NDArray[np.float32]:
    """Returns the lines that can be read in bounded time: those with larger letters, of the like ones from the top."""
    sides = np.array([sorted(_sides(quad)) for quad in quads])
    strip = np.maximum(_STRIP_HEIGHT * sides[:, 1] / sides[:, 0], _PADDED_TO)
    smaller = np.floor(np.log(sides[:, 0].max() / sides[:, 0]) / np.log(_SAME_SIZE))
    order = np.lexsort((quads[:, :, 0].min(axis=1), quads[:, :, 1].min(axis=1), smaller))
    kept = order[np.cumsum(strip[order]) <= max(_MOST_STRIP, float(strip[order[0]]))]
    return np.asarray(quads[kept], dtype=np.float32)


@lru_cache(maxsize=1)
def _parts() -> _Parts:
    from rapidocr.ch_ppocr_cls import TextClassifier
    from rapidocr.ch_ppocr_det import TextDetector
    from rapidocr.ch_ppocr_rec import TextRecognizer
    from rapidocr.utils.log import logger
    from rapidocr.utils.typings import EngineType, OCRVersion

    logger.setLevel("CRITICAL")
    engine = {"engine_type": EngineType.ONNXRUNTIME}
    search = _Settings(
        engine,
        session=_session("PP-OCRv6_det_small.onnx"),
        limit_side_len=_SEARCHED_SIDE,
        limit_type="max",
        mean=[0.5, 0.5, 0.5],
        std=[0.5, 0.5, 0.5],
    )
    turn = _Settings(
        engine,
        session=_session("ch_ppocr_mobile_v2.0_cls_mobile.onnx"),
        ocr_version=OCRVersion.PPOCRV4,
        cls_batch_num=6,
        cls_thresh=_SURELY_TURNED,
        label_list=["0", _TURNED],
    )
    # One line at a time: in a batch, a line's score would depend on its neighbours.
    read = _Settings(
        engine,
        session=_session("PP-OCRv6_rec_small.onnx"),
        lang_type="ch",
        font_path=None,
        rec_batch_num=1,
        rec_img_shape=[3, _STRIP_HEIGHT, _PADDED_TO],
    )
    return _Parts(TextDetector(search), TextClassifier(turn), TextRecognizer(read))


def _session(name: str) -> InferenceSession:
    import onnxruntime

    with as_file(files("rapidocr") / "models" / name) as path:
        return onnxruntime.InferenceSession(str(path), session_options(), providers=["CPUExecutionProvider"])


def _canvas(image: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Returns the photo as the search takes it, BGR, and the photo's pixels per pixel of it, ``(x, y)``."""
    import cv2

    height, width = image.shape[:2]
    longer = max(height, width)
    shorter = max(min(height, width), longer / _MOST_STRETCHED, _SMALLEST_SIDE)
    factor = min(_LONGEST_SIDE / longer, max(1.0, _SHORTER_SIDE / shorter))
    new_hw = (max(1, round(height * factor)), max(1, round(width * factor)))
    bgr = cv2.cvtColor(np.ascontiguousarray(image), cv2.COLOR_RGB2BGR)
    if new_hw != (height, width):
        how = cv2.INTER_AREA if factor < 1.0 else cv2.INTER_CUBIC
        bgr = cv2.resize(bgr, (new_hw[1], new_hw[0]), interpolation=how)
    least = max(_SMALLEST_SIDE, max(new_hw) // _MOST_STRETCHED)
    below, beside = (max(0, least - side) for side in new_hw)
    canvas = cv2.copyMakeBorder(bgr, 0, below, 0, beside, cv2.BORDER_CONSTANT, value=(0, 0, 0))
    return np.asarray(canvas, dtype=np.uint8), np.array([width / new_hw[1], height / new_hw[0]])


_of_the_parent: list[_Parts] = []


def _after_fork() -> None:
    """Sets the networks aside in a child process: their threads have stayed with the parent."""
    global _lock
    if _parts.cache_info().currsize:
        # Kept, since a session that is given up waits for its threads.
        _of_the_parent.append(_parts())
    _parts.cache_clear()
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
