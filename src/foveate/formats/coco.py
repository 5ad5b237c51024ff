"""COCO's files of instances and of captions, as their publisher writes them.

`images`, `annotations` and `categories` may stand in any order; annotations are read one at a time. A polygon is a list
of corners `[x, y, x, y, …]`, a crowd an RLE, packed or not; `bbox` is left, top, width, height.

References:
    Lin and others: Microsoft COCO, ECCV 2014; the web site's page on the data format; pycocotools' `COCO`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag

from foveate.core.boxes import SizeHW, clip_boxes
from foveate.core.polygons import TOLERATED_PIXELS, as_corners, clip_corners, outside_by
from foveate.core.regions import Box, Polygon, Shape, Sides
from foveate.core.rle import area
from foveate.errors import InputError
from foveate.formats.fields import NonBlank
from foveate.formats.json_regions import Four, Number, RleObject, Sized
from foveate.formats.json_stream import stream_elements
from foveate.formats.photo_names import image_name
from foveate.formats.tables import OnInvalid, Row, refuse, typed

FIX = "Fix the entry, or pass --skip-invalid."
Id = Annotated[int, Field(strict=True)]


class CocoImage(Sized):
    """One of the `images`."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: Id
    file_name: NonBlank


class CocoCategory(BaseModel):
    """One of the `categories`: a kind of thing."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: Id
    name: NonBlank
    supercategory: str | None = None


def _absent_if_empty(value: object) -> object:
    return None if value in ([], {}) else value


def _kind(value: object) -> str:
    return "rle" if isinstance(value, dict | RleObject) else "corners"


_Segmentation = Annotated[
    Annotated[RleObject, Tag("rle")] | Annotated[list[list[Number]], Tag("corners")], Discriminator(_kind)
]


class CocoAnnotation(BaseModel):
    """One of the `annotations`: an instance of a kind, or a crowd of them.

    Attributes:
        id: Its number, unique in the file.
        image_id: The number of its photo.
        category_id: The number of its kind.
        crowd: Whether it is a crowd, several instances in one mask.
        bbox: Left, top, width and height, or None.
        segmentation: Outlines, or an RLE, or None.
        extra: Every further key, as it is written.
    """

    model_config = ConfigDict(frozen=True, extra="allow", populate_by_name=True)

    id: Id
    image_id: Id
    category_id: Id
    crowd: Annotated[bool, Field(alias="iscrowd")] = False
    bbox: Annotated[Four | None, BeforeValidator(_absent_if_empty)] = None
    segmentation: Annotated[_Segmentation | None, BeforeValidator(_absent_if_empty)] = None

    @property
    def extra(self) -> Mapping[str, Any]:
        """Every further key, as it is written."""
        return self.model_extra or {}

    def shape(self, size_hw: SizeHW) -> tuple[Shape, float]:
        """Returns the region, and by how many pixels it reached outside the photo, where it is cut off.

        The outlines or the RLE are the region; the box is where there are none.

        Raises:
            ValueError: There is none, it reaches farther outside than drawing does, or it covers no pixel.
        """
        if isinstance(self.segmentation, RleObject):
            return self.segmentation.mask(size_hw), 0.0
        if self.segmentation is not None:
            return _polygon(self.segmentation, size_hw)
        if self.bbox is None:
            raise ValueError("it has neither a segmentation nor a bbox")
        return clipped_box(self.bbox, size_hw)


@dataclass(frozen=True)
class CocoFile:
    """A file of instances; its annotations are read when they are asked for, again each time.

    Attributes:
        path: The file.
        images: By number, in the order of the file.
        categories: By number, in the order of the file.
    """

    path: Path
    images: Mapping[int, CocoImage]
    categories: Mapping[int, CocoCategory]

    def annotations(self, on_invalid: OnInvalid = refuse) -> Iterator[tuple[CocoAnnotation, Row]]:
        """Yields the annotations in the order of the file, each with its row (`row.where` names it).

        Raises:
            InputError: One is broken, is there twice, or names a photo or kind that the file does not have, and
                `on_invalid` raises (the default).
        """
        seen: set[int] = set()
        for _, row in stream_elements(self.path, "annotations", on_invalid, "annotation"):
            try:
                found = typed(row, CocoAnnotation, FIX)
                self._check(found, row, seen)
            except InputError as error:
                on_invalid(error)
                continue
            seen.add(found.id)
            yield found, row

    def _check(self, found: CocoAnnotation, row: Row, seen: set[int]) -> None:
        problem = None
        if found.id in seen:
            problem = f"the id {found.id} is here a second time"
        elif found.image_id not in self.images:
            problem = f"its image_id is {found.image_id}, and the file has no image of this number"
        elif found.category_id not in self.categories:
            problem = f"its category_id is {found.category_id}, and the file has no category of this number"
        if problem:
            raise InputError(row.where, problem, FIX)


@dataclass(frozen=True, slots=True)
class CocoBox:
    """A box of COCO's own.

    Attributes:
        kind: The name of its category.
        xyxy: Upright pixels, cut off at the photo's edge.
        crowd: Whether it is around a crowd.
    """

    kind: str
    xyxy: Sides
    crowd: bool


def read_coco(path: Path, on_invalid: OnInvalid = refuse) -> CocoFile:
    """Returns a file of instances with its images and categories read.

    Raises:
        InputError: The file is none, or `on_invalid` raises for an image or category that is broken or there twice.
    """
    images: dict[int, CocoImage] = {}
    names: dict[str, int] = {}
    for _, row in stream_elements(path, "images", on_invalid, "image"):
        try:
            image = typed(row, CocoImage, FIX)
            _refuse_second(image.id, image.id in images, row)
            if names.setdefault(image.file_name, image.id) != image.id:
                numbers = f"{names[image.file_name]} and {image.id}"
                raise InputError(row.where, f"the photo {image.file_name} has two numbers, {numbers}", FIX)
        except InputError as error:
            on_invalid(error)
            continue
        images[image.id] = image
    return CocoFile(path, images, _categories(path, on_invalid))


def read_captions(path: Path, on_invalid: OnInvalid = refuse) -> dict[int, tuple[str, ...]]:
    """Returns the captions of a file of captions by the photo's number, in the order of the file.

    Raises:
        InputError: The file is none, or `on_invalid` raises for a caption that is broken.
    """
    found: dict[int, list[str]] = defaultdict(list)
    for _, row in stream_elements(path, "annotations", on_invalid, "annotation"):
        try:
            caption = typed(row, _Caption, FIX)
        except InputError as error:
            on_invalid(error)
            continue
        found[caption.image_id].append(caption.caption.strip())
    return {image: tuple(captions) for image, captions in found.items()}


def coco_boxes(path: Path, on_invalid: OnInvalid = refuse) -> dict[str, tuple[CocoBox, ...]]:
    """Returns COCO's boxes by the photo's file name (its last part); a photo without any has an empty tuple.

    Raises:
        InputError: The file is no file of instances, or `on_invalid` raises for a broken entry or box.
    """
    file = read_coco(path, on_invalid)
    boxes: dict[int, list[CocoBox]] = {number: [] for number in file.images}
    for found, row in file.annotations(on_invalid):
        try:
            box, _ = box_of(found, file.images[found.image_id].size_hw)
        except ValueError as error:
            on_invalid(InputError(row.where, str(error), FIX))
            continue
        boxes[found.image_id].append(CocoBox(file.categories[found.category_id].name, box.xyxy, found.crowd))
    return {image_name(file.images[number].file_name): tuple(own) for number, own in boxes.items()}


def box_of(found: CocoAnnotation, size_hw: SizeHW) -> tuple[Box, float]:
    """Returns the box of an annotation, and by how many pixels it reached outside the photo.

    Raises:
        ValueError: It has none, or one that is not usable.
    """
    if found.bbox is None:
        raise ValueError("it has no bbox")
    return clipped_box(found.bbox, size_hw)


def clipped_box(xywh: Sides, size_hw: SizeHW) -> tuple[Box, float]:
    """Returns the part of a box inside its photo, and by how many pixels it reached outside.

    Args:
        xywh: Left, top, width and height.
        size_hw: Height and width of the photo.

    Raises:
        ValueError: It has no area, or none inside the photo.
    """
    left, top, width, height = xywh
    if not (width > 0 and height > 0):
        raise ValueError(f"the box has no area; it is given as left {left:g}, top {top:g}, {width:g} x {height:g}")
    box = Box((left, top, left + width, top + height))
    x0, y0, x1, y1 = clip_boxes(box.xyxy, size_hw).tolist()
    if not (x0 < x1 and y0 < y1):
        raise ValueError(f"{box.problem(size_hw)}")
    outside = max(abs(a - b) for a, b in zip(box.xyxy, (x0, y0, x1, y1), strict=True))
    return Box((x0, y0, x1, y1)), outside


class _Caption(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    image_id: Id
    caption: NonBlank


def _categories(path: Path, on_invalid: OnInvalid) -> dict[int, CocoCategory]:
    found: dict[int, CocoCategory] = {}
    for _, row in stream_elements(path, "categories", on_invalid, "category"):
        try:
            category = typed(row, CocoCategory, FIX)
            _refuse_second(category.id, category.id in found, row)
            if any(other.name == category.name for other in found.values()):
                raise InputError(row.where, f"the name {category.name} is here a second time", FIX)
        except InputError as error:
            on_invalid(error)
            continue
        found[category.id] = category
    return found


def _refuse_second(number: int, there: bool, row: Row) -> None:
    if there:
        raise InputError(row.where, f"the id {number} is here a second time", FIX)


def _polygon(parts: list[list[float]], size_hw: SizeHW) -> tuple[Shape, float]:
    corners = []
    for part in parts:
        if len(part) % 2:
            raise ValueError(f"an outline has {len(part)} numbers; they come in pairs, x and y")
        corners.append(as_corners(list(zip(part[::2], part[1::2], strict=True))))
    outside = max(outside_by(part, size_hw) for part in corners)
    if outside > TOLERATED_PIXELS:
        raise ValueError(
            f"an outline has a corner {outside:.10g} pixels outside the photo of {size_hw[1]} x {size_hw[0]}"
        )
    inside = corners if outside == 0 else [clip_corners(part, size_hw) for part in corners]
    polygon = Polygon(tuple(tuple((x, y) for x, y in part.tolist()) for part in inside))
    if area(polygon.rle(size_hw)) == 0:
        raise ValueError("its outlines cover the middle of no pixel, so that no region could hit it")
    return polygon, outside
