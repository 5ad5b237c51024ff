"""Photos with annotations that are made up."""

from __future__ import annotations

from pathlib import Path

from benchmarks._proxy import Instance, Photo, Sample, present

from foveate.core.regions import Polygon
from tests.helpers import Sides, save_photo

SIZE = (100, 200)


def instance(kind: str, xyxy: Sides, *, crowd: bool = False) -> Instance:
    x0, y0, x1, y1 = xyxy
    return Instance(kind, xyxy, None if crowd else Polygon((((x0, y0), (x1, y0), (x1, y1), (x0, y1)),)))


def photo(folder: Path, *instances: Instance, name: str = "000000000002.jpg") -> Photo:
    return Photo(save_photo(folder / name, SIZE), SIZE, instances)


def dog(folder: Path) -> Sample:
    """A dog alone, at (20, 20, 60, 60), asked for by its name."""
    (sample,) = present([photo(folder, instance("dog", (20, 20, 60, 60)))], "named")
    return sample
