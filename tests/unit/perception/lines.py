"""Lines of text that are only pretended."""

from __future__ import annotations

import numpy as np

from foveate.perception.text_lines import TextLine, text_line

FAR = (100_000, 100_000)


def line(text: str, xyxy: tuple[float, float, float, float], score: float = 0.9, turns: int = 0) -> TextLine:
    """Returns a line in a box of the page, the page then turned clockwise by quarters about a far point."""
    x0, y0, x1, y1 = xyxy
    quad = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], dtype=np.float64) + 1000.0
    for _ in range(turns):
        quad = np.stack([10_000.0 - quad[:, 1], quad[:, 0]], axis=1)
    found = text_line(text, score, quad, FAR)
    assert found is not None
    return found
