"""labelme: one JSON file a photo, with polygons, rectangles and masks.

References:
    The files of labelme 5 (`LabelFile`): `shapes` of `label`, `points`, `group_id`, `shape_type`, `flags` and `mask`,
    a PNG whose first pixel lies at the first point; keys that it does not know it keeps.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from PIL.PngImagePlugin import PngImageFile
from pydantic import BaseModel, ConfigDict, Field

from foveate.core.boxes import SizeHW
from foveate.core.regions import Box, Mask, Polygon, Sides
from foveate.core.rle import MaskArray, Rle, decode, from_runs, tight_box
from foveate.core.truths import Target, TargetShape
from foveate.errors import InputError
from foveate.formats._drawn import (
    Drawn,
    by_photo,
    carried,
    class_of,
    mask_of,
    named_texts,
    new_file_for,
    refuse_second_photo,
    samples_of_photo,
    without_shape,
)
from foveate.formats._fitted import fitted
from foveate.formats._json_files import read_object, write_object
from foveate.formats._losses import OF_REGIONS
from foveate.formats._nested import Nested
from foveate.formats._places import is_folder, with_suffix
from foveate.formats._sample_forms import FIX, Form, Reading, Sample
from foveate.formats._sample_objects import parts_object
from foveate.formats.fields import NonBlank, Side, Text
from foveate.formats.json_regions import Corner
from foveate.formats.tables import Row, typed

WRITTEN_AS = "5.0.0"
_READ = ("polygon", "rectangle", "mask")


class _Shape(BaseModel):
    model_config = ConfigDict(extra="ignore")

    label: str
    points: tuple[Corner, ...]
    shape_type: str = "polygon"
    group_id: int | str | None = None
    flags: dict[str, Any] | None = None
    mask: str | None = None


class _File(BaseModel):
    model_config = ConfigDict(extra="ignore", populate_by_name=True)

    path: Annotated[NonBlank, Field(alias="imagePath")]
    image: Text = None
    height: Annotated[Side, Field(alias="imageHeight")] = None
    width: Annotated[Side, Field(alias="imageWidth")] = None
    shapes: list[Any]


def is_labelme(values: dict[str, Any]) -> bool:
    """Returns whether a JSON object is a file of labelme."""
    return "shapes" in values and "imagePath" in values


def read(path: Path, reading: Reading) -> Iterator[Sample]:
    """Yields the samples of a file, or of all files of a folder in the order of their names.

    Photos embedded as `imageData` are not read: the photo is the file of that name. Where two files are of one photo,
    the second is refused.

    Raises:
        InputError: A file or shape cannot be taken (unless `on_invalid` returns).
    """
    files = with_suffix(reading.files(path), ".json") if is_folder(path) else [path]
    seen: dict[str, str] = {}
    empty = []
    ids: dict[str, str] = {}
    nested = Nested()
    for file in files:
        try:
            values = typed(Row({k: v for k, v in read_object(file).items() if k != "imageData"}, str(file)), _File, FIX)
            photo = values.image or values.path.replace("\\", "/").rpartition("/")[2]
            refuse_second_photo(photo, str(file), seen)
        except InputError as error:
            reading.on_invalid(error)
            continue
        if not values.shapes:
            empty.append(photo)
        size_hw = (values.height, values.width) if values.height and values.width else reading.size_of(photo)
        passing = nested.passing(_drawn(values, file, size_hw, reading), size_hw)
        yield from samples_of_photo(photo, size_hw, passing, reading.on_invalid, ids)
    for remark in nested.remarks():
        reading.on_remark(remark)
    if empty:
        reading.on_remark(without_shape(empty))


def _drawn(values: _File, file: Path, size_hw: SizeHW | None, reading: Reading) -> Iterator[Drawn]:
    parts: dict[object, list[tuple[str, _Shape, Any]]] = {}
    for number, raw in enumerate(values.shapes, start=1):
        where = f"{file}, shape {number}"
        try:
            shape = typed(Row(raw if isinstance(raw, dict) else {}, where), _Shape, FIX)
        except InputError as error:
            reading.on_invalid(error)
            continue
        # Polygons of one group and class are the parts of one thing.
        grouped = shape.group_id is not None and shape.shape_type == "polygon"
        parts.setdefault((shape.group_id, shape.label) if grouped else number, []).append((where, shape, raw))
    for (where, shape, raw), *more in parts.values():
        try:
            outlines = [shape.points, *(other.points for _, other, _ in more)]
            region = fitted(_region(shape, outlines, size_hw, reading.most_pixels), size_hw)
            yield Drawn(where, region, shape.label, named_texts(raw, where))
        except ValueError as error:
            reading.on_invalid(InputError(where, str(error), FIX))
        except InputError as error:
            reading.on_invalid(error)


def _region(shape: _Shape, parts: list[tuple[Corner, ...]], size_hw: SizeHW | None, most_pixels: float) -> TargetShape:
    if shape.shape_type not in _READ:
        raise ValueError(f"a shape of the type {shape.shape_type} is no region; {', '.join(_READ)} are read")
    if shape.shape_type == "polygon":
        return Polygon(tuple(parts))
    if len(shape.points) != 2:
        raise ValueError(f"a {shape.shape_type} has 2 points, not {len(shape.points)}")
    if shape.shape_type == "mask":
        return _mask(shape, size_hw, most_pixels)
    (xa, ya), (xb, yb) = shape.points
    return Box((min(xa, xb), min(ya, yb), max(xa, xb), max(ya, yb)))


def _mask(shape: _Shape, size_hw: SizeHW | None, most_pixels: float) -> Mask:
    if shape.mask is None or size_hw is None:
        raise ValueError("a shape of the type mask needs its mask, and the size of the photo")
    (left, top), (right, bottom) = ((round(x), round(y)) for x, y in shape.points)
    try:
        # Not `PIL.Image.open`, which warns of a large picture before its size can be compared.
        with PngImageFile(io.BytesIO(base64.b64decode(shape.mask, validate=True))) as picture:
            problem = _mask_problem(picture, (left, top, right, bottom), size_hw, most_pixels)
            inside = np.zeros((1, 1), dtype=bool) if problem else np.asarray(picture) != 0
    except Exception as error:  # Pillow's reader raises of every kind on damaged files.
        raise ValueError(f"its mask is no PNG in base64 that can be read ({error})") from error
    if problem:
        raise ValueError(problem)
    return Mask(_laid(inside, left, top, size_hw))


def _mask_problem(
    picture: PngImageFile, points: tuple[int, int, int, int], size_hw: SizeHW, most_pixels: float
) -> str | None:
    """Returns why the header of a mask forbids to decode it, or None."""
    left, top, right, bottom = points
    width, height = picture.size
    across, down = abs(right - left) + 1, abs(bottom - top) + 1  # Its points are its first and its last pixel.
    if len(picture.getbands()) > 1:
        return f"its mask is of the kind {picture.mode}, not of one channel"
    if width > across or height > down:
        return f"its mask is {width} x {height}, and its points leave {across} x {down} pixels"
    if width * height > most_pixels:
        return f"its mask is {width} x {height}; {most_pixels:,.0f} pixels are the most that are decoded"
    if left < 0 or top < 0 or left + width > size_hw[1] or top + height > size_hw[0]:
        return f"its mask, {width} x {height} at {left}, {top}, does not lie on the photo, {size_hw[1]} x {size_hw[0]}"
    return None


def _laid(inside: MaskArray, left: int, top: int, size_hw: SizeHW) -> Rle:
    """Returns a small mask on its photo; by its runs, since a photo may be stated that no memory holds."""
    framed = np.zeros((inside.shape[0] + 2, inside.shape[1]), dtype=np.int8)
    framed[1:-1] = inside
    turns = np.diff(framed, axis=0).T  # Down the columns, as the runs go: 1 where one begins, -1 behind its end.
    begins, ends = (np.argwhere(turns == sign) @ (size_hw[0], 1) + left * size_hw[0] + top for sign in (1, -1))
    edges = np.stack([begins, ends], axis=1).ravel()
    return from_runs(np.diff(edges, prepend=0, append=size_hw[0] * size_hw[1]).tolist(), size_hw)


def write(samples: Iterable[Sample], path: Path) -> int:
    """Writes a JSON file a photo into a new folder; returns how many samples have a region, which are kept."""
    path.mkdir()
    owners: dict[Path, str] = {}
    count = 0
    for photo, asked in by_photo(samples).items():
        targets = [(sample, target) for sample in asked for target in sample.truth.targets]
        shapes = [shape for group, pair in enumerate(targets, start=1) for shape in _shapes(*pair, group)]
        height, width = asked[0].query.size_hw or (None, None)
        values: dict[str, Any] = {"version": WRITTEN_AS, "flags": {}, "shapes": shapes, "imagePath": Path(photo).name}
        values |= {"imageData": None, "imageHeight": height, "imageWidth": width, "image": photo}
        write_object(values, new_file_for(photo, path, ".json", owners))
        count += sum(bool(sample.truth.targets) for sample in asked)
    return count


def _shapes(sample: Sample, target: Target, group: int) -> Iterator[dict[str, Any]]:
    shape = target.shape
    rle = mask_of(shape, sample.query.size_hw)
    common: dict[str, Any] = {"label": class_of(target), "group_id": None, "mask": None}
    common |= {"description": "", "flags": {}}
    if rle is not None:
        yield {**common, **_mask_values(rle), **carried(sample, target)}
    elif isinstance(shape, Polygon):
        common["group_id"] = group if len(shape.parts) > 1 else None
        for part in parts_object(shape):
            yield {**common, "points": part, "shape_type": "polygon", **carried(sample, target)}
    else:
        x0, y0, x1, y1 = shape.xyxy
        yield {**common, "points": [[x0, y0], [x1, y1]], "shape_type": "rectangle", **carried(sample, target)}


def _mask_values(rle: Rle) -> dict[str, Any]:
    import PIL.Image

    x0, y0, x1, y1 = (int(side) for side in _box_of(rle))
    data = io.BytesIO()
    PIL.Image.fromarray(decode(rle)[y0:y1, x0:x1].astype(np.uint8)).save(data, "PNG")
    code = base64.b64encode(data.getvalue()).decode("ascii")
    return {"points": [[x0, y0], [x1 - 1, y1 - 1]], "shape_type": "mask", "mask": code}


def _box_of(rle: Rle) -> Sides:
    return tight_box(rle) or (0.0, 0.0, 0.0, 0.0)


FORM = Form(
    "labelme",
    "labelme (a folder, one JSON file a photo)",
    read,
    write,
    photos=".",
    lost=OF_REGIONS,
)
