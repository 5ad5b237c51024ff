"""Features of a data set's photos into one file, so that they are worked out once and found by the photo's name."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from foveate.core.boxes import SizeHW
from foveate.core.queries import Image
from foveate.datasets._open import open_dataset
from foveate.errors import InputError, OutputError, UsageError, some
from foveate.execution.ground import RunProgress
from foveate.formats.feature_files import FeatureCard
from foveate.formats.feature_writer import FeatureWriter, part_of
from foveate.perception.region_features import RegionSource, region_config, region_source
from foveate.runs.provenance import provenance


class GridSource(Protocol):
    """Gives a photo as a grid of features: the part of `foveate.perception.grid_features` that is needed here."""

    name: str
    config: Mapping[str, Any]
    grid_hw: SizeHW
    width: int

    def features(self, name: str, image: Image | None) -> NDArray[np.float32]:
        """Returns ``float32 (h, w, D)``."""


@dataclass(frozen=True)
class Stored:
    """What `store_features` did.

    Attributes:
        out: The file.
        n: Photos that it has.
        n_new: Photos whose features were made by this call.
        card: What the file says of itself.
    """

    out: Path
    n: int
    n_new: int
    card: FeatureCard


@dataclass(frozen=True)
class _Photo:
    name: str
    image: Image
    size_hw: SizeHW


def store_features(
    dataset: str,
    root: Path | str | None = None,
    *,
    source: GridSource | RegionSource,
    out: Path | str,
    questions: Path | str | None = None,
    settings: Mapping[str, str] | None = None,
    limit: int | None = None,
    progress: RunProgress | None = None,
) -> Stored:
    """Writes the features of every photo of a data set; goes on with what was begun for the same photos and source.

    Args:
        dataset: `NAME` or `NAME:SPLIT`.
        root: The folder of the data set.
        source: What makes the features; it looks at photos.
        out: The file; while it is written it is `OUT.part`.
        questions: The table of questions, for the data set `folder`.
        settings: Options of the data set.
        limit: Only the first so many photos.
        progress: Is told how far it is.

    Raises:
        InputError: A photo is absent or broken, or what was begun does not fit.
        OutputError: The file is there already, or cannot be written.
        UnavailableError: h5py, weights or a model are not here.
    """
    place = Path(out)
    if place.exists():
        raise OutputError(str(place), "it is there already", "Choose another --out, or remove it.")
    if place.suffix.lower() not in {".h5", ".hdf5"}:
        raise UsageError(str(place), "features are stored as HDF5", "End its name in .h5.")
    data = open_dataset(dataset, root, questions=questions, settings=settings)
    photos = _photos(data.name, data.queries(), limit)
    card = _card(source, data.name)
    made = 0
    with FeatureWriter(place, card, [photo.name for photo in photos]) as writer:
        todo = [row for row, done in enumerate(writer.done) if not done]
        if progress is not None:
            progress.begin("features", len(photos), len(photos) - len(todo))
        for row in todo:
            _write(writer, row, photos[row], source)
            made += 1
            if progress is not None:
                progress.advance()
    return Stored(place, len(photos), made, card)


def begun(out: Path | str) -> bool:
    """Returns whether a file was begun and is not whole yet."""
    return part_of(Path(out)).exists()


def named_source(*, regions: str | None = None, grid: str | None = None, options: Mapping[str, Any]) -> Any:
    """Returns the source that a command names; exactly one kind is given.

    Args:
        regions: As `foveate.perception.region_features.region_config` reads it.
        grid: A source of `foveate.perception.grid_features`.
        options: Of the source.

    Raises:
        UsageError: None or both are given, or there is no such source or option.
    """
    if (regions is None) == (grid is None):
        raise UsageError("foveate features", "one kind of features is needed", "Say --regions NAME or --grid NAME.")
    if regions is not None:
        config = region_config(regions) | dict(options)
        if config["name"] == "stored":
            raise UsageError(
                regions,
                "these are stored already",
                "Say --regions offline, or hub:NAME; a method takes the file itself.",
            )
        return region_source(config)
    return importlib.import_module("foveate.perception.grid_features").grid_source({"name": grid, **options})


def _photos(dataset: str, queries: Any, limit: int | None) -> list[_Photo]:
    """Returns each photo once, in the order of its first question."""
    found: dict[str, _Photo | None] = {}
    for query in queries:
        if query.image_name not in found:
            image = query.image
            found[query.image_name] = None if image is None else _Photo(query.image_name, image, image.size_hw)
            if limit is not None and len(found) == limit:
                break
    absent = [name for name, photo in found.items() if photo is None]
    if absent or not found:
        problem = (
            f"{len(absent):,} of {len(found):,} photos are absent: {some(absent)}" if absent else "it has no photo"
        )
        raise InputError(dataset, problem, "Put them below --root; features are made by looking at them.")
    return [photo for photo in found.values() if photo is not None]


def _card(source: GridSource | RegionSource, dataset: str) -> FeatureCard:
    told = {"source": dict(source.config), "width": source.width, "dataset": dataset, "versions": provenance()}
    if hasattr(source, "regions"):
        return FeatureCard(kind="regions", most=getattr(source, "most", None), **told)
    return FeatureCard(kind="grid", grid_hw=getattr(source, "grid_hw", None), **told)


def _write(writer: FeatureWriter, row: int, photo: _Photo, source: Any) -> None:
    if hasattr(source, "regions"):
        found = source.regions(photo.name, photo.image, photo.size_hw)
        writer.regions(row, found.xyxy, found.features, found.labels, photo.size_hw)
    else:
        writer.grid(row, source.features(photo.name, photo.image), photo.size_hw)
