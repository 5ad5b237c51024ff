"""The pixels that anybody marked."""

from __future__ import annotations

from collections.abc import Sequence

from foveate.core.boxes import SizeHW
from foveate.core.cards import AggregatorCard
from foveate.core.regions import Shape
from foveate.core.rle import merge
from foveate.quality.aggregators._cases import Case, outline, outlines
from foveate.quality.aggregators._pixels import as_shape, unanimous
from foveate.quality.drawings import Drawing, masks

CARD = AggregatorCard(
    name="union",
    title="All that anybody marked",
    summary="Every pixel that at least one person has marked.",
    reference="the union of sets",
    takes=("box", "mask"),
    gives="mask",
    fewest=2,
    limits="Grows with every person, and with every slip. The region may be in several parts.",
)

CASES = (
    Case("two that touch", outlines((0, 0, 4, 4), (4, 0, 8, 4)), outline(0, 0, 8, 4)),
    Case("one within the other", outlines((0, 0, 9, 9), (2, 2, 4, 4)), outline(0, 0, 9, 9)),
)


def aggregate(drawings: Sequence[Drawing], size_hw: SizeHW) -> Shape | None:
    """Returns the pixels that anybody marked."""
    return unanimous(drawings) or as_shape(merge(masks(drawings, size_hw)))
