"""COCO results: a JSON list of `{image_id, category_id, score, bbox and/or segmentation}`, an entry a region.

`bbox` is left, top, width, height. `segmentation` is an RLE, packed or not, or lists of corners `[x, y, x, y, …]`; it
wins over the box. Categories and further keys say nothing of where a region is and are not looked at.

References:
    COCO, data format and results format; the reader `COCO.loadRes` of pycocotools.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Tag

from foveate.core.boxes import SizeHW
from foveate.core.regions import Region, Sides
from foveate.errors import InputError
from foveate.formats.json_regions import (
    Four,
    Number,
    RleObject,
    Score,
    box_from_xywh,
    check_around,
    id_text,
    outlines_from,
    polygon_from,
)
from foveate.formats.photo_names import image_name
from foveate.formats.tables import OnInvalid, Row, json_file, refuse

FIX = "Fix the entry, or pass --skip-invalid."
ImageId = int | str


def _absent_if_empty(value: object) -> object:
    return None if value == [] else value


def _kind(value: object) -> str:
    return "rle" if isinstance(value, dict | RleObject) else "corners"


_Segmentation = Annotated[
    Annotated[RleObject, Tag("rle")] | Annotated[list[list[Number]], Tag("corners")], Discriminator(_kind)
]


class CocoResult(BaseModel):
    """One entry but for its `image_id`."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    score: Score
    bbox: Annotated[Four | None, BeforeValidator(_absent_if_empty)] = None
    segmentation: Annotated[_Segmentation | None, BeforeValidator(_absent_if_empty)] = None

    def region(self, size_hw: SizeHW | None) -> Region:
        """Returns the region; lists of corners become their mask.

        Args:
            size_hw: Height and width of the photo, where known.

        Raises:
            ValueError: There is none, it does not fit the photo, or box and segmentation are two regions.
        """
        if self.segmentation is None:
            if self.bbox is None:
                raise ValueError("it has neither a bbox nor a segmentation")
            return Region(box_from_xywh(self.bbox, size_hw), self.score)
        if isinstance(self.segmentation, RleObject):
            mask = self.segmentation.mask(size_hw)
            around: Sides = mask.xyxy
        else:
            mask, around = polygon_from([_points(part) for part in self.segmentation], size_hw)
        self._check_around(around)
        return Region(mask, self.score)

    def refuse_beside(self, size_hw: SizeHW | None) -> None:
        """Refuses what is wrong with a region that is not the best of its photo; outlines are not drawn for that.

        Raises:
            ValueError: As of `region`, but for outlines that cover no pixel.
        """
        if isinstance(self.segmentation, list):
            self._check_around(outlines_from([_points(part) for part in self.segmentation], size_hw).xyxy)
        else:
            self.region(size_hw)

    def _check_around(self, around: Sides) -> None:
        if self.bbox is not None:
            left, top, width, height = self.bbox
            check_around((left, top, left + width, top + height), around)


def read_results(path: Path, on_invalid: OnInvalid = refuse) -> Iterator[tuple[int, ImageId, Row]]:
    """Yields the number of each entry, its `image_id` and its values.

    An entry that names no image is told to `on_invalid` and no more: which image it was the best region of, nobody can
    tell.

    Raises:
        InputError: The file is no such list, or `on_invalid` raises for an entry that names no image (the default).
    """
    values = json_file(path, "Give a file of JSON.")
    if not isinstance(values, list):
        raise InputError(
            str(path), "this is not a list of results", "Give the list of {image_id, category_id, score, bbox} itself."
        )
    for number, entry in enumerate(values, start=1):
        where = f"{path}, entry {number}"
        try:
            image_id = _image_id(entry, where)
        except InputError as error:
            on_invalid(error)
            continue
        yield number, image_id, Row(entry, f"{where}, image {image_id}")


def read_image_names(path: Path, named: Callable[[str], str] = image_name) -> dict[ImageId, str]:
    """Returns the photos' names by number, from the `images` of a COCO file.

    Args:
        path: The file.
        named: Tells what a `file_name` means; its last part by default.

    Raises:
        InputError: The file is none, gives two names to one number, or one name to two.
    """
    values = json_file(path, "Give a file of JSON.")
    images = values.get("images") if isinstance(values, dict) else None
    if not isinstance(images, list):
        raise InputError(str(path), "it has no list of images", "Give the COCO file with images: [{id, file_name}, …].")
    names: dict[ImageId, str] = {}
    numbers: dict[str, ImageId] = {}
    for number, image in enumerate(images, start=1):
        where = f"{path}, image {number}"
        if not isinstance(image, Mapping) or not isinstance(image.get("file_name"), str):
            raise InputError(where, "it has no file_name", "Give the official file.")
        name, image_id = named(image["file_name"]), _id(image, "id", where, "Give the official file.")
        if names.setdefault(image_id, name) != name:
            raise InputError(where, f"the id {image_id} has two names", "Give each number one photo.")
        first = numbers.setdefault(name, image_id)
        if first != image_id:
            raise InputError(
                where, f"the photo {name} has two numbers, {first} and {image_id}", "Give each photo one number."
            )
    return names


def refuse_not_finite(row: Row) -> None:
    """Refuses `NaN` and `Infinity`, which no JSON has, also where nothing is looked at.

    Raises:
        InputError: A value of the entry is one.
    """
    for key, value in row.values.items():
        if isinstance(value, float) and not math.isfinite(value):
            raise InputError(row.where, f"{key} is {value}; a finite number is needed here", FIX)


def _points(numbers: list[float]) -> list[tuple[float, float]]:
    if len(numbers) % 2:
        raise ValueError(f"an outline has {len(numbers)} numbers; they come in pairs, x and y")
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _image_id(entry: Any, where: str) -> ImageId:
    if not isinstance(entry, dict):
        raise InputError(where, f"this is a JSON {type(entry).__name__}, not an object", FIX)
    return _id(entry, "image_id", where, FIX)


def _id(values: Mapping[str, Any], key: str, where: str, remedy: str) -> ImageId:
    if key not in values:
        raise InputError(where, f"{key} is missing", remedy)
    value = values[key]
    try:
        text = id_text(value)
    except ValueError as error:
        raise InputError(where, f"{key} is {value!r}; {error}", remedy) from error
    return value if isinstance(value, int) else text
