"""The pixels that everybody marked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from foveate.core.boxes import SizeHW
from foveate.core.cards import AggregatorCard
from foveate.core.regions import Box, Shape
from foveate.core.rle import merge
from foveate.quality.aggregators._cases import Case, boxes, outline, outlines
from foveate.quality.aggregators._pixels import as_shape, unanimous
from foveate.quality.drawings import Drawing, all_boxes, masks

CARD = AggregatorCard(
    name="intersection",
    title="What everybody marked",
    summary="Every pixel that all people have marked; of boxes the box that they share, exactly.",
    reference="the intersection of sets",
    takes=("box", "mask"),
    gives="mask",
    fewest=2,
    limits="Shrinks with every person; one who drew elsewhere leaves no region.",
)

CASES = (
    Case("what two share", outlines((0, 0, 6, 6), (2, 3, 9, 9)), outline(2, 3, 6, 6)),
    Case("of boxes to the fraction", boxes((0, 0, 6.5, 6), (2.25, 3, 9, 9)), Box((2.25, 3, 6.5, 6))),
    Case("boxes that touch share nothing", boxes((0, 0, 4, 4), (4, 0, 8, 4)), None),
    Case("outlines apart", outlines((0, 0, 4, 4), (6, 0, 8, 4)), None),
)


def aggregate(drawings: Sequence[Drawing], size_hw: SizeHW) -> Shape | None:
    """Returns what everybody marked; None where that is nothing."""
    same = unanimous(drawings)
    if same is not None:
        return same
    shapes = [one.shape for one in drawings]
    if not all_boxes(shapes):
        return as_shape(merge(masks(drawings, size_hw), intersect=True))
    sides = np.array([shape.xyxy for shape in shapes])
    (x0, y0), (x1, y1) = sides[:, :2].max(axis=0).tolist(), sides[:, 2:].min(axis=0).tolist()
    return Box((x0, y0, x1, y1)) if x0 < x1 and y0 < y1 else None
