"""The region that covers most pixels: the first paper's rule for its two people."""

from __future__ import annotations

from collections.abc import Sequence

from foveate.core.boxes import SizeHW
from foveate.core.cards import AggregatorCard
from foveate.core.regions import Box, Shape
from foveate.quality.aggregators._cases import Case, boxes, outline, outlines
from foveate.quality.drawings import Drawing, pixels

CARD = AggregatorCard(
    name="larger",
    title="The larger region, as in the first paper",
    summary="The region that covers most pixels, the earlier of equals.",
    reference="Chen, Anjum, Gurari, CVPR 2022: of two people's regions the larger one.",
    takes=("box", "mask"),
    gives="drawing",
    by_order=True,
    limits="Only the size counts: one careless large region wins over any number of good ones.",
)

CASES = (
    Case("16 pixels before 12", outlines((0, 0, 4, 3), (5, 5, 9, 9)), outline(5, 5, 9, 9)),
    Case("of equals the earlier", boxes((0, 0, 2, 6), (0, 0, 4, 3), (1, 1, 2, 2)), Box((0, 0, 2, 6))),
)


def aggregate(drawings: Sequence[Drawing], size_hw: SizeHW) -> Shape | None:
    """Returns the drawing that covers most pixels; the earlier of equals."""
    return max(drawings, key=lambda one: pixels(one.shape, size_hw)).shape
