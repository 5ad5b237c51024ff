"""Outlines that lie inside another outline of their region: meant as holes, in tools that have no word for one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations

from foveate.core.boxes import SizeHW
from foveate.core.polygons import as_corners, polygon_box, rasterise
from foveate.core.regions import Polygon
from foveate.core.rle import area, merge
from foveate.errors import some
from foveate.formats._drawn import Drawn


class Nested:
    """Passes shapes on and remembers those in which an outline lies inside another.

    A region is the union of its outlines, as COCO's own evaluation takes it: such an outline cuts no hole.
    """

    def __init__(self) -> None:
        self._found: list[str] = []

    def passing(self, shapes: Iterable[Drawn], size_hw: SizeHW | None) -> Iterator[Drawn]:
        """Yields the shapes as they are."""
        for drawn in shapes:
            if size_hw and isinstance(drawn.shape, Polygon) and has_nested(drawn.shape, size_hw):
                self._found.append(drawn.where)
            yield drawn

    def remarks(self) -> list[str]:
        """Returns what must be known, where there is any."""
        if not self._found:
            return []
        n = len(self._found)
        what = "regions have an outline inside another one, which is no hole here: what is inside belongs to the region"
        return [f"{what}: {n:,}, {some(self._found)}. Holes are held by masks (RLE) only"]


def has_nested(polygon: Polygon, size_hw: SizeHW) -> bool:
    """Returns whether all pixels of one outline of a polygon are pixels of another, larger one."""
    parts = [as_corners(part) for part in polygon.parts] if len(polygon.parts) > 1 else []
    for outer, inner in permutations(parts, 2):
        a, b = polygon_box(outer), polygon_box(inner)
        if not (a[0] <= b[0] and a[1] <= b[1] and b[2] <= a[2] and b[3] <= a[3]):
            continue
        around, inside = rasterise([outer], size_hw), rasterise([inner], size_hw)
        if 0 < area(inside) < area(around) and area(merge([around, inside])) == area(around):
            return True
    return False
