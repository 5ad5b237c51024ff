"""Samples of three small photos for the tests of challenges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from foveate.core.queries import Query
from foveate.core.regions import Box, Sides
from foveate.core.truths import Target, Truth
from foveate.formats._sample_forms import Sample

SIZE_HW = (48, 64)


def box_samples(boxes: Sequence[Sides] | None) -> Iterator[Sample]:
    """Yields 0.jpg, 1.jpg and 2.jpg, each with its box, or without any."""
    for number in range(3):
        targets = () if boxes is None else (Target(Box(boxes[number])),)
        name = f"{number}.jpg"
        yield Sample(Query(name, name, None, "Where?", SIZE_HW), Truth(name, (), targets, size_hw=SIZE_HW))
