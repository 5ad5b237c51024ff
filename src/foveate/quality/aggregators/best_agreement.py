"""The region that overlaps most with the others."""

from __future__ import annotations

import math
from collections.abc import Sequence

from foveate.core.boxes import SizeHW
from foveate.core.cards import AggregatorCard
from foveate.core.regions import Box, Shape
from foveate.quality.aggregators._cases import Case, boxes, outline, outlines
from foveate.quality.drawings import Drawing
from foveate.quality.overlaps import overlaps

CARD = AggregatorCard(
    name="best_agreement",
    title="The region that agrees best with the others",
    summary="The drawing with the highest mean IoU with the others; the earlier of equals.",
    reference="Braylan and Lease, WWW 2020: the smallest average distance, here of 1 - IoU.",
    takes=("box", "mask"),
    gives="drawing",
    fewest=3,
    by_order=True,
    limits="Of two it is the first. It is never better than the best drawing, since nothing is averaged.",
)

# Widths of 4, 6 and 8 overlap by 4/6, 4/8 and 6/8: the middle one has 17/12, the last 15/12, the first 14/12.
CASES = (
    Case("the middle one", boxes((0, 0, 4, 8), (0, 0, 6, 8), (0, 0, 8, 8)), Box((0, 0, 6, 8))),
    Case("not the one apart", outlines((9, 0, 15, 8), (0, 0, 4, 4), (0, 0, 4, 5)), outline(0, 0, 4, 4)),
    Case("of two the first", boxes((0, 0, 4, 4), (0, 0, 9, 9)), Box((0, 0, 4, 4))),
)


def aggregate(drawings: Sequence[Drawing], size_hw: SizeHW) -> Shape | None:
    """Returns the drawing that overlaps most with the others on average: boxes as boxes, else all as pixels."""
    table = overlaps([one.shape for one in drawings], size_hw)
    # Summed exactly, so that only true equals are equal, whoever comes first.
    sums = [math.fsum(row) for row in table.tolist()]
    return drawings[sums.index(max(sums))].shape
