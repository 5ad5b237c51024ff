"""The rules of the paper's analysis that need a number or a list of words, each in one place.

References:
    Chen, Anjum, Gurari: Grounding Answers for Visual Questions Asked by Visually Impaired People, CVPR 2022,
    section 3.2 and supplement III; what their text leaves open is told in `design/analysis.md`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foveate.analysis.columns import Columns
from foveate.core.question_texts import normalised as normalised

# A region that covers more of its photo is taken for the whole photo.
WHOLE_ABOVE = 0.95
# The paper's annotators drew on a canvas of 400 x 500 pixels, in which its Table 4 gives sizes.
CANVAS_PIXELS = 400 * 500
THIRDS = ("small", "medium", "large")
# What one colour is called, and the words that stand beside one. The paper does not list its own.
_COLOURS = """
    beige black blue bronze brown burgundy clear cream cyan gold golden gray green grey khaki magenta maroon navy orange
    peach pink purple red rust silver tan teal turquoise violet white yellow
"""
COLOURS = frozenset(_COLOURS.split())
_BESIDE_COLOURS = frozenset({"and", "bright", "color", "colour", "dark", "deep", "light", "pale", "with"})


def thirds(coverage: NDArray[np.float64]) -> NDArray[np.int64]:
    """Returns 0 for less than a third of the photo, 1 for less than two thirds, else 2, ``(N,)``."""
    return np.digitize(coverage, [1 / 3, 2 / 3]).astype(np.int64)


def whole(columns: Columns) -> NDArray[np.bool_]:
    """Returns which targets are taken for the whole photo, ``(N,)``."""
    return columns.coverage > WHOLE_ABOVE


def is_colour(answer: str) -> bool:
    """Returns whether an answer is no more than colours: ``blue``, ``light blue``, ``black and white``.

    Example:
        >>> is_colour("Light blue"), is_colour("black and white"), is_colour("orange juice"), is_colour("dark")
        (True, True, False, False)
    """
    words = normalised(answer).replace(",", " ").split()
    return any(word in COLOURS for word in words) and all(word in COLOURS | _BESIDE_COLOURS for word in words)
