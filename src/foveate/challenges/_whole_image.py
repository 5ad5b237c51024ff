"""The example of an entry: the whole image of every photo."""

from __future__ import annotations

from collections.abc import Iterable

from foveate.core.predictions import Prediction
from foveate.core.queries import Query
from foveate.core.regions import Box, Region


def whole_images(queries: Iterable[Query]) -> list[Prediction]:
    """Returns the whole image for every question; none for a photo whose size is not known."""
    found = []
    for query in queries:
        if query.size_hw is None:
            found.append(Prediction(query.id, "no_region", reason="the size of the photo is not known"))
            continue
        height, width = query.size_hw
        region = Region(Box((0.0, 0.0, float(width), float(height))), score=None)
        found.append(Prediction(query.id, "ok", final=region, size_hw=query.size_hw))
    return found
