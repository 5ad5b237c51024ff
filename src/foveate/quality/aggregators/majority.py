"""The pixels that more than half of the people marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from foveate.core.boxes import SizeHW
from foveate.core.cards import AggregatorCard
from foveate.core.regions import Shape
from foveate.quality.aggregators._cases import Case, outline, outlines
from foveate.quality.aggregators._pixels import as_shape, marked_by, unanimous
from foveate.quality.drawings import Drawing, masks

CARD = AggregatorCard(
    name="majority",
    title="The pixels that more than half of the people marked",
    summary="Every pixel that more than half of those who drew have marked.",
    reference="Segmentation by majority vote, as in crowd-kit's `SegmentationMajorityVote`, whose ties are in.",
    takes=("box", "mask"),
    gives="mask",
    fewest=3,
    settings={
        "ties": "whether a pixel that exactly half have marked is `out` of the region or `in` it",
    },
    limits="Where nothing is marked by more than half, there is no region. Of two people it is what both marked (with "
    "`ties=in` what any of them did). The region may be in several parts.",
)

THREE = outlines((0, 0, 6, 4), (2, 0, 8, 4), (4, 0, 10, 4))
CASES = (
    Case("columns 2 to 7 are marked by two of three or more", THREE, outline(2, 0, 8, 4)),
    Case("of two what both marked", THREE[:2], outline(2, 0, 6, 4)),
    Case("of two, ties in, what any marked", THREE[:2], outline(0, 0, 8, 4), {"ties": "in"}),
    Case("three apart", outlines((0, 0, 2, 2), (4, 0, 6, 2), (8, 0, 9, 2)), None),
)


def aggregate(drawings: Sequence[Drawing], size_hw: SizeHW, *, ties: Literal["out", "in"] = "out") -> Shape | None:
    """Returns the pixels that more than half marked, with `ties="in"` at least half; None where there are none."""
    same = unanimous(drawings)
    if same is not None:
        return same
    count = len(drawings)
    needed = (count + 1) // 2 if ties == "in" else count // 2 + 1
    return as_shape(marked_by(masks(drawings, size_hw), needed))
