"""VIA 2, the VGG Image Annotator: a project, its annotations as JSON, or as CSV.

References:
    Dutta, Zisserman: The VIA Annotation Software for Images, Audio and Video. ACM Multimedia 2019. Regions have
    `shape_attributes` (`rect`: x, y, width, height; `polygon`: all_points_x, all_points_y) and `region_attributes`,
    photos `file_attributes`; every attribute is a text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from foveate.core.boxes import SizeHW
from foveate.core.regions import Box, Polygon
from foveate.core.truths import Target, TargetShape
from foveate.errors import InputError
from foveate.formats._drawn import (
    Drawn,
    by_photo,
    carried,
    named_texts,
    refuse_second_photo,
    rings,
    samples_of_photo,
    without_shape,
)
from foveate.formats._fitted import fitted
from foveate.formats._json_files import read_object, write_object
from foveate.formats._losses import OF_REGIONS
from foveate.formats._sample_forms import FIX, Form, Reading, Sample
from foveate.formats.fields import NonBlank, PixelRow
from foveate.formats.json_regions import Number, box_from_xywh
from foveate.formats.tables import Row, json_value, read_rows, typed

PROJECT = "_via_img_metadata"
CSV_COLUMNS = ("file_attributes", "region_shape_attributes", "region_attributes")
# What people call the class of a region, where it is not its only attribute.
_CLASSES = ("class", "label", "name", "type", "category", "object")


class _Rect(BaseModel):
    x: Number
    y: Number
    width: Number
    height: Number


class _Corners(BaseModel):
    all_points_x: tuple[Number, ...]
    all_points_y: tuple[Number, ...]


class _Region(BaseModel):
    model_config = ConfigDict(extra="ignore")

    shape_attributes: dict[str, Any]
    region_attributes: dict[str, Any] = {}


class _Photo(BaseModel):
    model_config = ConfigDict(extra="ignore")

    filename: NonBlank
    file_attributes: dict[str, Any] = {}
    # VIA 1 wrote an object of numbered regions.
    regions: list[Any] | dict[str, Any] = []


def is_via(values: Mapping[str, Any]) -> bool:
    """Returns whether a JSON object is a project of VIA or its annotations."""
    first = next(iter(values.values()), None)
    return PROJECT in values or (isinstance(first, dict) and {"filename", "regions"} <= set(first))


def read(path: Path, reading: Reading) -> Iterator[Sample]:
    """Yields the samples of a project, its annotations as JSON, or as CSV.

    The attributes `question`, `answer` and `annotator` of a region, else of its photo, are taken; `width` and `height`
    of the photo too.

    Raises:
        InputError: The file is not of VIA, or a region cannot be taken (unless `on_invalid` returns).
    """
    seen: dict[str, str] = {}
    ids: dict[str, str] = {}
    empty = []
    entries = _csv_entries(path, reading) if path.suffix.lower() == ".csv" else _json_entries(path)
    for where, values in entries:
        try:
            photo = typed(Row(values, where), _Photo, FIX)
            refuse_second_photo(photo.filename, where, seen)
            size_hw = _size(photo, where) or reading.size_of(photo.filename)
        except InputError as error:
            reading.on_invalid(error)
            continue
        if not photo.regions:
            empty.append(photo.filename)
        drawn = _drawn(photo, f"{path}, {photo.filename}", size_hw, reading)
        yield from samples_of_photo(photo.filename, size_hw, drawn, reading.on_invalid, ids)
    if empty:
        reading.on_remark(without_shape(empty))


def _json_entries(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    values = read_object(path)
    entries = values.get(PROJECT, values)
    for name, entry in entries.items() if isinstance(entries, dict) else ():
        yield f"{path}, {name}", entry if isinstance(entry, dict) else {}


def _csv_entries(path: Path, reading: Reading) -> Iterator[tuple[str, Mapping[str, Any]]]:
    entries: dict[str, dict[str, Any]] = {}
    for row in read_rows(path, CSV_COLUMNS, reading.on_invalid):
        name = row.values.get("filename", row.values.get("#filename", ""))
        try:
            of_file, shape, of_region = (
                json_value(row.values[column] or "{}", f"{row.where}, {column}", FIX) for column in CSV_COLUMNS
            )
        except InputError as error:
            reading.on_invalid(error)
            continue
        entry = entries.setdefault(name, {"filename": name, "file_attributes": of_file, "regions": []})
        if shape:
            entry["regions"].append({"shape_attributes": shape, "region_attributes": of_region})
    for name, entry in entries.items():
        yield f"{path}, {name}", entry


def _size(photo: _Photo, where: str) -> SizeHW | None:
    told = photo.file_attributes
    sides: dict[str, Any] = {name: told[name] for name in ("width", "height") if name in told}
    return typed(Row(sides, where), PixelRow, FIX).size_hw


def _drawn(photo: _Photo, where: str, size_hw: SizeHW | None, reading: Reading) -> Iterator[Drawn]:
    regions = photo.regions.values() if isinstance(photo.regions, dict) else photo.regions
    for number, raw in enumerate(regions, start=1):
        told = f"{where}, region {number}"
        try:
            region = typed(Row(raw if isinstance(raw, dict) else {}, told), _Region, FIX)
            named = named_texts({**photo.file_attributes, **region.region_attributes}, told)
            yield Drawn(told, fitted(_shape(region, told), size_hw), _class(region.region_attributes), named)
        except ValueError as error:
            reading.on_invalid(InputError(told, str(error), FIX))
        except InputError as error:
            reading.on_invalid(error)


def _shape(region: _Region, where: str) -> TargetShape:
    name = region.shape_attributes.get("name")
    if name == "rect":
        rect = typed(Row(region.shape_attributes, where), _Rect, FIX)
        return box_from_xywh((rect.x, rect.y, rect.width, rect.height), None)
    if name == "polygon":
        corners = typed(Row(region.shape_attributes, where), _Corners, FIX)
        if len(corners.all_points_x) != len(corners.all_points_y):
            raise ValueError(f"it has {len(corners.all_points_x)} x and {len(corners.all_points_y)} y")
        return Polygon((tuple(zip(corners.all_points_x, corners.all_points_y, strict=True)),))
    raise ValueError(f"a shape of the kind {name} is no region that is read; draw it as polygon or rect")


def _class(attributes: Mapping[str, Any]) -> str | None:
    texts = {name: value for name, value in attributes.items() if isinstance(value, str) and value.strip()}
    if len(texts) == 1:
        return next(iter(texts.values()))
    return next((texts[name] for name in _CLASSES if name in texts), None)


def write(samples: Iterable[Sample], path: Path) -> int:
    """Writes a project; returns how many samples have a region, which are kept."""
    entries: dict[str, dict[str, Any]] = {}
    count = 0
    for photo, asked in by_photo(samples).items():
        size_hw = asked[0].query.size_hw
        regions = [region for sample in asked for target in sample.truth.targets for region in _regions(sample, target)]
        size = {"width": str(size_hw[1]), "height": str(size_hw[0])} if size_hw else {}
        # VIA finds a photo by its name and its size in bytes, -1 where that is not known.
        entries[f"{photo}-1"] = {"filename": photo, "size": -1, "regions": regions, "file_attributes": size}
        count += sum(bool(sample.truth.targets) for sample in asked)
    attributes = {
        "region": {name: _TEXT for name in ("sample", "question", "answer", "annotator")},
        "file": {name: _TEXT for name in ("width", "height")},
    }
    settings = {"project": {"name": "foveate"}, "core": {"default_filepath": ""}}
    write_object(
        {
            "_via_settings": settings,
            PROJECT: entries,
            "_via_attributes": attributes,
            "_via_data_format_version": "2.0.10",
            "_via_image_id_list": list(entries),
        },
        path,
    )
    return count


_TEXT = {"type": "text", "description": "", "default_value": ""}


def _regions(sample: Sample, target: Target) -> Iterator[dict[str, Any]]:
    said = {name: value for name, value in carried(sample, target).items() if value is not None}
    shape = target.shape
    if isinstance(shape, Box):
        x0, y0, x1, y1 = shape.xyxy
        rect = {"name": "rect", "x": x0, "y": y0, "width": x1 - x0, "height": y1 - y0}
        yield {"shape_attributes": rect, "region_attributes": said}
        return
    for ring in rings(shape, sample.query.size_hw):
        x, y = zip(*ring, strict=True)
        corners = {"name": "polygon", "all_points_x": x, "all_points_y": y}
        yield {"shape_attributes": corners, "region_attributes": said}


FORM = Form(
    "via",
    "VIA 2 (a project, JSON)",
    read,
    write,
    suffixes=(".json",),
    lost={
        **OF_REGIONS,
        "parts": "each becomes a region of its own",
        "mask": "it becomes the outlines of its parts, without holes",
        "soft_map": "it becomes the outlines of the places of at least one half",
    },
)
