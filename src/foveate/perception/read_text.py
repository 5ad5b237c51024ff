"""The text in a photo, line by line, with its place; PP-OCR unless another reader is given."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from foveate.perception.text_blocks import in_reading_order
from foveate.perception.text_lines import TextLine, letters

__all__ = ["LEAST_LENGTH", "LEAST_SCORE", "Reader", "TextLine", "read_text"]

LEAST_SCORE = 0.85
LEAST_LENGTH = 3
# A short line is text where the reader is this sure: a sign must not lose its "NO", nor a display its "72".
_SURE_SHORT = 0.97
_SHORT = 2


class Reader(Protocol):
    """What finds and reads lines of text: any engine that gives `TextLine`s, in any order (`text_line` makes them)."""

    def __call__(self, image: NDArray[np.uint8], /) -> Iterable[TextLine]:
        """Returns the lines of an upright photo, ``uint8 (H, W, 3)``, RGB."""


def read_text(
    image: NDArray[np.uint8],
    *,
    least_score: float = LEAST_SCORE,
    least_length: int = LEAST_LENGTH,
    reader: Reader | None = None,
) -> tuple[TextLine, ...]:
    """Returns the lines of text in the order in which they are read: block by block, in a block row by row.

    Args:
        image: ``uint8 (H, W, 3)``, RGB, upright.
        least_score: Lines that the reader is not surer of than this are left out.
        least_length: Lines with fewer letters and digits are left out, since short ones are mostly patterns taken for
            text; but those of two of which the reader is sure are kept.
        reader: Another engine. PP-OCR reads about 1,500 letters of a photo, larger ones first, so as to end in time.
    """
    found = (reader or _pp_ocr())(image)
    return in_reading_order([line for line in found if _is_text(line, least_score, least_length)])


def _is_text(line: TextLine, least_score: float, least_length: int) -> bool:
    count = letters(line.text)
    if line.score <= least_score or count < min(least_length, _SHORT):
        return False
    return count >= least_length or line.score >= _SURE_SHORT


def _pp_ocr() -> Reader:
    from foveate.perception._pp_ocr import read

    return read
