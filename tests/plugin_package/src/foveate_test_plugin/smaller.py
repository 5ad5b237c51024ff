"""An aggregator that takes the smaller region, for the tests of the plugin door."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from foveate.core.boxes import SizeHW
from foveate.core.cards import AggregatorCard
from foveate.core.regions import Box, Shape
from foveate.quality.aggregators._cases import Case, boxes
from foveate.quality.drawings import Drawing, pixels

CARD = AggregatorCard(
    name="smaller",
    title="The smaller box",
    summary="The box that covers fewest pixels.",
    reference="the tests",
    takes=("box",),
    gives="drawing",
    by_order=True,
    settings={"equals": "which of equals is taken: the `earlier` or the `later`"},
    limits="A slip of the pen wins.",
)

CASES = (
    Case("the second", boxes((0, 0, 9, 9), (0, 0, 2, 2)), Box((0, 0, 2, 2))),
    Case("the later of equals", boxes((0, 0, 4, 4), (1, 1, 5, 5)), Box((1, 1, 5, 5)), {"equals": "later"}),
)


def aggregate(
    drawings: Sequence[Drawing], size_hw: SizeHW, *, equals: Literal["earlier", "later"] = "earlier"
) -> Shape | None:
    ordered = drawings if equals == "earlier" else drawings[::-1]
    return min(ordered, key=lambda one: pixels(one.shape, size_hw)).shape
