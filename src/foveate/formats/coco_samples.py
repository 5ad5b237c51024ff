"""Samples as COCO's file of instances; what COCO has no place for stands in further keys of an annotation.

References:
    Lin and others: Microsoft COCO, ECCV 2014; the reader is `foveate.formats.coco`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from foveate.core.boxes import SizeHW, xyxy_to_xywh
from foveate.core.regions import Box, Mask
from foveate.core.rle import area
from foveate.core.truths import Target, TargetShape
from foveate.errors import InputError
from foveate.formats._drawn import (
    Drawn,
    by_photo,
    carried,
    class_of,
    mask_of,
    named_texts,
    rings,
    samples_of_photo,
    without_shape,
)
from foveate.formats._fitted import fitted
from foveate.formats._json_files import write_object
from foveate.formats._losses import OF_REGIONS
from foveate.formats._nested import Nested
from foveate.formats._sample_forms import FIX, Form, Reading, Sample
from foveate.formats._sample_objects import mask_object
from foveate.formats.coco import CocoAnnotation, CocoFile, read_coco
from foveate.formats.tables import Row

# The further key that tells a box from a polygon of four corners.
_SHAPE = "shape"


def is_coco(values: Mapping[str, Any]) -> bool:
    """Returns whether a JSON object is a file of instances."""
    return "images" in values and "annotations" in values


def read(path: Path, reading: Reading) -> Iterator[Sample]:
    """Yields the samples of a file, photo by photo.

    Raises:
        InputError: The file is none of COCO, or an entry cannot be taken (unless `on_invalid` returns).
    """
    file = read_coco(path, reading.on_invalid)
    drawn: dict[int, list[Drawn]] = {number: [] for number in file.images}
    for found, row in file.annotations(reading.on_invalid):
        try:
            drawn[found.image_id].append(_drawn(found, row, file))
        except InputError as error:
            reading.on_invalid(error)
    empty = [file.images[number].file_name for number, shapes in drawn.items() if not shapes]
    if empty:
        reading.on_remark(without_shape(empty))
    ids: dict[str, str] = {}
    nested = Nested()
    for number, shapes in drawn.items():
        image = file.images[number]
        passing = nested.passing(shapes, image.size_hw)
        yield from samples_of_photo(image.file_name, image.size_hw, passing, reading.on_invalid, ids)
    for remark in nested.remarks():
        reading.on_remark(remark)


def _drawn(found: CocoAnnotation, row: Row, file: CocoFile) -> Drawn:
    size_hw = file.images[found.image_id].size_hw
    try:
        box = _box(found)
        shape: TargetShape = fitted(box, size_hw) if box else found.shape(size_hw)[0]
    except ValueError as error:
        raise InputError(row.where, str(error), FIX) from error
    return Drawn(row.where, shape, file.categories[found.category_id].name, named_texts(found.extra, row.where))


def _box(found: CocoAnnotation) -> Box | None:
    """Returns the box that we wrote as the polygon of its corners, in their very numbers; `bbox` holds a difference."""
    corners = found.segmentation
    if found.extra.get(_SHAPE) != "box" or not isinstance(corners, list) or [len(part) for part in corners] != [8]:
        return None
    x0, y0, _, _, x1, y1, _, _ = corners[0]
    return Box((x0, y0, x1, y1))


def write(samples: Iterable[Sample], path: Path) -> int:
    """Writes a file of instances; returns how many samples have a region, which are kept.

    Raises:
        InputError: The size of a photo is not known.
    """
    kinds: dict[str, int] = {}
    images: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    count = 0
    for number, (photo, asked) in enumerate(by_photo(samples).items(), start=1):
        size_hw = asked[0].query.size_hw
        if size_hw is None:
            why = "the size of its photo is not known, which COCO states"
            raise InputError(asked[0].query.id, why, "Put the photos below the root of the data set.")
        images.append({"id": number, "file_name": photo, "width": size_hw[1], "height": size_hw[0]})
        for sample, target in ((one, target) for one in asked for target in one.truth.targets):
            kind = kinds.setdefault(class_of(target), len(kinds) + 1)
            ids = {"id": len(annotations) + 1, "image_id": number, "category_id": kind, "iscrowd": 0}
            annotations.append({**ids, **_values(target, size_hw), **carried(sample, target)})
        count += sum(bool(sample.truth.targets) for sample in asked)
    categories = [{"id": number, "name": name, "supercategory": ""} for name, number in kinds.items()]
    write_object({"images": images, "annotations": annotations, "categories": categories}, path)
    return count


def _values(target: Target, size_hw: SizeHW) -> dict[str, Any]:
    shape = target.shape
    rle = mask_of(shape, size_hw)
    around = Mask(rle).xyxy if rle is not None else shape.xyxy
    flat = [[side for point in ring for side in point] for ring in rings(shape, size_hw)] if rle is None else []
    return {
        "bbox": xyxy_to_xywh(around).tolist(),
        "area": area(rle if rle is not None else shape.rle(size_hw)),
        "segmentation": flat if rle is None else mask_object(rle),
        _SHAPE: "box" if isinstance(shape, Box) else "region",
    }


FORM = Form(
    "coco",
    "COCO instances (JSON)",
    read,
    write,
    suffixes=(".json",),
    lost=OF_REGIONS,
)
