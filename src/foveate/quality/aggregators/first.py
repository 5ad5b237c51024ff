"""The region that was sent first."""

from __future__ import annotations

from collections.abc import Sequence

from foveate.core.boxes import SizeHW
from foveate.core.cards import AggregatorCard
from foveate.core.regions import Box, Shape
from foveate.quality.aggregators._cases import Case, boxes
from foveate.quality.drawings import Drawing

CARD = AggregatorCard(
    name="first",
    title="The first region",
    summary="The region that was sent first.",
    reference="none: what a data set has of which only one person drew each sample",
    takes=("box", "mask"),
    gives="drawing",
    by_order=True,
    limits="Whoever is quickest decides; the work of the others is not used.",
)

CASES = (Case("of two the one sent first", boxes((0, 0, 2, 2), (0, 0, 9, 9)), Box((0, 0, 2, 2))),)


def aggregate(drawings: Sequence[Drawing], size_hw: SizeHW) -> Shape | None:
    """Returns the first drawing."""
    return drawings[0].shape
