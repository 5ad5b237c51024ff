"""The box each side of which is the median of the people's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from foveate.core.boxes import SizeHW
from foveate.core.cards import AggregatorCard
from foveate.core.regions import Box, Shape
from foveate.quality.aggregators._cases import Case, boxes, outlines
from foveate.quality.drawings import Drawing

CARD = AggregatorCard(
    name="median_box",
    title="A box of the medians of all sides",
    summary="The box each side of which is the median of the people's; of outlines and masks their boxes.",
    reference="the marginal median, which one stray side of three or more cannot drag away",
    takes=("box", "mask"),
    gives="box",
    fewest=3,
    limits="Of an outline only its box is left. Of two, and of every even number, each side is the mean of the middle "
    "two. People who drew two different things give a box of neither.",
)

CASES = (
    Case("a stray third", boxes((0, 0, 4, 4), (1, 1, 5, 5), (9, 9, 15, 12)), Box((1, 1, 5, 5))),
    Case("of two the mean", boxes((0, 0, 4, 4), (1, 2, 5, 5)), Box((0.5, 1, 4.5, 4.5))),
    Case("of outlines their boxes", outlines((0, 0, 4, 4), (1, 1, 5, 5), (2, 0, 6, 4)), Box((1, 0, 5, 4))),
)


def aggregate(drawings: Sequence[Drawing], size_hw: SizeHW) -> Shape | None:
    """Returns the box of the medians; it has an area, since the medians of two ordered rows are ordered too."""
    first = drawings[0].shape
    if len(drawings) == 1 and isinstance(first, Box):
        return first
    x0, y0, x1, y1 = np.median([one.shape.xyxy for one in drawings], axis=0).tolist()
    return Box((x0, y0, x1, y1))
